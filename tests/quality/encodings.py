#!/usr/bin/env python3
"""What each encoding is worth and costs: classifying, searching and grouping the labeled pictures of folders.

    tests/quality/encodings.py [--bowhist build/ci/bin/bowhist] [--learn 100] [--seeds 3] [--only "bow;vlad code"] FOLDER...

FOLDER holds folders of pictures, whose names are the labels; those that begin with _ are distractors, which are found and
grouped along, but not asked for. For each seed half of each label's pictures (--learn: that many) are drawn to learn from:
vocabularies (--sample 300000, 10 iterations) and models, without labels, and support vector machines (C = 10): of
histograms with an exponential chi-square kernel, of vlad linear ones, one label against the rest. Printed as a table, means
over the seeds with their standard deviation:
  SVM       accuracy on the other pictures
  mAP       every picture is a query among all others; Hellinger's likeness of histograms, the product of codes
  NMI, ARI  of the groups of `bowhist cluster`, by its defaults, without their number
  CPU ms    processor milliseconds a picture, from the file to its row, --kernel simd
Needs numpy and scikit-learn.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import tempfile

import numpy

try:
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
    from sklearn.metrics.pairwise import additive_chi2_kernel
    from sklearn.svm import SVC, LinearSVC
except ImportError:
    raise SystemExit("skipped: scikit-learn is not installed (pip install scikit-learn, in a venv)")

ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".pgm", ".ppm")
SIX = ["--patches", "8,16,24,32,48,64", "--step", "8"]
PLACED = "root,whiten,position:1.5,scale:1.5,contrast:1.5,mirror"
PREPARED = [*SIX, "--prepare", PLACED]
COUNTED = ["--normalize", "hellinger"]
# of each encoding: how its vocabulary or model is trained, and what rows are made of it
ENCODINGS = {
    "bow": (["-k", 1024], COUNTED),
    "bow, k = 4096": (["-k", 4096], COUNTED),
    "bow, six patches": (["-k", 1024, *SIX], COUNTED),
    "bow, prepared": (["-k", 1024, *PREPARED], COUNTED),
    "bow, prepared, k = 4096": (["-k", 4096, *PREPARED], COUNTED),
    "bow, three patches, prepared, k = 4096": (["-k", 4096, "--prepare", PLACED], COUNTED),
    "soft, prepared": (["-k", 1024, *PREPARED], ["--encode", "soft", *COUNTED]),
    "pyramid": (["-k", 1024], ["--encode", "pyramid", *COUNTED]),
    "pyramid, six patches, root,whiten": (["-k", 1024, *SIX, "--prepare", "root,whiten"], ["--encode", "pyramid", *COUNTED]),
    "vlad rows": (["--model", "vlad", "--reduce", 0, "--prepare", PLACED], []),
    "vlad code": (["--model", "vlad"], []),
    "vlad code, cells 1x1,2x2": (["--model", "vlad"], ["--cells", "1x1,2x2"]),
}


def labeled_pictures(folder):
    """Paths and labels."""
    paths = sorted(str(path) for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)
    return paths, numpy.array([pathlib.Path(path).parent.name for path in paths])


def draw(labels, seed, learn):
    """Which pictures are learned from, and which are tests."""
    random = numpy.random.default_rng(seed)
    learns, tests = numpy.zeros(len(labels), bool), numpy.zeros(len(labels), bool)
    for label in sorted(set(labels)):
        places = random.permutation(numpy.flatnonzero(labels == label))
        most = learn or len(places) // 2
        if label.startswith("_") or len(places) < 2:
            learns[places[:most]] = True
        else:
            learns[places[:min(most, len(places) - 1)]] = True
            tests[places[min(most, len(places) - 1):]] = True
    return learns, tests


class Program:
    def __init__(self, path, scratch):
        self.path, self.scratch, self.trained = path, scratch, {}

    def run(self, *words, pictures=None):
        """Seconds of the processor."""
        command = [self.path, *map(str, words), "-q"]
        if pictures is not None:
            listed = self.scratch / "pictures"
            listed.write_bytes(b"\0".join(map(os.fsencode, pictures)))
            command += ["--files-from", str(listed), "-0"]
        process = subprocess.Popen(command)
        _, status, used = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) > 1:
            raise SystemExit(f"failed: {command}")
        return used.ru_utime + used.ru_stime

    def train(self, options, seed, pictures):
        """A file for each way to train."""
        key = tuple(map(str, options))
        words = [] if "vlad" in key else ["--sample", 300_000, "--iterations", 10]
        if key not in self.trained:
            self.trained[key] = self.scratch / (f"{len(self.trained)}.npz" if "vlad" in key else f"{len(self.trained)}.bin")
            self.run("train", "--kernel", "simd", *options, *words, "--seed", seed, "-o", self.trained[key], pictures=pictures)
        return self.trained[key]

    def encode(self, file, options, pictures):
        """Rows of the pictures, and CPU milliseconds of one; pictures that were skipped are an error."""
        spent = self.run("--kernel", "simd", "--centroids", file, *options, "-o", self.scratch / "rows.npz", pictures=pictures)
        with numpy.load(self.scratch / "rows.npz") as made:
            if len(made["images"]) != len(pictures):
                raise SystemExit("pictures were skipped; leave them out of the folder")
            rows = made["rows"] if "rows" in made else made["histograms"]
            return rows.astype("f4"), 1000 * spent / len(pictures)

    def groups(self):
        """Of the rows that encode() made last."""
        self.run("cluster", "-o", self.scratch / "groups.csv", self.scratch / "rows.npz")
        with open(self.scratch / "groups.csv", newline="") as lines:
            return numpy.array([row["group"] for row in csv.DictReader(lines)])


def unit(rows):
    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-30)


def accuracy(rows, is_histogram, labels, learns, tests):
    """Of a support vector machine."""
    if is_histogram:
        apart = -additive_chi2_kernel(rows.astype("f8") ** 2)
        kernel = numpy.exp(-apart / apart.mean())
        machine = SVC(C=10, kernel="precomputed").fit(kernel[numpy.ix_(learns, learns)], labels[learns])
        found = machine.predict(kernel[numpy.ix_(tests, learns)])
    else:
        found = LinearSVC(C=10).fit(rows[learns], labels[learns]).predict(rows[tests])
    return (found == labels[tests]).mean()


def mean_average_precision(likeness, labels):
    precisions = []
    for query, label in enumerate(labels):
        mates = (labels == label).sum() - 1
        if label.startswith("_") or mates == 0:
            continue
        order = numpy.argsort(-likeness[query], kind="stable")
        ranks = numpy.flatnonzero((labels == label)[order[order != query]]) + 1
        precisions.append((numpy.arange(1, mates + 1) / ranks).mean())
    return numpy.mean(precisions)


def measure(program, options, seed, pictures, labels, learns, tests):
    training, encoding = options
    file = program.train(training, seed, [path for path, learned in zip(pictures, learns) if learned])
    rows, spent = program.encode(file, encoding, pictures)
    rows = unit(rows)
    asked = numpy.array([not label.startswith("_") for label in labels])
    groups = program.groups()
    return (accuracy(rows, "vlad" not in training, labels, learns & asked, tests), mean_average_precision(rows @ rows.T, labels),
            normalized_mutual_info_score(labels[asked], groups[asked]), adjusted_rand_score(labels[asked], groups[asked]), spent)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--learn", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", help="encodings to measure, with semicolons: " + "; ".join(ENCODINGS))
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    call = parser.parse_args()
    names = call.only.split(";") if call.only else list(ENCODINGS)
    for folder in call.folders:
        pictures, labels = labeled_pictures(folder)
        figures = {name: [] for name in names}
        for seed in range(1, call.seeds + 1):
            with tempfile.TemporaryDirectory() as scratch:
                program = Program(call.bowhist, pathlib.Path(scratch))
                learns, tests = draw(labels, seed, call.learn)
                for name in names:
                    figures[name].append(measure(program, ENCODINGS[name], seed, pictures, labels, learns, tests))
        print(f"\n{folder.name}: {len(pictures)} pictures, {learns.sum()} to learn from, {call.seeds} seeds\n\n"
              "| | SVM | mAP | NMI | ARI | CPU ms |\n|---|---|---|---|---|---|")
        for name, rows in figures.items():
            mean, deviation = numpy.mean(rows, axis=0), numpy.std(rows, axis=0)
            columns = [f"{value:.3f} ± {spread:.3f}" for value, spread in zip(mean[:4], deviation)]
            print(f"| {name} | {' | '.join(columns)} | {mean[4]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
