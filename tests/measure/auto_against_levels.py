#!/usr/bin/python3
"""The whole run with --kernel auto beside simd and gpu7, for few and for many small pictures.

    auto_against_levels.py BOWHIST FOLDER [--counts 747,8964] [--rounds 7]

FOLDER holds pictures; they are copied over and over until there are enough. Each round runs all three levels
in turn, once with an empty cache of bowhist's for each run and once with one that stays. Prints medians, and
auto's time over the better one's.
"""
import argparse
import itertools
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from measuring import pictures_in, seconds_of, with_range

LEVELS = ("simd", "gpu7", "auto")


def copies(pictures, count, folder):
    """`count` pictures in a folder, the same ones over and over."""
    folder.mkdir()
    for number, picture in zip(range(count), itertools.cycle(pictures)):
        shutil.copy(picture, folder / f"{number:06}{pathlib.Path(picture).suffix}")
    return folder


def measure(program, vocabulary, folder, scratch, rounds):
    """Seconds by (cache, level), a list each."""
    seconds = {}
    rows = scratch / "rows.csv"
    kept = {}
    for turn in range(rounds + 1):
        for cache, level in itertools.product(("empty", "warm"), LEVELS):
            call = [program, "--centroids", vocabulary, "--kernel", level, "-q", "-o", rows, folder]
            where = pathlib.Path(tempfile.mkdtemp(dir=scratch)) if cache == "empty" else scratch / "cache"
            spent = seconds_of(call, env={**os.environ, "XDG_CACHE_HOME": str(where)})
            if turn > 0:  # the first round fills the warm cache
                seconds.setdefault((cache, level), []).append(spent)
            if kept.setdefault("rows", rows.read_bytes()) != rows.read_bytes():
                sys.exit(f"{level} wrote other rows")
    return seconds


def print_table(count, seconds):
    for cache in ("empty", "warm"):
        medians = {level: statistics.median(seconds[cache, level]) for level in LEVELS}
        ratio = medians["auto"] / min(medians["simd"], medians["gpu7"])
        cells = " | ".join(with_range(seconds[cache, level], 3) for level in LEVELS)
        print(f"| {count} | {cache} | {cells} | {ratio:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--counts", default="747,8964")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    listed = subprocess.run([options.program, "kernels"], capture_output=True, text=True).stdout
    if "gpu7" not in listed or "not here" in listed.split("gpu7", 1)[1].split("\nauto", 1)[0]:
        sys.exit("skipped: gpu7 does not run here")
    pictures = pictures_in(options.folder, (".jpg", ".jpeg", ".pgm"))  # that every build reads
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        vocabulary = scratch / "c.bin"
        subprocess.run([options.program, "train", "-q", "-k", "256", "--kernel", "simd", "-o", vocabulary, *pictures[:100]], check=True)
        print("| pictures | cache | simd, s | gpu7, s | auto, s | auto over the better |\n| -: | - | -: | -: | -: | -: |")
        for count in map(int, options.counts.split(",")):
            folder = copies(pictures, count, scratch / str(count))
            print_table(count, measure(options.program, vocabulary, folder, scratch, options.rounds))
            shutil.rmtree(folder)


main()
