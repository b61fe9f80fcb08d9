"""Ranks of one thread each against one process with as many threads: training, and its bytes.

    BOWHIST=build/release/bin/bowhist python3 tests/measure/mpi_times.py [--ranks 2] [--rows 600000] [-k 4000] [--runs 5]

mpirun itself takes about half a second, which counts. Runs alternate; printed are medians with the range. Needs numpy and mpirun, and as many idle cores as ranks.
"""
import argparse
import hashlib
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy

LAUNCHED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(command, folder):
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, env={**os.environ, **LAUNCHED}, stdin=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    return seconds, hashlib.sha256((folder / "v.bin").read_bytes()).hexdigest()


def main():
    parser = argparse.ArgumentParser()
    for name, value in (("--ranks", 2), ("--rows", 600_000), ("--dimensions", 64), ("-k", 4000), ("--iterations", 8), ("--runs", 5)):
        parser.add_argument(name, type=int, default=value)
    asked = parser.parse_args()
    program = os.path.realpath(os.environ["BOWHIST"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        random = numpy.random.default_rng(1)
        centers = random.standard_normal((4 * asked.k, asked.dimensions), numpy.float32)
        rows = centers[random.integers(0, len(centers), asked.rows)]
        rows += 0.5 * random.standard_normal(rows.shape, numpy.float32)
        numpy.save(folder / "rows.npy", rows)
        train = ["train", "-q", "--kernel", "simd", "--sample", "0", "-k", str(asked.k), "--iterations", str(asked.iterations),
                 "-o", "v.bin", "rows.npy"]
        ways = {f"1 process, {asked.ranks} threads": [program, *train, "-j", str(asked.ranks)],
                f"{asked.ranks} ranks, 1 thread each": ["mpirun", "-n", str(asked.ranks), program, *train, "-j", "1"]}
        seconds = {way: [] for way in ways}
        hashes = set()
        for _ in range(asked.runs):
            for way, command in ways.items():
                taken, digest = run(command, folder)
                seconds[way].append(taken)
                hashes.add(digest)
        for way, taken in seconds.items():
            print(f"{way}: {statistics.median(taken):.2f} s ({min(taken):.2f} to {max(taken):.2f})")
        one, many = (statistics.median(taken) for taken in seconds.values())
        print(f"speed of the ranks: {one / many:.3f} of one process; sha256 {'equal' if len(hashes) == 1 else 'DIFFERS'}")


if __name__ == "__main__":
    main()
