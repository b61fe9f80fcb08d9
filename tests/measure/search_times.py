#!/usr/bin/env python3
"""What a search by words costs beside other programs, in one interleaved run.

    tests/measure/search_times.py --histograms h.npz [--images 1000000] [--rounds 5] [--codes] [--device gpu] [--peers]

h.npz holds histograms of real pictures (counts, no --normalize), from which images are drawn. --peers adds plain
posting lists, scipy's sparse product with a partial sort, and sparse_dot_topn with two threads, where they are
installed. Prints medians of the rounds, with their range, and the ratios to ours round by round.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

from measuring import with_range

TOP = 50


class Ours:
    def __init__(self, call, folder):
        command = [call.program, "--histograms", call.histograms, "--images", str(call.images)]
        command += ["--codes"] if call.codes else []
        command += ["--device", call.device] if call.device else []
        command += ["--lists", "--write", folder] if call.peers else []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while (line := self.process.stdout.readline()) != "ready\n":
            if not line:
                sys.exit("search_times failed")
            print(line, end="", flush=True)

    def seconds(self, way, queries):
        print(way, queries, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def same(self):
        print("same", file=self.process.stdin, flush=True)
        self.process.stdin.close()
        print("".join(f"same answers by {line}" for line in self.process.stdout), end="")


def rows(folder, name, words):
    import numpy
    import scipy.sparse
    starts, columns, values = (numpy.load(pathlib.Path(folder, f"{name}_{part}.npy")) for part in ("starts", "columns", "values"))
    return scipy.sparse.csr_matrix((values, columns, starts), shape=(len(starts) - 1, words))


def peers(folder, words):
    """Each a function of the number of queries."""
    import numpy
    images, queries = rows(folder, "images", words).T.tocsr(), rows(folder, "queries", words)

    def scipy_product(count):
        scores = (queries[:count] @ images).tocsr()
        for row in range(count):
            values = scores.data[scores.indptr[row]:scores.indptr[row + 1]]
            numpy.argpartition(-values, TOP)[:TOP]

    found = {"scipy": scipy_product}
    try:
        from sparse_dot_topn import sp_matmul_topn
        found["sparse_dot_topn"] = lambda count: sp_matmul_topn(queries[:count], images, top_n=TOP, n_threads=2)
    except ImportError:
        print("sparse_dot_topn is not installed: left out")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/ci/bin/search_times")
    parser.add_argument("--histograms", required=True)
    parser.add_argument("--images", type=int, default=1_000_000)
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--codes", action="store_true")
    parser.add_argument("--device")
    parser.add_argument("--peers", action="store_true")
    call = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(call, folder)
        ways = ["host"] + (["device"] if call.device else []) + (["lists"] if call.peers and not call.codes else [])
        others = peers(folder, call.words) if call.peers else {}
        for queries in 100, 16, 1:
            seconds = {way: [] for way in [*ways, *others]}
            for _ in range(call.rounds + 1):
                for way in ways:
                    seconds[way].append(ours.seconds(way, queries))
                for name, search in others.items():
                    start = time.perf_counter()
                    search(queries)
                    seconds[name].append(time.perf_counter() - start)
            for way, times in seconds.items():
                ratios = [other / host for other, host in zip(times[1:], seconds["host"][1:])]
                print(f"{queries:4} queries, {way:16} {with_range(times[1:], 4)} s, / ours {with_range(ratios, 1)}", flush=True)
        ours.same()


if __name__ == "__main__":
    main()
