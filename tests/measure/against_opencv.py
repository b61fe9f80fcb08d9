#!/usr/bin/env python3
"""How many pictures a second, against OpenCV's own pipeline, in one interleaved run.

    tests/measure/against_opencv.py [--rounds 7] [--build build/ci] FOLDER...

For each folder: learns a vocabulary of 256 words from it, then runs in turn
    bowhist --centroids c.bin --extractor akaze --kernel auto
    opencv_pipeline (detect, BOWImgDescriptorExtractor, BFMatcher)
on the same pictures at the same size, and prints the median and the range of pictures a second of
each, and of the ratio. Whole processes are timed, start included. Build the peer first:
    cmake --build build/ci --target opencv_pipeline
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

MAX_SIDE = 1024  # bowhist's default


def pictures_in(folder):
    endings = {".jpg", ".jpeg", ".png", ".webp"}
    return sorted(str(p) for p in pathlib.Path(folder).rglob("*") if p.suffix.lower() in endings)


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def describe(values):
    return f"{statistics.median(values):7.2f} ({min(values):.2f} … {max(values):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--build", default="build/ci")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    bowhist, peer = f"{options.build}/bin/bowhist", f"{options.build}/bin/opencv_pipeline"
    with tempfile.TemporaryDirectory() as scratch:
        for folder in options.folders:
            pictures = pictures_in(folder)
            centroids = f"{scratch}/c.bin"
            subprocess.run([bowhist, "train", "-q", "-k", "256", "--extractor", "akaze", "-o", centroids, *pictures], check=True)
            ours_command = [bowhist, "--centroids", centroids, "--extractor", "akaze", "--kernel", "auto",
                            "--max-side", str(MAX_SIDE), *pictures]
            peer_command = [peer, centroids, str(MAX_SIDE), *pictures]
            ours, theirs, ratios = [], [], []
            for _ in range(options.rounds):
                ours.append(len(pictures) / seconds(ours_command))
                theirs.append(len(pictures) / seconds(peer_command))
                ratios.append(ours[-1] / theirs[-1])
            print(f"{folder}: {len(pictures)} pictures, {options.rounds} rounds, median (range)")
            print(f"   bowhist   {describe(ours)} pictures/s")
            print(f"   OpenCV    {describe(theirs)} pictures/s")
            print(f"   ratio     {describe(ratios)}", flush=True)


if __name__ == "__main__":
    main()
