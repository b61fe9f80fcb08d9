#!/usr/bin/env python3
"""The tables of docs/scaling.md about communication: what the members of a team send in each iteration of a training.

    tests/measure/communication_model.py

Bytes follow from the code (tests/sums/team_bytes_test.cpp counts them); times are a model, of a latency and a rate.
"""
import math

NETWORKS = {"10 Gbit/s": (30e-6, 1.25e9), "100 Gbit/s": (2e-6, 12.5e9)}  # seconds a message, bytes a second: assumed
RANKS = (1, 2, 8, 64, 1000)
# seconds of one rank for an iteration of 10^8 descriptors, D = 64, k = 16384: measured (ADR 9), and computed from
# 404 GFLOP/s of the level simd (docs/performance.md)
WORK = {"an H100": 0.535, "two cores": 2 * 64 * 16384 * 1e8 / 404e9}


def handed(k, dimensions):
    return 8 * k * dimensions + 4 * k


def sent(ranks, size):
    """By each rank, on average: reduce-scatter, then gather."""
    return 2 * (ranks - 1) / ranks * size


def seconds(ranks, size, network):
    latency, rate = NETWORKS[network]
    return 2 * math.ceil(math.log2(ranks)) * latency + sent(ranks, size) / rate


def size_text(size):
    for unit in "bytes", "kB", "MB", "GB":
        if size < 1000:
            return f"{size:.3g} {unit}" if unit != "bytes" else f"{size} bytes"
        size /= 1000
    raise ValueError(size)


def main():
    print("| k | D = 64 | D = 128 |\n|---|---|---|")
    for k in (256, 1024, 16384, 131072, 2**20):
        print(f"| {k} | {size_text(handed(k, 64))} | {size_text(handed(k, 128))} |")
    size = handed(16384, 64)
    print("\n| ranks |", " | ".join(str(p) for p in RANKS), "|\n|---" * 1 + "|---" * len(RANKS) + "|")
    print("| sent by each |", " | ".join(size_text(sent(p, size)) if p > 1 else "0" for p in RANKS), "|")
    for network in NETWORKS:
        print(f"| sum, {network} |", " | ".join(f"{1000 * seconds(p, size, network):.3g} ms" for p in RANKS), "|")
    for name, work in WORK.items():
        print(f"| work of a rank, each {name} |", " | ".join(f"{work / p:.3g} s" for p in RANKS), "|")
        for network in NETWORKS:
            print(f"| share of the time that is work, {network} |",
                  " | ".join(f"{100 * (work / p) / (work / p + seconds(p, size, network)):.3g} %" for p in RANKS), "|")


if __name__ == "__main__":
    main()
