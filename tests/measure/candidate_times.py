#!/usr/bin/env python3
"""What the search for candidates of copies costs, by the number of images.

    tests/measure/candidate_times.py HISTOGRAMS [--program build/ci/bin/search_times] [--images 10000,30000,100000] [--rounds 3] [--share 1.2] [--batches 0]

HISTOGRAMS (.npz) are counts of real pictures (`bowhist export photos.bow -o h.npz`), from which images are drawn; codes
are drawn at random. All images are compared with each other by words and by codes; by words with mirror images takes as
long as by words: a drawn image takes the place of its mirror image. Draws repeat; with a share of 1.2 a drawn image has
about as many words as a real one. Prints processor milliseconds an image, medians of
the rounds with their range. Of 10⁶ images all pairs take an hour of processors: --batches 16 compares 16 times 512
images with all instead, and wants no result, so it shows what adding up bitmaps costs, and not what is looked at then.
"""
import argparse
import statistics
import subprocess
import sys

from measuring import with_range

LIMITS = {"words": 21, "codes": 12}  # of `duplicates`


def milliseconds(call, images, by):
    """Of each round, all threads, for one image."""
    process = subprocess.Popen([call.program, "--histograms", call.histograms, "--images", images, "--by", by, "--top", str(LIMITS[by]),
                                "--share", str(call.share)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while (line := process.stdout.readline()) != "ready\n":
        if not line:
            sys.exit("search_times failed")
    taken = []
    for _ in range(call.rounds):
        print("mutual", call.batches, file=process.stdin, flush=True)
        taken.append(float(process.stdout.readline()))
    process.stdin.close()
    process.wait()
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("histograms")
    parser.add_argument("--program", default="build/ci/bin/search_times")
    parser.add_argument("--images", default="10000,30000,100000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--share", type=float, default=1.2, help="words drawn, of those of a real image")
    parser.add_argument("--batches", type=int, default=0)
    call = parser.parse_args()
    for images in call.images.split(","):
        taken = {}
        for by in LIMITS:
            taken[by] = milliseconds(call, images, by)
            print(f"{images} images by {by}: {with_range(taken[by], 3)} ms", flush=True)
        all_three = 2 * statistics.median(taken["words"]) + statistics.median(taken["codes"])
        print(f"{images} images, all three searches: {all_three:.3f} ms", flush=True)


if __name__ == "__main__":
    main()
