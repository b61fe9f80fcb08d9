#!/usr/bin/env python3
"""What codes of pictures cost beside histograms: seconds of `bowhist --centroids` for each, in turn, and their ratio.

    tests/measure/code_times.py [--bowhist build/ci/bin/bowhist] [--rounds 7] [--more-recipes] FOLDER

Learns a model (train --model vlad) and a vocabulary of 1024 words of `dense` from the folder, both by their defaults, and
encodes the folder by each in turn. Prints milliseconds a picture, by the clock and of the processor, the medians with
their range, and the median of the rounds' ratios. --more-recipes also has histograms of the model's patches and step, with
and without its preparation, and rows of --reduce 0. --kernel simd by default, on all cores.
"""
import argparse
import pathlib
import subprocess
import tempfile

from measuring import cost_of, pictures_in, with_range

SIX = ["--patches", "8,16,24,32,48,64", "--step", "8"]
RECIPES = {"histograms": ["-k", "1024"], "codes": ["--model", "vlad"]}
MORE = {"histograms of six patches": ["-k", "1024", *SIX],
        "the same, prepared": ["-k", "1024", *SIX, "--prepare", "root,whiten:48,position,scale,contrast,mirror"],
        "rows": ["--model", "vlad", "--reduce", "0"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kernel", default="simd")
    parser.add_argument("--more-recipes", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    call = parser.parse_args()
    pictures = len(pictures_in(call.folder))
    costs = {name: [] for name in {**RECIPES, **(MORE if call.more_recipes else {})}}
    with tempfile.TemporaryDirectory() as scratch:
        for number, name in enumerate(costs):
            options = {**RECIPES, **MORE}[name]
            file = pathlib.Path(scratch, f"{number}.npz" if "vlad" in options else f"{number}.bin")
            subprocess.run([call.bowhist, "train", "-q", *options, "-o", file, call.folder], check=True)
            costs[name] = (file, [])
        for _ in range(call.rounds):
            for file, rounds in costs.values():
                rounds.append(cost_of([call.bowhist, "-q", "--kernel", call.kernel, "--centroids", file,
                                       "-o", pathlib.Path(scratch, "rows.npz"), call.folder]))
    base = costs["histograms"][1]
    print(f"{pictures} pictures; milliseconds a picture, and times those of histograms\n"
          "| | by the clock | times | of the processor | times |\n|---|---|---|---|---|")
    for name, (_, rounds) in costs.items():
        columns = []
        for unit in (0, 1):
            columns.append(with_range([1000 * spent[unit] / pictures for spent in rounds]))
            columns.append(with_range([spent[unit] / other[unit] for spent, other in zip(rounds, base)]))
        print(f"| {name} | {' | '.join(columns)} |")


if __name__ == "__main__":
    main()
