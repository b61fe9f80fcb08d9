"""How well a library's search finds pictures of the same scene: mAP and top-1.

    search.py BOWHIST FOLDER [--seeds 1 2 3] [--keep LIBRARIES] [--without GLOB]

Each sub-folder of FOLDER is a scene; those whose names begin with _ only distract. Every picture of
a scene of at least two is a query. Its own picture is no result. Libraries are made anew, one a
seed; the figures are their mean, with the lowest and the highest.

"float64" is the same score from exported rows without whole numbers: cosines of the square roots of
counts and of codes, 0.7 and 0.3 of them.
"""
import argparse
import csv
import fnmatch
import io
import pathlib
import subprocess
import tempfile

import numpy

NORMALIZATIONS = ("none", "hellinger", "tfidf", "bm25")
WAYS = {"code": ["--by", "code"],
        **{f"words, {how}": ["--by", "words", "--normalize", how] for how in NORMALIZATIONS},
        **{f"both, {how}": ["--by", "both", "--normalize", how] for how in NORMALIZATIONS},
        **{f"--check, {how}": ["--by", "both", "--check", "--normalize", how] for how in NORMALIZATIONS}}


def average_precision(hits, relevant):
    found, total = 0, 0.0
    for rank, hit in enumerate(hits, 1):
        if hit:
            found += 1
            total += found / rank
    return total / relevant


def scene(path):
    return pathlib.Path(path).parent.name


def answers_of(program, library, options):
    """Of each query the other pictures, the best first."""
    done = subprocess.run([program, "search", library, "--all", "--top", "100000", *options], check=True, capture_output=True)
    answers = {}
    for row in csv.DictReader(io.StringIO(done.stdout.decode(errors="surrogateescape"))):
        answers.setdefault(row["query"], []).append(row["image"])
    return answers


def exported(program, library, what, entry):
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([program, "export", library, "--what", what, "-q", "-o", f"{scratch}/e.npz"], check=True)
        with numpy.load(f"{scratch}/e.npz") as file:
            return [str(name) for name in file["images"]], file[entry].astype(numpy.float64)


def float_answers(program, library):
    """As answers_of, by words, by both."""
    names, counts = exported(program, library, "words", "histograms")
    _, codes = exported(program, library, "code", "rows")
    unit = lambda rows: rows / numpy.maximum(numpy.sqrt((rows * rows).sum(1, keepdims=True)), 1e-300)
    roots, codes = unit(numpy.sqrt(counts)), unit(codes)
    words = roots @ roots.T
    ways = {}
    for way, scores in {"words": words, "both": 0.7 * words + 0.3 * (codes @ codes.T)}.items():
        order = numpy.argsort(-scores, axis=1, kind="stable")
        ways[way] = {names[q]: [names[i] for i in order[q] if i != q] for q in range(len(names))}
    return ways


def figures(answers, left_out):
    """mAP, top-1 and the number of queries."""
    precisions, firsts = [], []
    for query, found in answers.items():
        hits = [scene(image) == scene(query) for image in found if not fnmatch.fnmatch(image, left_out)]
        if scene(query).startswith("_") or not any(hits):
            continue
        precisions.append(average_precision(hits, sum(hits)))
        firsts.append(hits[0])
    return sum(precisions) / len(precisions), sum(firsts) / len(firsts), len(precisions)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seeds", nargs="+", default=["1", "2", "3"])
    parser.add_argument("--keep", help="folder of libraries, which are made where they are not there")
    parser.add_argument("--without", default="", help="results that do not count: a mislabelled picture")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        libraries = []
        for seed in asked.seeds:
            libraries.append(str(pathlib.Path(asked.keep or scratch) / f"r{seed}.bow"))
            if not pathlib.Path(libraries[-1]).exists():
                subprocess.run([asked.program, "index", "-q", "-o", libraries[-1], "--seed", seed, asked.folder], check=True)
        floats = [float_answers(asked.program, library) for library in libraries]
        ways = [(f"{way}, float64", [answers[way] for answers in floats]) for way in floats[0]]
        for way, options in WAYS.items():
            ways.append((way, [answers_of(asked.program, library, options) for library in libraries]))
        for way, answers in ways:
            maps, firsts, counts = zip(*(figures(some, asked.without) for some in answers))
            mean = lambda values: sum(values) / len(values)
            print(f"{way:18} mAP {mean(maps):.4f} ({min(maps):.4f} to {max(maps):.4f}), top-1 {mean(firsts):.3f} "
                  f"({min(firsts):.3f} to {max(firsts):.3f}), {counts[0]} queries", flush=True)


if __name__ == "__main__":
    main()
