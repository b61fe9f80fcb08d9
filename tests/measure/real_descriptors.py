#!/usr/bin/env python3
"""Real descriptors, many and distinct, and vocabularies learned from them: what measurements run on.

    tests/measure/real_descriptors.py [--bowhist build/ci/bin/bowhist] [-n 1048576] [-k 256,1024,4096,16384]
                                      [--extractors akaze,kaze] [--threshold 0.0001] [--max-side 0] [--seed 1]
                                      -o FOLDER PICTURES...

Extracts from the pictures (files or folders) with each extractor, at their own size and at a low threshold, so that a
thousand photographs give a million rows. FOLDER/descriptors.npy becomes n×64 float32: no row twice, in an order
drawn from the seed. Where the pictures give fewer than n, it holds what there is and says so; nothing is repeated.
FOLDER/c{k}.bin are vocabularies that `bowhist train` learns in a few iterations from the first rows. Needs numpy.
"""
import argparse
import pathlib
import subprocess
import tempfile

import numpy

ITERATIONS = 5  # of k-means: centroids at home among the data, not the best ones
ROWS_A_WORD = 8  # to learn from


def extract(options, extractor, folder):
    """The rows of all pictures; one that cannot be read is left out (status 1)."""
    command = [options.bowhist, "extract", "-q", "--extractor", extractor, "--threshold", options.threshold,
               "--max-side", options.max_side, "-o", folder, *options.pictures]
    if subprocess.run(command).returncode > 1:
        raise SystemExit(f"{extractor}: extraction failed")
    rows = [numpy.load(path) for path in sorted(pathlib.Path(folder).rglob("*.npy"))]
    rows = numpy.concatenate([part for part in rows if len(part)])
    print(f"{extractor}: {len(rows)} rows", flush=True)
    return rows


def distinct(rows):
    as_bytes = numpy.ascontiguousarray(rows).view(numpy.dtype((numpy.void, rows.itemsize * rows.shape[1])))
    return rows[numpy.sort(numpy.unique(as_bytes, return_index=True)[1])]


def learn(options, rows, k, scratch):
    subset = f"{scratch}/subset.npy"
    numpy.save(subset, rows[: max(ROWS_A_WORD * k, 100_000)])
    vocabulary = f"{options.output}/c{k}.bin"
    subprocess.run([options.bowhist, "train", "-q", "-k", str(k), "--iterations", str(ITERATIONS), "--seed",
                    str(options.seed), "-o", vocabulary, subset], check=True)
    print(f"{vocabulary}: {k} words", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("-n", type=int, default=1 << 20)
    parser.add_argument("-k", default="256,1024,4096,16384")
    parser.add_argument("--extractors", default="akaze,kaze")
    parser.add_argument("--threshold", default="0.0001")
    parser.add_argument("--max-side", default="0")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("pictures", nargs="+")
    options = parser.parse_args()
    pathlib.Path(options.output).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        rows = distinct(numpy.concatenate([extract(options, name, f"{scratch}/{name}")
                                           for name in options.extractors.split(",")]))
        print(f"{len(rows)} distinct rows" + (f", fewer than {options.n}" if len(rows) < options.n else ""))
        rows = rows[numpy.random.default_rng(options.seed).permutation(len(rows))[: options.n]]
        numpy.save(f"{options.output}/descriptors.npy", rows)
        for k in map(int, options.k.split(",")):
            learn(options, rows, k, scratch)


if __name__ == "__main__":
    main()
