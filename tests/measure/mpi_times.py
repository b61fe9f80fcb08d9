"""Ranks of one thread each against one process with as many threads: training, and its bytes.

    BOWHIST=build/release/bin/bowhist python3 tests/measure/mpi_times.py [--ranks 2] [--rows 600000] [-k 4000] [--iterations 8] [--runs 5]

--iterations 50 makes a run of a minute or so on two cores. The launcher's start is in the time of the ranks, and is measured by
itself in each round: `mpirun -n RANKS true`, and `bowhist --version` with and without mpirun. Runs alternate; printed are medians
with the range, of ratios, too. Needs numpy and mpirun, and as many idle cores as ranks.
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


def seconds_of(command, folder):
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, env={**os.environ, **LAUNCHED}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def write_rows(path, asked):
    random = numpy.random.default_rng(1)
    centers = random.standard_normal((4 * asked.k, asked.dimensions), numpy.float32)
    rows = centers[random.integers(0, len(centers), asked.rows)]
    rows += 0.5 * random.standard_normal(rows.shape, numpy.float32)
    numpy.save(path, rows)


def show(name, values, unit, digits):
    print(f"{name}: {statistics.median(values):.{digits}f}{unit} ({min(values):.{digits}f} to {max(values):.{digits}f})")


def main():
    parser = argparse.ArgumentParser()
    for name, value in (("--ranks", 2), ("--rows", 600_000), ("--dimensions", 64), ("-k", 4000), ("--iterations", 8), ("--runs", 5)):
        parser.add_argument(name, type=int, default=value)
    asked = parser.parse_args()
    program = os.path.realpath(os.environ["BOWHIST"])
    ranks = str(asked.ranks)
    train = [program, "train", "-q", "--kernel", "simd", "--sample", "0", "-k", str(asked.k), "--iterations", str(asked.iterations),
             "-o", "v.bin", "rows.npy", "-j"]
    launch = ["mpirun", "-n", ranks]
    ways = {"one": (f"1 process, {ranks} threads", [*train, ranks]),
            "many": (f"{ranks} ranks, 1 thread each", [*launch, *train, "1"]),
            "launcher": (f"mpirun -n {ranks} true", [*launch, "true"]),
            "start of many": (f"mpirun -n {ranks} bowhist --version", [*launch, program, "--version"]),
            "start of one": ("bowhist --version", [program, "--version"])}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_rows(folder / "rows.npy", asked)
        seconds = {way: [] for way in ways}
        hashes = set()
        for _ in range(asked.runs):
            for way, (_, command) in ways.items():
                seconds[way].append(seconds_of(command, folder))
                hashes.add(hashlib.sha256((folder / "v.bin").read_bytes()).hexdigest())
    for way, (line, _) in ways.items():
        show(line, seconds[way], " s", 2)
    rounds = list(zip(*(seconds[way] for way in ways)))
    show("speed of the ranks, of one process", [one / many for one, many, *_ in rounds], "", 3)
    show("without the start of each", [(one - of_one) / (many - of_many) for one, many, _, of_many, of_one in rounds], "", 3)
    print(f"sha256 {'equal' if len(hashes) == 1 else 'DIFFERS'}")


if __name__ == "__main__":
    main()
