#!/usr/bin/python3
"""Reads back what write_all_formats wrote, with nothing of bowhist: numpy, csv, json, zipfile.

    read_back.py FOLDER [WRITE_ALL_FORMATS]

With the program, it is run first, to fill the folder; its output to a pipe is compared too, it must
fail on a full device, and it reads what numpy wrote. Exit status 0 when all is as expected; else a line for what is not.
"""

import csv
import json
import os
import subprocess
import sys
import zipfile

import numpy

NORMALIZATIONS = {
    "none": lambda counts: counts,
    "l1": lambda counts: (counts / divisor(counts.sum())).astype(numpy.float32),
    "l2": lambda counts: (counts / divisor(numpy.sqrt((counts * counts).sum()))).astype(numpy.float32),
    "hellinger": lambda counts: numpy.sqrt(counts / divisor(counts.sum())).astype(numpy.float32),
}
EXTRACTOR = "akaze \"upright\", \udcff"
failures = []


def divisor(number):
    return number if number > 0 else 1.0


def check(name, good):
    if not good:
        failures.append(name)
        print("not as expected:", name, file=sys.stderr)


def same(name, found, expected, dtype=None):
    found = numpy.asarray(found)
    expected = numpy.asarray(expected)
    check(f"{name}: type {found.dtype}", dtype is None or found.dtype == numpy.dtype(dtype))
    check(f"{name}: shape {found.shape}", found.shape == expected.shape)
    check(f"{name}: values", found.shape == expected.shape and bool((found == expected).all()))


def same_float32(name, found, expected):
    """Equal but for one unit in the last place: numpy may sum squares in another order."""
    found = numpy.asarray(found, dtype=numpy.float32).reshape(expected.shape)
    near = numpy.abs(found - expected) <= numpy.spacing(numpy.abs(expected))
    check(f"{name}: values", bool(near.all()))


def numbers(texts, kind):
    return numpy.array([[kind(text) for text in row] for row in texts])


def read_csv(path, counts):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        raw = file.read()
        file.seek(0)
        rows = list(csv.reader(file, strict=True))
    check(f"{path}: ends with LF", raw.endswith("\n"))
    words = len(rows[0]) - 2
    check(f"{path}: names", rows[0] == ["image", "descriptors"] + [f"w{i}" for i in range(words)])
    values = numbers([row[2:] for row in rows[1:]], int if counts else numpy.float32)
    return [row[0] for row in rows[1:]], [int(row[1]) for row in rows[1:]], values


def read_jsonl(path, _):
    with open(path, encoding="utf-8", newline="\n") as file:
        rows = [json.loads(line) for line in file]
    check(f"{path}: keys", all(list(row) == ["image", "descriptors", "histogram"] for row in rows))
    values = numpy.array([row["histogram"] for row in rows])
    return [row["image"] for row in rows], [row["descriptors"] for row in rows], values


def read_npz(path, _):
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        check(f"{path}: damaged", archive.testzip() is None)
        check(f"{path}: stored", all(entry.compress_type == zipfile.ZIP_STORED for entry in entries))
        check(f"{path}: entries", {entry.filename for entry in entries} ==
              {"histograms.npy", "images.npy", "descriptors.npy", "meta.npy"})
    loaded = numpy.load(path, allow_pickle=False)
    meta = json.loads(str(loaded["meta"]))
    normalization = os.path.basename(path).split(".")[0].split("-")[0]
    check(f"{path}: meta {meta}", meta == {
        "fingerprint": "0123abcd", "extractor": EXTRACTOR, "normalization": normalization,
        "version": meta["version"]} and meta["version"].count(".") == 2)
    check(f"{path}: meta's shape", loaded["meta"].shape == () and loaded["meta"].dtype.kind == "U")
    check(f"{path}: images' type", loaded["images"].dtype.kind == "U")
    check(f"{path}: images' width", loaded["images"].dtype.itemsize ==
          4 * max([1] + [len(name) for name in loaded["images"]]))
    check(f"{path}: descriptors' type", loaded["descriptors"].dtype == numpy.dtype("<u4"))
    dtype = "<u4" if normalization == "none" else "<f4"
    check(f"{path}: type", loaded["histograms"].dtype == numpy.dtype(dtype))
    return list(loaded["images"]), loaded["descriptors"], loaded["histograms"]


def read_svm(path, words):
    names, values = [], []
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        for line in file:
            pairs, name = line.rstrip("\n").split(" # ", 1)
            label, *pairs = pairs.split(" ")
            check(f"{path}: label", label == "0")
            row = [0] * words
            for index, value in (pair.split(":") for pair in pairs):
                check(f"{path}: only what is not zero", float(value) != 0)
                row[int(index) - 1] = numpy.float32(value) if "." in value or "e" in value else int(value)
            check(f"{path}: no number in a name", ":" not in name)
            for code, letter in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%25", "%")):
                name = name.replace(code, letter)
            names.append(name)
            values.append(row)
    return names, values


def check_histograms(folder, names, counts):
    as_text = [os.fsdecode(name) for name in names]
    for normalization, normalize in NORMALIZATIONS.items():
        whole = normalization == "none"
        expected = numpy.array([normalize(row.astype(float)) for row in counts])
        compare = same if whole else same_float32
        for ending, read in ((".csv", read_csv), (".jsonl", read_jsonl), (".npz", read_npz)):
            path = os.path.join(folder, normalization + ending)
            images, descriptors, values = read(path, whole)
            check(f"{path}: names", images == as_text)
            check(f"{path}: name bytes", [os.fsencode(str(image)) for image in images] == names)
            same(f"{path}: descriptors", descriptors, counts.sum(axis=1))
            compare(path, values, expected)
            images, descriptors, _ = read(os.path.join(folder, normalization + "-empty" + ending), whole)
            check(f"{path}: empty", len(images) == 0 and len(descriptors) == 0)
        path = os.path.join(folder, normalization + ".npy")
        table = numpy.load(path, allow_pickle=False)
        check(f"{path}: type", table.dtype == numpy.dtype("<u4" if whole else "<f4"))
        compare(path, table, expected)
        empty = numpy.load(os.path.join(folder, normalization + "-empty.npy"), allow_pickle=False)
        check(f"{path}: empty", empty.shape == (0, counts.shape[1]))
        path = os.path.join(folder, normalization + ".svm")
        images, values = read_svm(path, counts.shape[1])
        check(f"{path}: names", images == as_text)
        compare(path, values, expected)


def check_others(folder):
    expected = (numpy.arange(3000, dtype=numpy.float32) / numpy.float32(7)).reshape(1000, 3)
    path = lambda name: os.path.join(folder, name)
    for name in ("c.bin", "x.fbin"):
        header = numpy.fromfile(path(name), dtype="<u4", count=2)
        same(f"{name}: header", header, [1000, 3])
        same(name, numpy.fromfile(path(name), dtype="<f4", offset=8).reshape(1000, 3), expected)
    rows = numpy.fromfile(path("x.fvecs"), dtype="<i4").reshape(1000, 4)
    same("x.fvecs: D", rows[:, 0], [3] * 1000)
    same("x.fvecs", rows[:, 1:].copy().view("<f4"), expected)
    same("x.npy", numpy.load(path("x.npy"), allow_pickle=False), expected, "<f4")
    check("x-empty.npy", numpy.load(path("x-empty.npy")).shape == (0, 3))
    check("x-empty.fvecs", os.path.getsize(path("x-empty.fvecs")) == 0)
    check("x-empty.fbin", open(path("x-empty.fbin"), "rb").read() == bytes([0] * 4 + [3, 0, 0, 0]))
    words = numpy.arange(1000, dtype=numpy.int32) * 7919
    same("words.npy", numpy.load(path("words.npy"), allow_pickle=False), words, "<i4")
    extractor = {"name": "akaze", "upright": True, "threshold": 0.1, "max_descriptors": 500,
                 "max_side": 1024}
    check("c.bin.json", json.load(open(path("c.bin.json"))) == {
        "extractor": extractor,
        "training": {"seed": 5, "iterations": 25, "inertia": 1 / 3, "descriptors": 99, "of": 990},
        "fingerprint": "f", "version": "0.1.0"})
    check("x.npy.json", json.load(open(path("x.npy.json"), encoding="utf-8")) == {
        "picture": "a\n\"\udcff\u00e4.jpg", "extractor": extractor})
    check("nothing is left behind", not [name for name in os.listdir(folder) if name.endswith(".tmp")])


def check_program(folder, program):
    subprocess.run([program, folder], check=True)
    printed = subprocess.run([program, "--print"], check=True, stdout=subprocess.PIPE).stdout
    check("standard output", printed == open(os.path.join(folder, "none.csv"), "rb").read())
    with open("/dev/full", "wb") as full:
        failed = subprocess.run([program, "--print"], stdout=full, stderr=subprocess.PIPE)
    check("a full device", failed.returncode == 3 and b"No space left" in failed.stderr)


def check_reading(folder, program, names, counts):
    """What numpy writes, the program reads."""
    images = numpy.array([os.fsdecode(name) for name in names])
    features = counts.astype(numpy.float32)
    numpy.savez(os.path.join(folder, "numpy.npz"), histograms=features, images=images)
    numpy.savez_compressed(os.path.join(folder, "packed.npz"), images=images, histograms=features)
    numpy.save(os.path.join(folder, "numpy.npy"), features)
    for name in ("numpy.npz", "packed.npz", "numpy.npy", "none.csv", "none.jsonl", "none.npz"):
        path = os.path.join(folder, name)
        printed = subprocess.run([program, "--read", path], check=True, stdout=subprocess.PIPE).stdout
        lines = [line.split(" ") for line in printed.decode("ascii").splitlines()]
        expected = [str(i).encode() for i in range(len(names))] if name == "numpy.npy" else names
        check(f"{name}: names read", [bytes.fromhex(line[0]) for line in lines] == expected)
        same(f"{name}: read", numbers([line[1:] for line in lines], numpy.float32), features)


def main():
    folder = sys.argv[1]
    if len(sys.argv) > 2:
        check_program(folder, sys.argv[2])
    with open(os.path.join(folder, "expected.txt"), encoding="ascii") as file:
        lines = [line.rstrip("\n").split(" ") for line in file]
    names = [bytes.fromhex(line[0]) for line in lines]
    counts = numpy.array([line[1:] for line in lines], dtype=numpy.uint64)
    check_histograms(folder, names, counts)
    check_others(folder)
    if len(sys.argv) > 2:
        check_reading(folder, sys.argv[2], names, counts)
    print(f"{len(names)} histograms and {len(os.listdir(folder))} files:",
          f"{len(failures)} failures" if failures else "all as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
