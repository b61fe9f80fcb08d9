#!/usr/bin/env python3
"""The graph of 10 nearest neighbors beside FAISS's flat indexes, of the same codes: a table, and status 1 where ours is slower.

    tests/peers/faiss_graph.py [--graph-times build/ci/bin/graph_times] [--rows 20000] [--rounds 7] [--threads 2] [--venv DIR]

Ours: nearest_neighbors() on the host, exact. FAISS: IndexFlatIP in float32 on the codes at unit length, and its 8-bit scalar
quantizer on the same, both searched for 11 neighbors, each row's own among them; filling an index is outside the time.
All take their turn in every round; ratios are taken within a round first. FAISS comes from PyPI (faiss-cpu) into a virtual
environment; where that cannot be, it says why, with status 77. graph_times: cmake --build build/ci --target graph_times
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from environment import enter

NEIGHBORS = 10


def ours(call):
    """Seconds of a warm run in a process of its own."""
    command = ["taskset", "-c", f"0-{call.threads - 1}", call.graph_times, str(call.rows), "1", "host"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(re.search(r"^ *host +([0-9.]+)", printed, re.M)[1])


def indexes(faiss, codes):
    flat = faiss.IndexFlatIP(codes.shape[1])
    bytewise = faiss.IndexScalarQuantizer(codes.shape[1], faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    bytewise.train(codes)
    for index in (flat, bytewise):
        index.add(codes)
    return {"FAISS IndexFlatIP": flat, "FAISS 8-bit scalar quantizer": bytewise}


def measured(call):
    import faiss
    import numpy

    faiss.omp_set_num_threads(call.threads)
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch, "codes.i8")
        subprocess.run([call.graph_times, str(call.rows), "save", str(file)], check=True)
        codes = numpy.fromfile(file, "i1").reshape(call.rows, -1).astype("<f4")
    codes /= numpy.linalg.norm(codes, axis=1, keepdims=True)
    peers = indexes(faiss, codes)
    seconds = {"bowhist": []} | {name: [] for name in peers}
    for index in peers.values():
        index.search(codes[:1000], NEIGHBORS + 1)
    for _ in range(call.rounds):
        seconds["bowhist"].append(ours(call))
        for name, index in peers.items():
            start = time.perf_counter()
            index.search(codes, NEIGHBORS + 1)
            seconds[name].append(time.perf_counter() - start)
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph-times", default="build/ci/bin/graph_times")
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir(), "bowhist-faiss"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    call = parser.parse_args()
    if not call.inside:
        enter(call.venv, "numpy", "faiss-cpu")
    seconds = measured(call)
    print(f"{call.rows} codes, {NEIGHBORS} neighbors, {call.threads} threads\n")
    print("| | seconds (range) | times bowhist's (range) |\n|---|---|---|")
    slower = False
    for name, values in seconds.items():
        ratios = [value / own for value, own in zip(values, seconds["bowhist"])]
        slower |= statistics.median(ratios) < 1
        print(f"| {name} | {statistics.median(values):.3f} ({min(values):.3f}–{max(values):.3f}) | "
              f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}) |")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
