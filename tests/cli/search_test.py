"""Search: the pictures of a library that are like others, held against a plain computation of its rows."""
import contextlib
import csv
import hashlib
import io
import json
import math
import os
import pathlib
import shutil
import sqlite3
import unittest

import numpy

from program import NOTHING_USED, ProgramTest, levels

FULL = 2**24


def write_pgm(path, pixels):
    height, width = pixels.shape
    path.write_bytes(b"P5\n%d %d\n255\n" % (width, height) + pixels.astype(numpy.uint8).tobytes())


def scene(seed, width=480, height=360):
    """Blurred rectangles: corners that stay where they are when the picture is scaled."""
    random = numpy.random.default_rng(seed)
    pixels = numpy.full((height, width), 128.0)
    for _ in range(120):
        x, y = random.integers(0, width - 10), random.integers(0, height - 10)
        w, h = random.integers(8, 60, size=2)
        pixels[y:y + h, x:x + w] = random.integers(0, 256)
    for axis in (0, 1):
        pixels = (numpy.roll(pixels, 1, axis) + 2 * pixels + numpy.roll(pixels, -1, axis)) / 4
    return pixels


def similarity(product, a, b):
    """2^24 * product / sqrt(a b), without what is behind the point: in whole numbers."""
    if a == 0 or b == 0:
        return 0
    size = math.isqrt(product * product * FULL * FULL // (a * b))
    return size if product >= 0 else -size


class SearchTest(ProgramTest):
    def prepare(self):
        (self.folder / "photos/trip").mkdir(parents=True)
        self.scenes = [scene(seed) for seed in range(8)]
        for i, pixels in enumerate(self.scenes):
            write_pgm(self.folder / f"photos/{'trip/' if i % 2 else ''}p{i}.pgm", pixels)
        shutil.copy(self.folder / "photos/p0.pgm", self.folder / "photos/copy.pgm")
        self.run_program("index", "-o", "p.bow", "--words-k", "300", "--code-k", "8", "--kernel", "simd", "photos")

    def search(self, *arguments, status=0):
        done = self.run_program("search", "p.bow", "--kernel", "simd", *arguments, status=status)
        return list(csv.DictReader(io.StringIO(done.stdout.decode())))

    def rows(self, what, library="p.bow"):
        self.run_program("export", library, "--what", what, "-o", "e.npz")
        with numpy.load(self.folder / "e.npz") as file:
            names = [str(name) for name in file["images"]]
            return names, file["rows" if what == "code" else "histograms"].astype(numpy.int64)


class Found(SearchTest):
    def test_a_part_finds_its_whole(self):
        for i in (1, 4):
            write_pgm(self.folder / "part.pgm", self.scenes[i][40:320, 100:460])
            first = self.search("part.pgm", "--top", "1")[0]
            self.assertEqual(pathlib.Path(first["image"]).name, f"p{i}.pgm")

    def test_a_check_shows_how_it_lies_there(self):
        write_pgm(self.folder / "part.pgm", self.scenes[3][40:320, 100:460])
        first, second = self.search("part.pgm", "--check", "--top", "2")
        self.assertEqual(first["image"], "photos/trip/p3.pgm")
        self.assertGreaterEqual(int(first["agree"]), 12)
        found = [float(first[name]) for name in ("a11", "a12", "tx", "a21", "a22", "ty")]
        numpy.testing.assert_allclose(found[0:2] + found[3:5], [1, 0, 0, 1], atol=0.02)
        numpy.testing.assert_allclose([found[2], found[5]], [100, 40], atol=3)

    def test_a_larger_one_has_a_map_of_its_own_pixels(self):
        large = numpy.kron(self.scenes[6], numpy.ones((2, 2)))
        write_pgm(self.folder / "large.pgm", large)
        first = self.search("large.pgm", "--check", "--top", "1")[0]
        self.assertEqual(first["image"], "photos/p6.pgm")
        found = [float(first[name]) for name in ("a11", "a12", "tx", "a21", "a22", "ty")]
        numpy.testing.assert_allclose(found, [0.5, 0, -0.25, 0, 0.5, -0.25], atol=0.1)
        numpy.testing.assert_allclose([found[0], found[4]], [0.5, 0.5], atol=0.01)

    def test_answers_are_those_of_the_exported_rows(self):
        names, words = self.rows("words")
        same, codes = self.rows("code")
        self.assertEqual(names, same)
        values = numpy.floor(8 * numpy.sqrt(words) + 0.5).astype(numpy.int64)
        products = {"words": (7, values @ values.T), "code": (3, codes @ codes.T)}
        for by in ("words", "code", "both"):
            parts = {way: part for way, part in products.items() if by in (way, "both")}
            full = sum(weight for weight, _ in parts.values()) * FULL
            rows = iter(self.search("--all", "--by", by))
            for q, query in enumerate(names):
                scores = [sum(weight * similarity(int(p[q, i]), int(p[q, q]), int(p[i, i])) for weight, p in parts.values())
                          for i in range(len(names))]
                order = sorted((i for i in range(len(names)) if i != q), key=lambda i: (-scores[i], os.fsencode(names[i])))
                for rank, i in enumerate(order, 1):
                    row = next(rows)
                    self.assertEqual((row["query"], int(row["rank"]), row["image"]), (query, rank, names[i]))
                    self.assertEqual(row["score"], f"{max(scores[i], 0) / full:.6f}")
            self.assertIsNone(next(rows, None))

    def test_a_path_of_the_library_needs_no_file(self):
        answer = self.search("photos/p2.pgm")
        shutil.copy(self.folder / "photos/p2.pgm", self.folder / "other.pgm")
        os.unlink(self.folder / "photos/p2.pgm")
        self.assertEqual(self.search("photos/p2.pgm"), answer)
        described = self.search("other.pgm")  # exactly as an image of the library
        self.assertEqual([{**row, "query": ""} for row in described], [{**row, "query": ""} for row in answer])
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
        self.assertNotIn("photos/p2.pgm", [row["image"] for row in self.search("other.pgm")])
        self.run_program("search", "p.bow", "photos/p2.pgm", status=3)  # it is gone

    def test_a_file_that_was_replaced_is_read(self):
        shutil.copy(self.folder / "photos/trip/p3.pgm", self.folder / "other.pgm")
        expected = [{**row, "query": ""} for row in self.search("other.pgm")]
        path = self.folder / "photos/p2.pgm"
        stored = self.search("photos/p2.pgm")
        stamp = path.stat()
        for keeps in (False, True):  # the size, and also the time
            shutil.copyfile(self.folder / "other.pgm", path)
            if keeps:
                os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
            done = self.run_program("search", "p.bow", "--kernel", "simd", "photos/p2.pgm")
            self.assertEqual([{**row, "query": ""} for row in csv.DictReader(io.StringIO(done.stdout.decode()))], expected)
            self.assertIn(b"photos/p2.pgm: its file is not the one that the library read", done.stderr)
        path.write_bytes(b"P5 no picture")
        self.assertIn(b"skipped photos/p2.pgm", self.run_program("search", "p.bow", "--kernel", "simd", "photos/p2.pgm", status=3).stderr)
        path.unlink()
        self.assertEqual(self.search("photos/p2.pgm"), stored)

    def test_a_file_with_another_time_and_its_bytes_is_not_decoded(self):
        path = self.folder / "photos/p2.pgm"
        stored = self.search("photos/p2.pgm")
        os.utime(path, (1, 1))
        done = self.run_program("search", "p.bow", "--kernel", "simd", "photos/p2.pgm")
        self.assertEqual(list(csv.DictReader(io.StringIO(done.stdout.decode()))), stored)
        self.assertNotIn(b"its file", done.stderr)

    def test_a_library_that_is_written_answers_as_it_was(self):
        answer = self.search("photos/p2.pgm")
        with contextlib.closing(sqlite3.connect(self.folder / "p.bow", isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("DELETE FROM words")
            self.assertEqual(self.search("photos/p2.pgm"), answer)
            writer.execute("ROLLBACK")

    def test_copies_have_a_row_each(self):
        first, second = self.search("photos/p0.pgm", "--top", "2")
        self.assertEqual([first["image"], second["image"]], ["photos/copy.pgm", "photos/p0.pgm"])
        self.assertEqual([first["score"], second["score"]], ["1.000000"] * 2)

    def test_every_level_answers_alike(self):
        write_pgm(self.folder / "part.pgm", self.scenes[5][40:320, 100:460])
        answers = set()
        for level in ["auto", *levels()]:
            done = self.run_program("search", "p.bow", "--kernel", level, "--check", "photos/trip/p1.pgm", "photos/trip")
            answers.add(hashlib.sha256(done.stdout).hexdigest())
        for threads in ("1", "3"):
            done = self.run_program("search", "p.bow", "-j", threads, "--check", "photos/trip/p1.pgm", "photos/trip")
            answers.add(hashlib.sha256(done.stdout).hexdigest())
        self.assertEqual(len(answers), 1)


class Written(SearchTest):
    def test_formats(self):
        rows = self.search("--all", "--top", "2")
        self.run_program("search", "p.bow", "--all", "--top", "2", "-o", "r.jsonl")
        lines = [json.loads(line) for line in (self.folder / "r.jsonl").read_text().splitlines()]
        self.assertEqual([(r["query"], int(r["rank"]), r["image"], float(r["score"])) for r in rows],
                         [(r["query"], r["rank"], r["image"], r["score"]) for r in lines])
        paths = self.run_program("search", "p.bow", "--all", "--top", "2", "--print0").stdout.split(b"\0")
        self.assertEqual([path.decode() for path in paths], [r["image"] for r in rows] + [""])

    def test_lists_and_folders_are_queries(self):
        (self.folder / "list").write_bytes(b"photos/p2.pgm\0photos/trip\0")
        queries = [row["query"] for row in self.search("--files-from", "list", "-0", "--top", "1")]
        self.assertEqual(queries, ["photos/p2.pgm", *(f"photos/trip/p{i}.pgm" for i in (1, 3, 5, 7))])

    def test_the_status_says_whether_it_is_there(self):
        self.search("photos/trip/p1.pgm", "--min-score", "0.999", "--exit-code", status=4)
        write_pgm(self.folder / "new.pgm", scene(99))
        self.assertEqual(self.search("new.pgm", "--min-score", "0.999", "--exit-code"), [])


class Refused(SearchTest):
    def refuse(self, *arguments, status, words=()):
        done = self.run_program("search", *arguments, status=status)
        lines = [line for line in done.stderr.decode().splitlines() if " among " not in line and line + "\n" != NOTHING_USED]
        self.assertEqual(len(lines), 1, lines)
        for word in words:
            self.assertIn(word, lines[0])

    def test_queries(self):
        (self.folder / "notes.txt").write_text("no picture\n")
        write_pgm(self.folder / "flat.pgm", numpy.full((90, 120), 7))
        numpy.save(self.folder / "d.npy", numpy.ones((3, 64), "<f4"))
        for query in ("notes.txt", "flat.pgm", "d.npy", "missing.jpg"):
            self.refuse("p.bow", query, status=3, words=[query])
            self.refuse("p.bow", query, "--strict", status=3, words=[query])
        self.refuse("p.bow", "p.bow", status=2, words=["--also"])

    def test_options(self):
        for options in (["--top", "0"], ["--by", "color"], ["--min-score", "2"], ["--exit-code"], ["--all"], ["--print0", "-o", "x.csv"],
                        ["-o", "x.bin"]):
            self.refuse("p.bow", "photos/trip/p1.pgm", *options, status=2)
        self.refuse("p.bow", status=2, words=["QUERY"])
        self.refuse(status=2, words=["library"])
        self.refuse("photos/trip/p1.pgm", "p.bow", status=2, words=["bowhist search p.bow photos/trip/p1.pgm"])
        self.refuse("nothing.bow", "photos/trip/p1.pgm", status=3, words=["nothing.bow"])
        self.assertEqual(len(self.search("photos/trip/p1.pgm", "--top", "1000000")), 9)

    def test_libraries(self):
        self.run_program("index", "-q", "-o", "w.bow", "--describe", "words", "--no-positions", "--words-k", "40", "photos/trip/p1.pgm")
        self.refuse("w.bow", "photos/trip/p1.pgm", "--by", "code", status=2, words=["w.bow", "no codes"])
        self.refuse("w.bow", "photos/trip/p1.pgm", "--check", status=2, words=["--check"])
        done = self.run_program("search", "w.bow", "photos/trip/p1.pgm")
        self.assertEqual(done.stdout, b"query,rank,image,score\nphotos/trip/p1.pgm,1,photos/trip/p1.pgm,1.000000\n")
        self.assertEqual(self.run_program("search", "w.bow", "--all").stdout, b"query,rank,image,score\n")
        self.run_program("index", "-q", "-o", "w.bow", "--remove", "photos/trip/p1.pgm")
        self.refuse("w.bow", "photos/trip/p1.pgm", status=3, words=["holds no picture"])
        self.run_program("index", "-q", "-o", "c.bow", "--describe", "code", "--code-k", "8", "photos/trip")
        self.refuse("c.bow", "photos/trip/p1.pgm", "--by", "words", status=2, words=["c.bow", "no words"])
        self.assertEqual(len(self.run_program("search", "c.bow", "photos/trip/p1.pgm").stdout.splitlines()), 5)


if __name__ == "__main__":
    unittest.main()
