#!/usr/bin/env python3
"""What encodings and weights of words gain and cost, by one vocabulary a seed: retrieval among all pictures of a folder.

    tests/quality/rows.py [--bowhist build/ci/bin/bowhist] [--seeds 2] [--learn "-k 4096 --extractor surf"] FOLDER

FOLDER has a labels.tsv (path, class); every picture whose class has others is a query. Prints mean average precision and
top-1 (means of the seeds, with the range of the first), and milliseconds a picture from descriptors to rows. Likeness is
the product of rows of unit length; of bm25 that of one picture's bm25 with the other's counts.
"""
import argparse
import csv
import pathlib
import shlex
import subprocess
import tempfile
import time

import numpy

ROWS = {"hellinger": ["--normalize", "hellinger"], "tfidf": ["--normalize", "tfidf"], "bm25": ["--normalize", "bm25"],
        "soft, hellinger": ["--encode", "soft", "--normalize", "hellinger"],
        "soft, tfidf": ["--encode", "soft", "--normalize", "tfidf"]}


def found(likeness, classes):
    """Mean average precision and top-1."""
    precisions, firsts = [], []
    for query, group in enumerate(classes):
        mates = (classes == group).sum() - 1
        if group.startswith("_") or mates == 0:
            continue
        order = numpy.argsort(-likeness[query], kind="stable")
        hits = (classes == group)[order[order != query]]
        ranks = numpy.flatnonzero(hits) + 1
        precisions.append((numpy.arange(1, mates + 1) / ranks).mean())
        firsts.append(hits[0])
    return numpy.mean(precisions), numpy.mean(firsts)


def unit(rows):
    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-30)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--learn", default="-k 4096 --extractor surf --max-side 512 --max-descriptors 600")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    with open(options.folder / "labels.tsv", newline="") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if (options.folder / row["path"]).exists()]
    paths, classes = [str(options.folder / row["path"]) for row in rows], numpy.array([row["class"] for row in rows])
    results = {name: [] for name in ROWS}
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)

        def run(*command):
            subprocess.run([options.bowhist, *map(str, command), "-q"], check=True)

        for seed in range(options.seeds):
            run("train", *shlex.split(options.learn), "--idf", len(paths), "--seed", seed, "-o", scratch / "c.bin", *paths)
            described = shlex.split(options.learn)
            k = described.index("-k")
            run("extract", *described[:k], *described[k + 2:], "-o", scratch / "all.fbin", "--files-from",
                write_list(scratch / "list", paths))
            run("--centroids", scratch / "c.bin", "-o", scratch / "counts.npy", scratch / "all.fbin")
            counts = numpy.load(scratch / "counts.npy").astype("f4")
            for name, words in ROWS.items():
                start = time.perf_counter()
                run("--centroids", scratch / "c.bin", *words, "-o", scratch / "rows.npy", scratch / "all.fbin")
                spent = (time.perf_counter() - start) / len(paths) * 1000
                made = numpy.load(scratch / "rows.npy")
                likeness = counts @ made.T if name == "bm25" else unit(made) @ unit(made).T
                results[name].append((*found(likeness, classes), spent))
    for name, figures in results.items():
        precision, first, spent = numpy.mean(figures, axis=0)
        of_seeds = [figure[0] for figure in figures]
        print(f"{name:16} mAP {precision:.3f} ({min(of_seeds):.3f} … {max(of_seeds):.3f}), top-1 {first:.3f}, {spent:.1f} ms")


def write_list(path, paths):
    path.write_text("\n".join(paths) + "\n")
    return path


if __name__ == "__main__":
    main()
