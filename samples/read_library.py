"""Reads a library of images with Python's sqlite3 and numpy: the five images most like one of them.

    samples/read_library.py photos.bow [PATH]

Without PATH, of the first image. Codes are compared: what looks alike has a product near 1.
"""
import sqlite3
import sys

import numpy

library = sqlite3.connect(sys.argv[1])
rows = library.execute("SELECT CAST(path AS BLOB), code FROM images JOIN codes USING (content) ORDER BY path").fetchall()
paths = [path.decode(errors="surrogateescape") for path, _ in rows]
codes = numpy.array([numpy.frombuffer(code, "i1") for _, code in rows], dtype=float)
codes /= numpy.maximum(numpy.linalg.norm(codes, axis=1, keepdims=True), 1e-9)
one = paths.index(sys.argv[2]) if len(sys.argv) > 2 else 0
likeness = codes @ codes[one]
for i in numpy.argsort(-likeness, kind="stable")[:5]:
    print(f"{likeness[i]:.3f} {paths[i]}")
