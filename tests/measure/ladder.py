#!/usr/bin/env python3
"""What each level of the ladder takes, and that all of them agree.

    tests/measure/ladder.py [--bowhist build/ci/bin/bowhist] [-n 65536] [-k 8,64,256] [--rounds 5]
                            [--repeat 4] [--levels gpu1,gpu2] [--data DESCRIPTORS.npy] [BOWHIST OPTIONS]

Assigns n descriptors of 64 floats to k words with every level in turn, `rounds` times, each time
`repeat` batches in one process, and prints for each level the median and range, over the rounds, of
the mean time of a batch: the kernel's and the transpose's by OpenCL's events, and everything by the
wall clock. Descriptors are drawn around 1000 centres unless --data names real ones; centroids are
rows of them. Needs Python 3 with numpy. Words that differ from the first level's end it.
"""
import argparse
import pathlib
import re
import statistics
import struct
import subprocess
import tempfile

import numpy

D = 64
LEVELS = "openmp,simd,gpu1,gpu2,gpu3,gpu4,gpu5,gpu6"


def draw(n, random):
    centres = random.standard_normal((1000, D))
    rows = centres[random.integers(0, 1000, n)] + 0.5 * random.standard_normal((n, D))
    return rows.astype("<f4")


def run(command, repeat):
    """Mean milliseconds a batch: {"assign": .., "transpose": .., "decide": .., "wall": ..}, and the share unproven."""
    told = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    (report,) = [line for line in told.splitlines() if " wall " in line]
    times = {name: float(ms) / repeat for name, ms in re.findall(r" (\w+) ([0-9.]+) ms", report)}
    return times, float(re.search(r"\(([0-9.]+) %\)", report)[1])


def describe(values):
    return f"{statistics.median(values):10.3f} ({min(values):.3f} … {max(values):.3f})" if values else f"{'–':>10}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("-n", type=int, default=65536)
    parser.add_argument("-k", default="8,64,256")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=4)
    parser.add_argument("--levels", default=LEVELS)
    parser.add_argument("--data")
    options, passed_on = parser.parse_known_args()
    random = numpy.random.default_rng(1)
    rows = numpy.load(options.data)[: options.n] if options.data else draw(options.n, random)
    levels = options.levels.split(",")
    with tempfile.TemporaryDirectory() as scratch:
        numpy.save(f"{scratch}/d.npy", numpy.resize(rows, (options.n, D)).astype("<f4"))
        for k in map(int, options.k.split(",")):
            centroids = rows[random.choice(len(rows), k, replace=False)]
            pathlib.Path(scratch, "c.bin").write_bytes(struct.pack("<II", k, D) + centroids.tobytes())
            results = {level: [] for level in levels}
            words = None
            for _ in range(options.rounds):
                for level in levels:
                    results[level].append(run([options.bowhist, "assign", "-v", "--centroids", f"{scratch}/c.bin", "-o",
                                               f"{scratch}/w.npy", "--kernel", level, *passed_on,
                                               *[f"{scratch}/d.npy"] * options.repeat], options.repeat))
                    found = pathlib.Path(scratch, "w.npy").read_bytes()
                    words = words or found
                    if words != found:
                        raise SystemExit(f"{level}: other words than {levels[0]}")
            print(f"n = {options.n}, k = {k}, {options.rounds} rounds of {options.repeat}: milliseconds a batch, median (range)")
            print(f"{'level':8}{'assign':>32}{'transpose':>32}{'wall':>36}{'GFLOP/s':>10}{'unproven':>10}")
            for level, rounds in results.items():
                column = {name: [times[name] for times, _ in rounds if name in times] for name in ("assign", "transpose", "wall")}
                busy = statistics.median(column["assign"] or column["wall"])
                print(f"{level:8}{describe(column['assign']):>32}{describe(column['transpose']):>32}{describe(column['wall']):>36}"
                      f"{2 * D * options.n * k / busy / 1e6:10.1f}{rounds[0][1]:9.3f}%", flush=True)


if __name__ == "__main__":
    main()
