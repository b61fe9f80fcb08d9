#!/usr/bin/env python3
"""What the words of each extractor are worth: one protocol for all, printed as a table.

    tests/quality/words.py --data FOLDER [--bowhist build/ci/bin/bowhist] [-k 1024] ["dense --step 6" akaze kaze ...]

FOLDER holds labelled sets: folders with a labels.tsv (path, class, ...). Each argument is an extractor with its options.
One vocabulary an extractor, learned from all sets: --sample 300000, 10 iterations. Features are square-rooted shares
(--normalize hellinger). Of sets named retrieval*, every picture of a group is a query among all pictures: mean average
precision and top-1. Of the others: 1-nearest-neighbour accuracy (each picture against all others), accuracy of a linear SVM
on these features (Hellinger) and of one with an exponential chi-square kernel, 5-fold, mean of 3 shuffles; NMI of
`bowhist cluster` with the true number of classes. Needs Debian's python3-numpy and python3-sklearn.
"""
import argparse
import csv
import pathlib
import shlex
import subprocess
import tempfile
import time
import warnings

import numpy
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.pairwise import additive_chi2_kernel
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

warnings.filterwarnings("ignore", message="The least populated class")  # stamps10 has one of four

SHUFFLES = 3


def labels_of(folder):
    with open(folder / "labels.tsv", newline="") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if (folder / row["path"]).exists()]
    return [folder / row["path"] for row in rows], numpy.array([row["class"] for row in rows])


def run(*command):
    if subprocess.run([str(part) for part in command]).returncode > 1:
        raise SystemExit(f"failed: {shlex.join(str(part) for part in command)}")


def retrieval(features, classes):
    """Mean average precision and top-1 of the pictures that have others of their group."""
    similarity = features @ features.T
    precisions, firsts = [], []
    for query, group in enumerate(classes):
        mates = (classes == group).sum() - 1
        if group.startswith("_") or mates == 0:
            continue
        order = numpy.argsort(-similarity[query], kind="stable")
        found = (classes == group)[order[order != query]]
        ranks = numpy.flatnonzero(found) + 1
        precisions.append((numpy.arange(1, mates + 1) / ranks).mean())
        firsts.append(found[0])
    return {"mAP": numpy.mean(precisions), "top-1": numpy.mean(firsts)}


def svm_accuracy(kernel, classes):
    accuracies = []
    for shuffle in range(SHUFFLES):
        for learn, test in StratifiedKFold(5, shuffle=True, random_state=shuffle).split(kernel, classes):
            machine = SVC(C=10, kernel="precomputed").fit(kernel[numpy.ix_(learn, learn)], classes[learn])
            accuracies.append((machine.predict(kernel[numpy.ix_(test, learn)]) == classes[test]).mean())
    return numpy.mean(accuracies)


def classification(features, classes):
    similarity = features @ features.T
    numpy.fill_diagonal(similarity, -1)
    nearest = (classes[similarity.argmax(axis=1)] == classes).mean()
    distance = -additive_chi2_kernel(features**2)
    return {"1-NN": nearest, "SVM": svm_accuracy(features @ features.T, classes),
            "chi2": svm_accuracy(numpy.exp(-distance / distance.mean()), classes)}


def groups_nmi(bowhist, histograms, classes, scratch):
    run(bowhist, "cluster", "-q", "-k", len(set(classes)), "-o", scratch / "groups.csv", histograms)
    with open(scratch / "groups.csv", newline="") as lines:
        groups = [row["group"] for row in csv.DictReader(lines)]
    return normalized_mutual_info_score(classes, groups)


def measure(options, extractor, sets, scratch):
    start = time.time()
    vocabulary = scratch / "c.bin"
    pictures = scratch / "pictures"
    pictures.write_bytes(b"\0".join(bytes(path) for paths, _ in sets.values() for path in paths))
    run(options.bowhist, "train", "-q", "-k", options.k, "--sample", 300_000, "--iterations", 10, "-o", vocabulary,
        "--extractor", *shlex.split(extractor), "--files-from", pictures, "-0")
    results = []
    for name, (paths, classes) in sets.items():
        pictures.write_bytes(b"\0".join(bytes(path) for path in paths))
        histograms = scratch / f"{name}.npz"
        run(options.bowhist, "-q", "--centroids", vocabulary, "--normalize", "hellinger", "-o", histograms,
            "--files-from", pictures, "-0")
        table = numpy.load(histograms)
        assert [str(path) for path in paths] == list(table["images"]), f"{name}: pictures were skipped"
        features = table["histograms"].astype(float)
        if name.startswith("retrieval"):
            found = retrieval(features, classes)
        else:
            found = classification(features, classes)
            found["NMI"] = groups_nmi(options.bowhist, histograms, classes, scratch)
        results.append(f"{name} {numpy.median(table['descriptors']):.0f} " +
                       " ".join(f"{measure} {value:.3f}" for measure, value in found.items()))
    print(f"{extractor:40} k {options.k} | {' | '.join(results)} | {time.time() - start:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--sets", default="clothing10,stamps10,retrieval")
    parser.add_argument("-k", type=int, default=1024)
    parser.add_argument("extractors", nargs="*", default=["dense", "akaze", "kaze"])
    options = parser.parse_args()
    sets = {name: labels_of(options.data / name) for name in options.sets.split(",")}
    for extractor in options.extractors:
        with tempfile.TemporaryDirectory() as scratch:
            measure(options, extractor, sets, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
