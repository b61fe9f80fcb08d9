"""What descending a vocabulary tree costs in words and in retrieval, and what time it saves.

    tree.py FOLDER [--bowhist build/ci/bin/bowhist] [--seeds 1 2 3] [--rounds 5] [--extractor "surf --max-descriptors 600"]
            [SHAPE ...]

Each sub-folder of FOLDER is a scene; those whose names begin with _ only distract. Every picture of a scene of at least two
is a query among all others, by the cosine of square-rooted counts. For each SHAPE (32x32, 10x10x10, ...) and seed, three
ways: plain k-means of as many words as the tree has leaves, the leaves by the exact rule, the leaves by descending. Agreement
is the share of descriptors whose descended word is the nearest leaf. Inertia is that of the training's words. Seconds are of
10^6 descriptors, processor time of one thread with reading them, --kernel simd against --descend, in turn; medians of the
rounds with their range.
"""
import argparse
import json
import pathlib
import resource
import shlex
import subprocess
import tempfile

import numpy


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True)
    if done.returncode > 1:
        raise SystemExit(f"{shlex.join(map(str, arguments))}: {done.stderr.decode()}")
    return done.stderr.decode()


def retrieval(archive):
    """Mean average precision and top-1."""
    features = numpy.sqrt(archive["histograms"].astype(float))
    features /= numpy.maximum(numpy.linalg.norm(features, axis=1, keepdims=True), 1e-300)
    scenes = numpy.array([pathlib.Path(str(name)).parent.name for name in archive["images"]])
    similarity = features @ features.T
    precisions, firsts = [], []
    for query, scene in enumerate(scenes):
        mates = (scenes == scene).sum() - 1
        if scene.startswith("_") or mates == 0:
            continue
        order = numpy.argsort(-similarity[query], kind="stable")
        hits = (scenes == scene)[order[order != query]]
        precisions.append((numpy.arange(1, mates + 1) / (numpy.flatnonzero(hits) + 1)).mean())
        firsts.append(hits[0])
    return numpy.mean(precisions), numpy.mean(firsts)


class Measuring:
    def __init__(self, options, scratch):
        self.program, self.scratch = options.bowhist, scratch
        self.descriptors = scratch / "all.fbin"
        run(self.program, "extract", "-o", self.descriptors, "--extractor", *shlex.split(options.extractor), options.folder)

    def train(self, *how):
        """@return inertia and words"""
        run(self.program, "train", "-o", self.scratch / "c.bin", *how, self.descriptors)
        words = int(numpy.fromfile(self.scratch / "c.bin", "<u4", 1)[0])
        return json.loads((self.scratch / "c.bin.json").read_text())["training"]["inertia"], words

    def histograms(self, *how):
        run(self.program, "--centroids", self.scratch / "c.bin", *how, "-o", self.scratch / "h.npz", self.descriptors)
        return retrieval(numpy.load(self.scratch / "h.npz"))

    def words(self, *how):
        """@return the words, and processor seconds of a million"""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        run(self.program, "assign", "-j", 1, "--centroids", self.scratch / "c.bin", *how, "-o", self.scratch / "w.npy",
            self.descriptors)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        words = numpy.load(self.scratch / "w.npy")
        return words, seconds * 1e6 / len(words)

    def seed(self, shape, seed, rounds):
        inertia, leaves = self.train("--tree", shape, "--seed", seed)
        flat, descended = [], []
        for _ in range(rounds):
            nearest, time = self.words("--kernel", "simd")
            flat.append(time)
            words, time = self.words("--descend")
            descended.append(time)
        figures = {"words": leaves, "agreement": (nearest == words).mean(), "flat s": flat, "descend s": descended,
                   "tree inertia": inertia, "leaves, exact": self.histograms(), "leaves, descend": self.histograms("--descend")}
        figures["plain inertia"], _ = self.train("-k", leaves, "--seed", seed)
        figures["plain k-means"] = self.histograms()
        return figures


def spread(values, form):
    return f"{numpy.median(values):{form}} ({min(values):{form}} … {max(values):{form}})"


def report(shape, seeds):
    print(f"{shape}: {spread([s['words'] for s in seeds], '.0f')} words")
    print(f"   agreement          {spread([s['agreement'] for s in seeds], '.3f')}")
    print(f"   inertia, to plain  {spread([s['tree inertia'] / s['plain inertia'] for s in seeds], '.3f')}")
    for way in ("plain k-means", "leaves, exact", "leaves, descend"):
        print(f"   {way:18} mAP {spread([s[way][0] for s in seeds], '.3f')}, top-1 {spread([s[way][1] for s in seeds], '.3f')}")
    for way in ("flat s", "descend s"):
        print(f"   {way:18} {spread(sum((s[way] for s in seeds), []), '.2f')}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("shapes", nargs="*", default=["32x32", "10x10x10", "64x64", "8x8x8x8"], metavar="SHAPE")
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--extractor", default="surf --max-descriptors 600 --max-side 512")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        measuring = Measuring(options, pathlib.Path(scratch))
        for shape in options.shapes:
            report(shape, [measuring.seed(shape, seed, options.rounds) for seed in options.seeds])


if __name__ == "__main__":
    main()
