#!/usr/bin/env python3
"""What codes of pictures are worth beside histograms: every picture is a query among all, by likeness.

    tests/quality/codes.py [--bowhist build/ci/bin/bowhist] [--learn FOLDER] [--seeds 3] FOLDER...

FOLDER holds folders of pictures, whose names are the labels; those that begin with _ are distractors, and no queries. Printed
for each: mean average precision and top-1 of the codes of `train --model vlad`, and of square-rooted shares (--normalize
hellinger) of 1024 words, without preparation and with it; means over the seeds, with their range. Models are learned on the pictures themselves, or on those
of --learn. OPTIONS of the model follow --, such as: -- -k 256 --prepare root,whiten. Needs numpy.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy


def run(program, *words):
    start = time.monotonic()
    if subprocess.run([program, *map(str, words), "-q"]).returncode > 1:
        raise SystemExit(f"failed: {words}")
    return time.monotonic() - start


def average_precision(similarity, labels):
    """Mean average precision and top-1 of the pictures that have others of their label."""
    precisions, firsts = [], []
    for query, label in enumerate(labels):
        mates = (labels == label).sum() - 1
        if label.startswith("_") or mates == 0:
            continue
        order = numpy.argsort(-similarity[query], kind="stable")
        found = (labels == label)[order[order != query]]
        ranks = numpy.flatnonzero(found) + 1
        precisions.append((numpy.arange(1, mates + 1) / ranks).mean())
        firsts.append(found[0])
    return numpy.mean(precisions), numpy.mean(firsts)


def measure(rows, images):
    labels = numpy.array([pathlib.Path(os.fsdecode(str(image))).parent.name for image in images])
    rows = rows.astype("f8")
    rows /= numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-30)
    return average_precision(rows @ rows.T, labels)


PREPARED = ["--patches", "8,16,24,32,48,64", "--step", "8", "--prepare",
            "root,whiten:48,position:1.5,scale:1.5,contrast:1.5,mirror"]


def main():
    words, options = sys.argv[1:], []
    if "--" in words:
        words, options = words[: words.index("--")], words[words.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--learn")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args(words)
    for folder in args.folders:
        figures = {"codes": [], "histograms": [], "prepared": []}
        with tempfile.TemporaryDirectory() as scratch:
            model, vocabulary, rows = (pathlib.Path(scratch) / name for name in ("photos.npz", "c.bin", "rows.npz"))
            for seed in range(1, args.seeds + 1):
                learned = run(args.bowhist, "train", "--model", "vlad", "--seed", seed, *options, "-o", model, args.learn or folder)
                encoded = run(args.bowhist, "--centroids", model, "-o", rows, folder)
                with numpy.load(rows) as made:
                    figures["codes"].append((*measure(made["rows"], made["images"]), learned, encoded))
                for name, preparation in (("histograms", []), ("prepared", PREPARED)):
                    learned = run(args.bowhist, "train", "-k", 1024, "--sample", 300000, "--iterations", 10, "--seed", seed,
                                  *preparation, "-o", vocabulary, args.learn or folder)
                    encoded = run(args.bowhist, "--centroids", vocabulary, "--normalize", "hellinger", "-o", rows, folder)
                    with numpy.load(rows) as made:
                        figures[name].append((*measure(made["histograms"], made["images"]), learned, encoded))
        print(folder)
        for name, table in figures.items():
            table = numpy.array(table)
            mean, low, high = table.mean(axis=0), table.min(axis=0), table.max(axis=0)
            print(f"  {name:10}  mAP {mean[0]:.3f} ({low[0]:.3f} … {high[0]:.3f})  top-1 {mean[1]:.3f} ({low[1]:.3f} … "
                  f"{high[1]:.3f})  learned in {mean[2]:.1f} s, made in {mean[3]:.1f} s")


if __name__ == "__main__":
    main()
