#!/usr/bin/env python3
"""What a search of a library of drawn images costs, process start included, and what its index costs.

    tests/measure/search_library.py BOWHIST SEARCH_LIBRARY MODELS HISTOGRAMS LIBRARY [IMAGES]

SEARCH_LIBRARY is the program that `--target measure` builds. It makes LIBRARY with IMAGES images (a million) in pieces
of its own, appends a thousand twice, and prints the seconds. MODELS is a library of 10 000 words, HISTOGRAMS (.npz) are
counts of real pictures. Then searches run one after the other, each a process. Prints medians with their range.
"""
import pathlib
import resource
import sqlite3
import subprocess
import sys
import time

from measuring import with_range


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    program, maker, models, histograms, library = sys.argv[1:6]
    images = sys.argv[6] if len(sys.argv) > 6 else "1000000"
    if not pathlib.Path(library).exists():
        subprocess.run([maker, library, models, images, "1000", "1000", "--histograms", histograms], check=True)
    with sqlite3.connect(library) as opened:
        for table in "segments", "postings", "code_blocks":
            size, = opened.execute("SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE AND name = ?", (table,)).fetchone()
            print(f"{table}: {size / int(images):.0f} bytes an image")
    for by in "words", "code", "both":
        walls, cpus = [], []
        for query in range(12):
            cpu, start = cpu_seconds(), time.perf_counter()
            subprocess.run([program, "search", "-q", library, f"drawn/{query:08}.jpg", "--by", by], stdout=subprocess.DEVNULL, check=True)
            walls.append(time.perf_counter() - start)
            cpus.append(cpu_seconds() - cpu)
        print(f"one query by {by}: {with_range(walls[1:], 3)} s, CPU {with_range(cpus[1:], 3)} s", flush=True)


if __name__ == "__main__":
    main()
