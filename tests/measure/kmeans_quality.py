#!/usr/bin/python3
"""How well a vocabulary fits, against OpenCV's kmeans with KMEANS_PP_CENTERS.

    tests/measure/kmeans_quality.py [--seeds 5] [--build build/ci] FOLDER

AKAZE descriptors of FOLDER's pictures, k = 256, 25 iterations each, several seeds; prints the inertia
of both, their medians and the ratio. Build the peer first: cmake --build build/ci --target measure
"""
import argparse
import json
import pathlib
import statistics
import struct
import subprocess
import tempfile
import time

import numpy

K, ITERATIONS = 256, 25


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--build", default="build/ci")
    parser.add_argument("folder")
    options = parser.parse_args()
    bowhist, peer = f"{options.build}/bin/bowhist", f"{options.build}/bin/opencv_kmeans"
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([bowhist, "extract", "-q", "--extractor", "akaze", "-o", f"{scratch}/d", options.folder], check=True)
        rows = numpy.concatenate([numpy.load(f) for f in sorted(pathlib.Path(scratch, "d").rglob("*.npy"))])
        pathlib.Path(scratch, "all.fbin").write_bytes(struct.pack("<II", *rows.shape) + rows.tobytes())
        results = {"bowhist": [], "OpenCV": []}
        seconds = {"bowhist": [], "OpenCV": []}
        for seed in range(1, options.seeds + 1):
            start = time.perf_counter()
            subprocess.run([bowhist, "train", "-q", "--sample", "0", "-k", str(K), "--iterations", str(ITERATIONS), "--seed", str(seed),
                            "-o", f"{scratch}/c.bin", f"{scratch}/all.fbin"], check=True)
            seconds["bowhist"].append(time.perf_counter() - start)
            sidecar = json.loads(pathlib.Path(scratch, "c.bin.json").read_text())
            results["bowhist"].append(sidecar["training"]["inertia"])
            start = time.perf_counter()
            printed = subprocess.run([peer, f"{scratch}/all.fbin", str(K), str(ITERATIONS), str(seed)],
                                     check=True, capture_output=True, text=True).stdout
            seconds["OpenCV"].append(time.perf_counter() - start)
            results["OpenCV"].append(float(printed))
        print(f"{len(rows)} descriptors, k = {K}, {ITERATIONS} iterations, {options.seeds} seeds: inertia, median (range)")
        for name, values in results.items():
            print(f"   {name:8} {statistics.median(values):10.1f} ({min(values):.1f} … {max(values):.1f})"
                  f"   {statistics.median(seconds[name]):.2f} s")
        print(f"   ratio of the medians {statistics.median(results['bowhist']) / statistics.median(results['OpenCV']):.5f}")


if __name__ == "__main__":
    main()
