#!/usr/bin/env python3
"""What groups cost: seconds, processor seconds and memory of `bowhist cluster`, a line for each method and number of rows.

    tests/measure/group_times.py [--bowhist build/ci/bin/bowhist] [--rows 20000,100000] [--methods leiden,ward]
                               [--rounds 3] [--codes] [--kernel simd]

Rows have 128 values around 60 places, as codes of images have; with --codes they are codes of 8 bits, and an archive.
A million codes to their end, once: --codes --rows 1000000 --methods leiden --rounds 1 --kernel simd. Each round runs all methods in turn; the table has the
medians, with the range, reading and writing included.
"""
import argparse
import pathlib
import statistics
import tempfile

import numpy

from measuring import cost_of


def write_rows(path, count, codes):
    random = numpy.random.default_rng(1)
    places = random.normal(size=(60, 128)).astype("<f4")
    rows = numpy.lib.format.open_memmap(path, "w+", "|i1" if codes else "<f4", (count, 128))
    for first in range(0, count, 1 << 16):
        part = rows[first:first + (1 << 16)]
        values = 2 * places[random.integers(0, 60, len(part))] + random.standard_normal(part.shape, "<f4")
        if codes:
            part[:] = numpy.rint(values * (127 / numpy.abs(values).max(axis=1, keepdims=True)))
        else:
            part[:] = numpy.maximum(0, values + 4)


def write_table(folder, count, codes):
    """The file that is grouped: a table alone, or an archive of codes."""
    table = pathlib.Path(folder, "rows.npy")
    write_rows(table, count, codes)
    if not codes:
        return table
    archive = table.with_suffix(".npz")
    numpy.savez(archive, rows=numpy.load(table, mmap_mode="r"), images=numpy.arange(count).astype("U8"))
    table.unlink()
    return archive


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--rows", default="20000,100000")
    parser.add_argument("--methods", default="leiden,kmeans")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--codes", action="store_true")
    parser.add_argument("--kernel", default="auto")
    call = parser.parse_args()
    print("| rows | method | seconds (range) | processor seconds | MiB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for count in map(int, call.rows.split(",")):
            table = write_table(scratch, count, call.codes)
            results = {method: [] for method in call.methods.split(",")}
            for _ in range(call.rounds):
                for method, costs in results.items():
                    number = [] if method == "leiden" else ["-k", "60"]
                    costs.append(cost_of([call.bowhist, "cluster", "-q", "--kernel", call.kernel, "--method", method, *number,
                                          "-o", str(pathlib.Path(scratch, "g.csv")), str(table)]))
            for method, costs in results.items():
                seconds, processor, memory = zip(*costs)
                print(f"| {count} | {method} | {statistics.median(seconds):.2f} ({min(seconds):.2f}–{max(seconds):.2f}) | "
                      f"{statistics.median(processor):.2f} | {max(memory):.0f} |", flush=True)


if __name__ == "__main__":
    main()
