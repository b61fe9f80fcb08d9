"""A library of many images: what an update of unchanged ones costs, and of a thousand new ones.

    tests/measure/library_million.py BOWHIST FOLDER [IMAGES]

Makes IMAGES files (a million) in FOLDER, which needs 4 KB for each: copies of a thousand small
images, in folders of a thousand. Indexes them with small models, then brings the library up to date
again and again. FOLDER stays, so that a second run begins at once; its library is made again.
"""
import pathlib
import resource
import subprocess
import sys
import time

import numpy

KINDS = 1000


def picture(seed):
    random = numpy.random.default_rng(seed)
    pixels = numpy.full((48, 64), 128, numpy.uint8)
    for _ in range(24):
        x, y = random.integers(0, 60), random.integers(0, 44)
        w, h = random.integers(3, 16, 2)
        pixels[y : y + h, x : x + w] = random.integers(0, 256)
    return b"P5\n64 48\n255\n" + pixels.tobytes()


def make(folder, images):
    kinds = [picture(seed) for seed in range(KINDS)]
    for first in range(0, images, KINDS):
        below = folder / f"{first // KINDS:04d}"
        if (below / "whole").exists():
            continue
        below.mkdir(parents=True, exist_ok=True)
        for i in range(min(KINDS, images - first)):
            (below / f"{i:04d}.pgm").write_bytes(kinds[i])
        (below / "whole").touch()


def add_new(folder, seed):
    folder.mkdir()
    for i in range(KINDS):
        (folder / f"{i:04d}.pgm").write_bytes(picture(seed + i))


def timed(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False, text=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{wall:8.2f} s, CPU {cpu:8.2f} s, at most {after.ru_maxrss // 1024} MB so far: {done.stderr.splitlines()[-1]}", flush=True)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    images = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    make(folder / "many", images)
    make(folder / "few", KINDS)
    for name in ("few.bow", "many.bow"):
        (folder / name).unlink(missing_ok=True)
    small = ["--kernel", "simd", "--no-thumbnails"]
    timed(program, "index", "-o", str(folder / "few.bow"), *small, "--words-k", "256", "--code-k", "16", str(folder / "few"))
    library = folder / "many.bow"
    timed(program, "index", "-o", str(library), *small, "--centroids", str(folder / "few.bow"), str(folder / "many"))
    print("unchanged")
    for _ in range(3):
        timed(program, "index", "-o", str(library), "--kernel", "simd")
    print("a thousand new ones, of a thousand and of many")
    for turn in range(3):
        for name in ("few", "many"):
            new = folder / name / f"new{turn}{time.time_ns()}"
            add_new(new, time.time_ns() % 2**31)
            timed(program, "index", "-o", str(folder / f"{name}.bow"), "--kernel", "simd", str(new))


if __name__ == "__main__":
    main()
