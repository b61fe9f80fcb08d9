#!/usr/bin/python3
"""How much memory histograms of many pictures take: it must not grow with their number.

    tests/measure/memory.py [--pictures 10000] [--build build/ci] [PICTURE...]

Makes histograms of that many pictures of 0.2 megapixels (the given ones over and over, else drawn
ones) and prints the peak resident memory of the process, and a tenth as many for comparison.
"""
import argparse
import os
import pathlib
import struct
import subprocess
import tempfile

import numpy


def draw_pictures(folder):
    paths = []
    for seed in range(20):
        random = numpy.random.default_rng(seed)
        pixels = numpy.full((400, 500), 128, numpy.uint8)
        for _ in range(400):
            x, y = random.integers(0, 460), random.integers(0, 360)
            w, h = random.integers(8, 40, size=2)
            pixels[y : y + h, x : x + w] = random.integers(0, 256)
        path = pathlib.Path(folder, f"{seed}.pgm")
        path.write_bytes(b"P5\n500 400\n255\n" + pixels.tobytes())
        paths.append(str(path))
    return paths


def peak_megabytes(command, names):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    process.stdin.write(b"\0".join(os.fsencode(name) for name in names))
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, status
    return usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=10000)
    parser.add_argument("--build", default="build/ci")
    parser.add_argument("given", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        paths = options.given or draw_pictures(scratch)
        centroids = numpy.random.default_rng(1).standard_normal((256, 64)).astype("<f4")
        pathlib.Path(scratch, "c.bin").write_bytes(struct.pack("<II", 256, 64) + centroids.tobytes())
        for kernel in ("auto", "gpu1"):
            for count in (options.pictures // 10, options.pictures):
                names = [paths[i % len(paths)] for i in range(count)]
                command = [f"{options.build}/bin/bowhist", "--centroids", f"{scratch}/c.bin", "--kernel", kernel,
                           "-o", f"{scratch}/h.npz", "--files-from", "-", "-0"]
                print(f"--kernel {kernel}: {count} pictures, peak {peak_megabytes(command, names):.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
