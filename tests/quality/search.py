"""How well a library's search finds pictures of the same scene: mAP and top-1.

    search.py BOWHIST FOLDER [--seeds 1 2 3]

Each sub-folder of FOLDER is a scene; those whose names begin with _ only distract. Every picture of
a scene of at least two is a query. Its own picture is no result. Libraries are made anew, one a
seed; the figures are their mean, with the lowest and the highest.
"""
import argparse
import csv
import io
import pathlib
import subprocess
import tempfile

WAYS = {"words": ["--by", "words"], "code": ["--by", "code"], "both": ["--by", "both"], "both --check": ["--by", "both", "--check"]}


def average_precision(hits, relevant):
    found, total = 0, 0.0
    for rank, hit in enumerate(hits, 1):
        if hit:
            found += 1
            total += found / rank
    return total / relevant


def scene(path):
    return pathlib.Path(path).parent.name


def figures(program, library, options):
    """mAP, top-1 and the number of queries."""
    done = subprocess.run([program, "search", library, "--all", "--top", "100000", *options], check=True, capture_output=True)
    answers = {}
    for row in csv.DictReader(io.StringIO(done.stdout.decode(errors="surrogateescape"))):
        answers.setdefault(row["query"], []).append(row["image"])
    precisions, firsts = [], []
    for query, found in answers.items():
        hits = [scene(image) == scene(query) for image in found]
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
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        libraries = []
        for seed in asked.seeds:
            libraries.append(str(pathlib.Path(asked.keep or scratch) / f"r{seed}.bow"))
            if not pathlib.Path(libraries[-1]).exists():
                subprocess.run([asked.program, "index", "-q", "-o", libraries[-1], "--seed", seed, asked.folder], check=True)
        for way, options in WAYS.items():
            all_figures = [figures(asked.program, library, options) for library in libraries]
            maps, firsts, counts = zip(*all_figures)
            mean = lambda values: sum(values) / len(values)
            print(f"{way:13} mAP {mean(maps):.3f} ({min(maps):.3f} to {max(maps):.3f}), top-1 {mean(firsts):.3f} "
                  f"({min(firsts):.3f} to {max(firsts):.3f}), {counts[0]} queries", flush=True)


if __name__ == "__main__":
    main()
