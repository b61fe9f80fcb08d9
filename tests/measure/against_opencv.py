#!/usr/bin/env python3
"""How many pictures a second, against OpenCV's own pipelines, in one interleaved run.

    tests/measure/against_opencv.py [--extractor dense]... [--peers akaze,kaze] [--rounds 7] [--build build/ci] FOLDER...

For each folder: learns vocabularies of 256 words from it, then runs in turn
    bowhist --centroids c.bin                 for each --extractor with its options, "surf --threshold 5"
    opencv_pipeline                           for each peer: detect, BOWImgDescriptorExtractor, BFMatcher
on the same pictures at the same size, and prints the median and the range of pictures a second of
each, and of the ratio to each peer. Whole processes are timed, start included. Build the peer first:
    cmake --build build/ci --target opencv_pipeline
"""
import argparse
import itertools
import shlex
import subprocess
import tempfile

from measuring import pictures_in, seconds_of, with_range

MAX_SIDE = 1024


def measure(options, pictures, scratch):
    """Of each extractor and each peer, pictures a second, a value a round."""
    bowhist, peer = f"{options.build}/bin/bowhist", f"{options.build}/bin/opencv_pipeline"
    commands = {}

    def learn(extractor):
        centroids = f"{scratch}/{len(commands)}.bin"
        subprocess.run([bowhist, "train", "-q", "-k", "256", "--sample", "300000", "-o", centroids,
                        "--max-side", str(MAX_SIDE), "--extractor", *shlex.split(extractor), *pictures], check=True)
        return centroids

    for extractor in options.extractor or ["dense"]:
        commands[f"bowhist {extractor}"] = [bowhist, "-q", "--centroids", learn(extractor), "--max-side", str(MAX_SIDE),
                                            *pictures]
    for name in options.peers.split(","):
        commands[f"OpenCV {name}"] = [peer, name, learn(name), str(MAX_SIDE), *pictures]
    rates = {name: [] for name in commands}
    for _ in range(options.rounds):
        for name, command in commands.items():
            rates[name].append(len(pictures) / seconds_of(command))
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extractor", action="append")
    parser.add_argument("--peers", default="akaze,kaze")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", default="build/ci")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    for folder in options.folders:
        pictures = pictures_in(folder)
        with tempfile.TemporaryDirectory() as scratch:
            rates = measure(options, pictures, scratch)
        print(f"{folder}: {len(pictures)} pictures, {options.rounds} rounds, median (range)")
        for name, values in rates.items():
            print(f"   {name:44} {with_range(values)} pictures/s")
        for name, peer in itertools.product(rates, rates):
            if name.startswith("bowhist") and peer.startswith("OpenCV"):
                print(f"   {name + ' / ' + peer:44} {with_range([a / b for a, b in zip(rates[name], rates[peer])])}")
        print(end="", flush=True)


if __name__ == "__main__":
    main()
