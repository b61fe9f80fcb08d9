#!/usr/bin/env python3
"""Words by the rule (docs/words.md) that bowhist did not find.

Python's float is IEEE float64, and each operation of it is rounded on its own. The rows and words are
those of lib/bowhist/assign/device/rule_probe.cpp, drawn anew here, without the zeros between their values.

    golden_words.py            compares golden_words.txt with what it finds
    golden_words.py --write    writes that file
"""

import sys
from pathlib import Path

FILE = Path(__file__).with_suffix(".txt")
DIMENSIONS = (2, 3, 7, 64, 128, 1000)
WORDS = 16
VALUES = 16


class Draw:
    def __init__(self):
        self.state = 1

    def number(self, below):
        self.state = (1664525 * self.state + 1013904223) % 2**32
        return self.state * below >> 32

    def significand(self):
        return 1 + self.number(2**23) * 2.0**-23


def probe(dimensions):
    draw = Draw()
    count = min(dimensions, VALUES)
    values = []
    for _ in range(count):
        significand = draw.significand()
        values.append(significand * 2.0 ** (-6 - draw.number(20)))
    words = []
    for _ in range(WORDS):
        for i in range(count - 1, 0, -1):
            other = draw.number(i + 1)
            values[i], values[other] = values[other], values[i]
        words.append(list(values))
    rows = max(16, min(64, 4096 // dimensions))
    return [[draw.significand()] * count for _ in range(rows)], words


def squared_distance(x, c):
    total = 0.0
    for i in range(len(x)):
        difference = x[i] - c[i]
        square = difference * difference
        total = total + square
    return total


def nearest(x, words):
    distances = [squared_distance(x, word) for word in words]
    return distances.index(min(distances))


def golden():
    lines = ["# D: the word of each row of RuleProbe(D), by golden_words.py"]
    for dimensions in DIMENSIONS:
        rows, words = probe(dimensions)
        lines.append(f"{dimensions}: " + " ".join(str(nearest(x, words)) for x in rows))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(golden())
    elif FILE.read_text() != golden():
        sys.exit(f"{FILE}: differs from what Python finds")
