#!/usr/bin/env python3
"""What a search costs beside other programs, in one interleaved run.

    tests/measure/search_times.py --histograms h.npz [--images 1000000] [--rounds 7] [--by codes] [--device gpu] [--peers]

h.npz holds histograms of real pictures (counts, no --normalize), from which images are drawn. --peers adds by words
plain posting lists, scipy's sparse product with a partial sort, and sparse_dot_topn; by codes FAISS's flat indexes of
float32 and of 8 bits; with two threads, those that are installed. Prints medians of the rounds, with their range, the
ratios to ours round by round, and how many results of the others differ from ours by more than their rounding.
Processor seconds of both threads, halved (scipy has one), are shown beside the clock: on a busy machine they are
steadier. With --peers by words, 10⁶ images of 484 words take about 10 GB of memory, and 4 GB of files in --folder.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from measuring import with_range

TOP = 50
ROUNDING = 2e-6  # of scores in float32, of 1


class Ours:
    def __init__(self, call, folder):
        command = [call.program, "--histograms", call.histograms, "--images", str(call.images), "--share", str(call.share)]
        command += ["--by", call.by]
        command += ["--device", call.device] if call.device else []
        command += ["--lists"] if call.peers and call.by == "words" else []
        command += ["--write", folder] if call.peers else []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while (line := self.process.stdout.readline()) != "ready\n":
            if not line:
                sys.exit("search_times failed")
            print(line, end="", flush=True)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        return self.process.stdout.readline()

    def seconds(self, way, queries):
        clock, processor = map(float, self.ask(way, queries).split())
        return clock, processor / 2

    def answers(self):
        """Of each query its images with their scores."""
        return [dict((int(image), float(score)) for image, score in (pair.split(":") for pair in query.split()))
                for query in self.ask("answers", 100).split(";")]

    def same(self):
        print("same", file=self.process.stdin, flush=True)
        self.process.stdin.close()
        print("".join(f"same answers by {line}" for line in self.process.stdout), end="")


def read(folder, name):
    import numpy
    return numpy.load(pathlib.Path(folder, name + ".npy"), mmap_mode="r")


def rows(folder, name, words):
    import scipy.sparse
    starts, columns, values = (read(folder, f"{name}_{part}") for part in ("starts", "columns", "values"))
    return scipy.sparse.csr_matrix((values, columns, starts), shape=(len(starts) - 1, words))


def peers_by_words(folder, words):
    """Each a function of the number of queries, which finds pairs of an image and its score."""
    import numpy
    images, queries = rows(folder, "images", words).T.tocsr(), rows(folder, "queries", words)

    def scipy_product(count):
        scores = (queries[:count] @ images).tocsr()
        found = []
        for row in range(count):
            part = slice(scores.indptr[row], scores.indptr[row + 1])
            values, columns = scores.data[part], scores.indices[part]
            best = numpy.argpartition(-values, TOP)[:TOP]
            found.append(list(zip(columns[best], values[best])))
        return found

    found = {"scipy": scipy_product}
    try:
        from sparse_dot_topn import sp_matmul_topn

        def topn(count):
            scores = sp_matmul_topn(queries[:count], images, top_n=TOP, n_threads=2)
            return [list(zip(scores.indices[a:b], scores.data[a:b])) for a, b in zip(scores.indptr, scores.indptr[1:])]

        found["sparse_dot_topn"] = topn
    except ImportError:
        print("sparse_dot_topn is not installed: left out")
    return found


def peers_by_codes(folder):
    import numpy
    try:
        import faiss
    except ImportError:
        print("faiss is not installed: left out")
        return {}
    faiss.omp_set_num_threads(2)
    images, queries = (read(folder, name).reshape(-1, 128).astype(numpy.float32) for name in ("images_codes", "queries_codes"))
    for codes in images, queries:
        codes /= numpy.linalg.norm(codes, axis=1, keepdims=True)

    def searched(index):
        def search(count):
            scores, found = index.search(queries[:count], TOP)
            return [list(zip(*pair)) for pair in zip(found, scores)]
        return search

    found = {}
    quantized = faiss.IndexScalarQuantizer(128, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
    quantized.train(images)
    for name, index in ("faiss flat", faiss.IndexFlatIP(128)), ("faiss 8 bits", quantized):
        index.add(images)
        found[name] = searched(index)
    return found


def differences(expected, found):
    """Results that are not ours, and do not tie with our last one by the rounding."""
    wrong = 0
    for ours, pairs in zip(expected, found):
        last = min(ours.values())
        wrong += sum(image not in ours and score < last - ROUNDING or image not in ours and score > last + ROUNDING
                     for image, score in pairs)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/ci/bin/search_times")
    parser.add_argument("--histograms", required=True)
    parser.add_argument("--images", type=int, default=1_000_000)
    parser.add_argument("--share", type=float, default=1.5, help="words drawn, of those of a real image")
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--by", choices=("words", "codes", "both"), default="words")
    parser.add_argument("--device")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--folder", help="for files that end with the run")
    call = parser.parse_args()
    print("load", *os.getloadavg())
    with tempfile.TemporaryDirectory(dir=call.folder) as folder:
        ours = Ours(call, folder)
        ways = ["host"] + (["device"] if call.device else [])
        others = {}
        if call.peers and call.by == "words":
            ways.append("lists")
            others = peers_by_words(folder, call.words)
        if call.peers and call.by == "codes":
            others = peers_by_codes(folder)
        if others:
            expected = ours.answers()
            for name, search in others.items():
                print(f"{name}: {differences(expected, search(100))} of {100 * TOP} results differ", flush=True)
        for queries in 100, 16, 1:
            seconds = {way: [] for way in [*ways, *others]}
            for _ in range(call.rounds + 1):
                for way in ways:
                    seconds[way].append(ours.seconds(way, queries))
                for name, search in others.items():
                    start, used = time.perf_counter(), time.process_time()
                    search(queries)
                    threads = 1 if name == "scipy" else 2
                    seconds[name].append((time.perf_counter() - start, (time.process_time() - used) / threads))
            for way, times in seconds.items():
                shown = []
                for kind in 0, 1:
                    taken = [time[kind] for time in times[1:]]
                    ratios = [other / host[kind] for other, host in zip(taken, seconds["host"][1:])]
                    shown.append(f"{with_range(taken, 4)} s, / ours {with_range(ratios, 1)}")
                print(f"{queries:4} queries, {way:16} {shown[0]}; processors {shown[1]}", flush=True)
        ours.same()
    print("load", *os.getloadavg())


if __name__ == "__main__":
    main()
