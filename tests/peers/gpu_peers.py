#!/usr/bin/env python3
"""Our device levels beside torch and flash-kmeans, on the same arrays, in turn, on one NVIDIA GPU.

    tests/peers/gpu_peers.py [--bowhist build/release/bin/bowhist] [--levels gpu6,gpu7] [-n 1048576] [-k 256,1024,...]
                             [--data DESCRIPTORS.npy...] [--centroids 'c{k}.bin'] [--rounds 5] [--sample 65536] [--iterations]

Nearest of k centroids for n descriptors of 64 floats. Torch's and flash-kmeans' time is of CUDA events around enough calls
to fill 20 ms; ours is what `bowhist bench assign` prints, a process each round: also by events, from float32 rows on the
device to words, conversion, proof and decision inside. What the peers may prepare is outside their time: squared norms,
and the conversion to fp16 where that is their input. Rows are drawn around 1000 centres unless --data names
real ones (files end to end, repeated up to n); centroids are rows of them unless --centroids names vocabularies.
--iterations measures whole iterations of k-means instead: the words, the centroids moved there, and the host informed.
flash-kmeans' is what its own training calls, on float32; ours is `bowhist bench train-iteration`, by the clock.
Repeated rows leave words empty, which slows ours; give distinct ones.
Wrong words are counted on the first rows by the rule of docs/words.md, to the letter. What is missing (CUDA, flash-kmeans,
bowhist, its bench) is left out with a word why. `--device cpu` only shows that the script works.
"""
import argparse
import collections
import pathlib
import statistics
import struct
import sys
import tempfile
import time

import numpy

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "measure"))
from gpu_contenders import Bowhist, flash_contenders, rule_words, torch_contenders
from measuring import with_range

ENOUGH_SECONDS = 0.02  # of calls between two events


def draw(n, random):
    centres = random.standard_normal((1000, 64), dtype="f4")
    return centres[random.integers(0, 1000, n)] + 0.5 * random.standard_normal((n, 64), dtype="f4")


def rows_for(options, random):
    if not options.data:
        return draw(options.n, random)
    rows = numpy.concatenate([numpy.load(path) for path in options.data]).astype("<f4")
    print(f"{len(rows)} real descriptors" + (f", repeated up to {options.n}" if len(rows) < options.n else ""))
    return numpy.ascontiguousarray(rows[numpy.arange(options.n) % len(rows)])


def centroids_for(options, rows, k, random):
    if not options.centroids:
        return rows[random.choice(len(rows), k, replace=False)]
    with open(options.centroids.replace("{k}", str(k)), "rb") as file:
        shape = struct.unpack("<II", file.read(8))
        return numpy.frombuffer(file.read(), "<f4").reshape(shape)


def seconds_of(torch, call, repeats):
    if not torch.cuda.is_available():
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        return (time.perf_counter() - start) / repeats
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(repeats // 4 + 1):  # the clock of an idle GPU sinks
        call()
    begin.record()
    for _ in range(repeats):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3 / repeats


def print_table(seconds, wrong, remarks, operations, reference):
    title = f"{reference} is faster by" if reference in seconds else ""
    print(f"{'':30}{'ms, median (range)':>30}{'TFLOP/s':>10}{title:>28}{'wrong words':>13}{'unproven':>10}")
    for name, taken in seconds.items():
        ratio = "–"
        if reference in seconds and name != reference:
            ratio = with_range([theirs / ours for theirs, ours in zip(taken, seconds[reference])], 2)
        print(f"{name:30}{with_range([1e3 * t for t in taken], 3):>30}"
              f"{operations / statistics.median(taken) / 1e12:>10.1f}{ratio:>28}{wrong[name]:>13}{remarks.get(name, ''):>10}")
    sys.stdout.flush()


def measure(torch, options, x, centroids, bowhist):
    k = len(centroids)
    c = torch.from_numpy(centroids.copy()).to(options.device)
    bowhist.vocabulary(centroids)
    contenders = flash_contenders(torch, x, c, options.iterations)
    if not options.iterations:
        contenders = {**torch_contenders(torch, x, c), **contenders}
    expected = rule_words(torch, x[:options.sample], c)
    wrong, repeats = {}, {}
    for name, call in list(contenders.items()):
        try:
            found = call()[:options.sample].cpu().numpy()
        except Exception as error:  # a kernel that does not build here, memory that does not suffice
            print(f"{name}: left out ({error})")
            del contenders[name]
            continue
        wrong[name] = int((found != expected).sum())
        repeats[name] = max(1, round(ENOUGH_SECONDS / seconds_of(torch, call, 3)))
    seconds, remarks = collections.defaultdict(list), {}
    for _ in range(options.rounds):
        for name, call in contenders.items():
            seconds[name].append(seconds_of(torch, call, repeats[name]))
        for level, row in bowhist.bench().items():
            seconds[level].append(row["wall_seconds" if options.iterations else "median_seconds"])
            if row["unproven"] is not None:
                remarks[level] = f"{100 * row['unproven'] / row['n']:.3f} %"
    for level in seconds.keys() - wrong.keys():
        words = bowhist.words(level)
        wrong[level] = "?" if words is None else int((words != expected).sum())
    print(f"\nn = {len(x)}, k = {k}, D = {x.shape[1]}, {options.rounds} rounds; wrong words of {len(expected)}")
    print_table(seconds, wrong, remarks, 2 * x.shape[1] * len(x) * k, options.levels.split(",")[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bowhist", default="build/release/bin/bowhist")
    parser.add_argument("--levels", default="gpu6,gpu7", help="the last is what the others are compared with")
    parser.add_argument("-n", type=int, default=1 << 20)
    parser.add_argument("-k", default="256,1024,4096,16384")
    parser.add_argument("--data", nargs="+")
    parser.add_argument("--centroids", help="files of vocabularies, {k} in the name")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=65536)
    parser.add_argument("--iterations", action="store_true", help="of k-means, instead of assignment")
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    options = parser.parse_args()
    try:
        import torch
    except ImportError as error:
        print(f"skipped: {error}; this needs torch with CUDA")
        return
    if options.device == "cuda" and not torch.cuda.is_available():
        print("skipped: torch finds no CUDA device here")
        return
    random = numpy.random.default_rng(1)
    rows = rows_for(options, random)
    if options.device == "cuda":
        print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    x = torch.from_numpy(rows).to(options.device)
    with tempfile.TemporaryDirectory() as scratch:
        bowhist = Bowhist(options, scratch, rows, rows[:options.sample])
        for k in map(int, options.k.split(",")):
            measure(torch, options, x, centroids_for(options, rows, k, random), bowhist)


if __name__ == "__main__":
    main()
