#!/usr/bin/env python3
"""What the search for candidates of copies costs, by the number of images.

    tests/measure/candidate_times.py HISTOGRAMS [--program build/ci/bin/search_times] [--images 10000,100000,1000000]

HISTOGRAMS (.npz) are counts of real pictures (`bowhist export photos.bow -o h.npz`), from which images are drawn; codes
are drawn at random. An image is searched for by its words, by those of its mirror image, and by its code, 100 images at
a time. A drawn image takes the place of its mirror image: both have as many words. Prints processor milliseconds an
image, medians of the rounds with their range.
"""
import argparse
import statistics
import subprocess
import sys

from measuring import with_range

QUERIES = 100


def milliseconds(call, images, by):
    """Of each round, all threads, for one image."""
    process = subprocess.Popen([call.program, "--histograms", call.histograms, "--images", images, "--by", by],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while (line := process.stdout.readline()) != "ready\n":
        if not line:
            sys.exit("search_times failed")
    taken = []
    for _ in range(call.rounds + 1):
        print("host", QUERIES, file=process.stdin, flush=True)
        taken.append(float(process.stdout.readline().split()[1]) * 1000 / QUERIES)
    process.stdin.close()
    process.wait()
    return taken[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("histograms")
    parser.add_argument("--program", default="build/ci/bin/search_times")
    parser.add_argument("--images", default="10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=5)
    call = parser.parse_args()
    for images in call.images.split(","):
        words, codes = (milliseconds(call, images, by) for by in ("words", "codes"))
        both = 2 * statistics.median(words) + statistics.median(codes)
        print(f"{images} images: words {with_range(words, 3)} ms, code {with_range(codes, 3)} ms, all three searches {both:.3f} ms", flush=True)


if __name__ == "__main__":
    main()
