#!/usr/bin/env python3
"""What groups cost: seconds, processor seconds and memory of `bowhist cluster`, a line for each method and number of rows.

    tests/measure/group_times.py [--bowhist build/ci/bin/bowhist] [--rows 20000,100000] [--methods leiden,ward] [--rounds 3]

Rows have 128 values around 60 places, as codes of images have. Each round runs all methods in turn; the table has the
medians, with the range, reading and writing included.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy


def write_rows(path, count):
    random = numpy.random.default_rng(1)
    places = random.normal(size=(60, 128)).astype("<f4")
    rows = 2 * places[random.integers(0, 60, count)] + random.normal(size=(count, 128)).astype("<f4")
    numpy.save(path, numpy.maximum(0, rows + 4))


def cost(command):
    """Seconds, processor seconds, MiB at most."""
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"failed: {command}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--rows", default="20000,100000")
    parser.add_argument("--methods", default="leiden,kmeans")
    parser.add_argument("--rounds", type=int, default=3)
    call = parser.parse_args()
    print("| rows | method | seconds (range) | processor seconds | MiB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for count in map(int, call.rows.split(",")):
            table = pathlib.Path(scratch, "rows.npy")
            write_rows(table, count)
            results = {method: [] for method in call.methods.split(",")}
            for _ in range(call.rounds):
                for method, costs in results.items():
                    number = [] if method == "leiden" else ["-k", "60"]
                    costs.append(cost([call.bowhist, "cluster", "-q", "--method", method, *number,
                                       "-o", str(pathlib.Path(scratch, "g.csv")), str(table)]))
            for method, costs in results.items():
                seconds, processor, memory = zip(*costs)
                print(f"| {count} | {method} | {statistics.median(seconds):.2f} ({min(seconds):.2f}–{max(seconds):.2f}) | "
                      f"{statistics.median(processor):.2f} | {max(memory):.0f} |", flush=True)


if __name__ == "__main__":
    main()
