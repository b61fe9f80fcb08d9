"""Search of several libraries as one: the bytes are those of one library that holds all pictures."""
import contextlib
import os
import shutil
import sqlite3
import unittest

import numpy

from program import levels
from search_test import SearchTest, scene, write_pgm

PARTS = {
    "a.bow": ["photos/trip"],
    "b.bow": ["photos/p0.pgm", "photos/copy.pgm", "photos/trip/p1.pgm"],  # one of a.bow, too
    "c.bow": ["photos/p2.pgm", "photos/p4.pgm", "photos/p6.pgm", "photos/flat.pgm"],
}
ALSO = ["a.bow", "--also", "b.bow", "--also", "c.bow"]


class AlsoTest(SearchTest):
    def prepare(self):
        super().prepare()
        write_pgm(self.folder / "photos/flat.pgm", numpy.full((90, 120), 7))  # without descriptors
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", "photos")
        write_pgm(self.folder / "new.pgm", scene(3)[20:300, 40:440])
        for part, inputs in PARTS.items():
            self.make(part, *inputs)

    def make(self, part, *inputs):
        self.run_program("index", "-q", "-o", part, "--centroids", "p.bow", "--kernel", "simd", *inputs)

    def answer(self, libraries, *arguments, level="simd", status=0):
        return self.run_program("search", *libraries, "--kernel", level, *arguments, status=status).stdout

    def compare(self, *arguments, level="simd", status=0):
        whole = self.answer(["p.bow"], *arguments, level=level, status=status)
        self.assertGreater(len(whole.splitlines()), 3)
        self.assertEqual(self.answer(ALSO, *arguments, level=level, status=status), whole, arguments)


class SameAnswers(AlsoTest):
    def test_by_everything(self):
        for level in ("serial", "simd", "gpu1"):
            for by in ("words", "code", "both"):
                self.compare("--all", "--by", by, level=level, status=1)
            for normalize in ("none", "hellinger", "tfidf", "bm25"):
                self.compare("--all", "--normalize", normalize, level=level, status=1)

    def test_few_results_of_equal_scores(self):
        for top in "1234":
            self.compare("--all", "--top", top, status=1)
            self.compare("photos/p0.pgm", "photos/trip", "new.pgm", "--top", top)

    def test_views_and_geometry(self):
        for options in (["--check"], ["--mirror"], ["--region", "60,40,300,220"], ["--check", "--mirror", "--region", "60,40,300,220"]):
            self.compare("photos/trip", "photos/p2.pgm", "new.pgm", *options)
        self.compare("--all", "--check", "--mirror", "--min-score", "0.2", status=1)
        self.compare("--all", "--check", "--by", "code", status=1)

    def test_files(self):
        for name in ("r.jsonl", "r.txt", "r.csv"):
            for place, libraries in (("whole-", ["p.bow"]), ("parts-", ALSO)):
                self.answer(libraries, "--all", "--check", "-o", place + name, status=1)
            self.assertEqual((self.folder / f"whole-{name}").read_bytes(), (self.folder / f"parts-{name}").read_bytes())
        for place, libraries in (("whole", ["p.bow"]), ("parts", ALSO)):
            self.answer(libraries, "--all", "--check", "-o", f"{place}.npz", status=1)
        with numpy.load(self.folder / "whole.npz") as whole, numpy.load(self.folder / "parts.npz") as parts:
            self.assertEqual(whole.files, parts.files)
            for name in whole.files:
                numpy.testing.assert_array_equal(whole[name], parts[name])

    def test_a_page_has_thumbnails_of_every_library(self):
        for name in [name for name in os.listdir(self.folder / "photos") if name.endswith(".pgm")]:
            os.unlink(self.folder / "photos" / name)
        for place, libraries in (("whole.html", ["p.bow"]), ("parts.html", ALSO)):
            self.answer(libraries, "photos/trip/p3.pgm", "photos/p2.pgm", "--check", "--html", place)
        whole = (self.folder / "whole.html").read_text()
        parts = (self.folder / "parts.html").read_text()
        self.assertIn("<bdi>a.bow</bdi>, <bdi>b.bow</bdi>, <bdi>c.bow</bdi>", parts)
        self.assertEqual(parts.replace("<bdi>a.bow</bdi>, <bdi>b.bow</bdi>, <bdi>c.bow</bdi>", "<bdi>p.bow</bdi>"), whole)
        self.assertGreater(whole.count("data:image/jpeg"), 5)

    def test_their_order_and_the_ways_to_name_them_change_nothing(self):
        whole = self.answer(["p.bow"], "--all", "--normalize", "tfidf", status=1)
        for libraries in (["c.bow", "--also", "a.bow", "--also", "b.bow"], ["b.bow", "--also", "c.bow", "a.bow"],
                          ["c.bow", "b.bow", "--also=a.bow"]):
            self.assertEqual(self.answer(libraries, "--all", "--normalize", "tfidf", status=1), whole)

    def test_a_path_of_any_library_needs_no_file(self):
        shutil.rmtree(self.folder / "photos")
        self.compare("photos/p2.pgm", "photos/trip/p5.pgm", "photos/copy.pgm", "photos/trip/p1.pgm")

    def test_what_is_gone_is_no_result(self):
        os.unlink(self.folder / "photos/p4.pgm")
        for library in ("p.bow", "c.bow"):
            self.run_program("index", "-q", "-o", library, "--kernel", "simd", status=0)
        for normalize in ("hellinger", "tfidf"):
            self.compare("--all", "--normalize", normalize, status=1)

    def test_a_part_that_is_empty_adds_nothing(self):
        shutil.copy(self.folder / "a.bow", self.folder / "empty.bow")
        self.run_program("index", "-q", "-o", "empty.bow", "--remove", "photos/trip", "--forget")
        for first in (["empty.bow", "--also", "p.bow"], ["p.bow", "--also", "empty.bow"]):
            self.assertEqual(self.answer(first, "new.pgm", "--normalize", "bm25"), self.answer(["p.bow"], "new.pgm", "--normalize", "bm25"))
        shutil.copy(self.folder / "empty.bow", self.folder / "empty2.bow")
        self.run_program("search", "empty.bow", "--also", "empty2.bow", "new.pgm", status=3)

    def test_a_part_that_is_written_answers_as_it_was(self):
        answer = self.answer(ALSO, "new.pgm")
        with contextlib.closing(sqlite3.connect(self.folder / "b.bow", isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            writer.execute("DELETE FROM words")
            self.assertEqual(self.answer(ALSO, "new.pgm"), answer)
            writer.execute("ROLLBACK")


class OnePathTwice(AlsoTest):
    def test_the_same_content_is_one_image(self):
        shutil.copy(self.folder / "p.bow", self.folder / "q.bow")
        for normalize in ("hellinger", "bm25"):
            whole = self.answer(["p.bow"], "--all", "--normalize", normalize, "--check", status=1)
            both = self.answer(["p.bow", "--also", "q.bow"], "--all", "--normalize", normalize, "--check", status=1)
            self.assertEqual(both, whole)

    def test_another_content_is_another_image(self):
        write_pgm(self.folder / "photos/p2.pgm", scene(50))
        self.make("d.bow", "photos/p2.pgm")
        rows = self.answer(["c.bow", "--also", "d.bow"], "photos/p2.pgm", "--check").decode().splitlines()
        named = [row.split(",") for row in rows if row.split(",")[2] == "photos/p2.pgm"]
        self.assertEqual(len(named), 2)
        self.assertEqual([named[0][1], named[0][3]], ["1", "1.000000"])  # asked with what the first library holds
        self.assertLess(float(named[1][3]), 0.9)
        self.answer(["c.bow", "--also", "d.bow"], "photos/p2.pgm", "-o", "r.npz", "--html", "r.html")
        with numpy.load(self.folder / "r.npz") as file:
            self.assertEqual(list(file["images"]).count("photos/p2.pgm"), 2)
            self.assertEqual(file["ids"].shape[1], 5)
            self.assertNotIn(-1, file["ids"])


class RefusedLibraries(AlsoTest):
    def refuse(self, *arguments, status, words, rows=b""):
        done = self.run_program("search", *arguments, "new.pgm", status=status)
        lines = done.stderr.decode().splitlines()
        self.assertEqual((len(lines), done.stdout), (1, rows), lines)
        for word in words:
            self.assertIn(word, lines[0])

    def test_other_models(self):
        self.run_program("index", "-q", "-o", "other.bow", "--words-k", "40", "--code-k", "8", "--kernel", "simd", "photos/trip")
        self.run_program("index", "-q", "-o", "words.bow", "--describe", "words", "--no-positions", "--centroids", "p.bow", "--kernel",
                         "simd", "photos/trip")
        self.refuse("a.bow", "--also", "other.bow", status=3, words=["other.bow", "a.bow", "words", "--centroids"])
        self.refuse("a.bow", "--also", "b.bow", "other.bow", "--by", "code", status=3, words=["other.bow", "codes"])
        self.refuse("a.bow", "--also", "words.bow", status=3, words=["words.bow", "no codes"])
        self.refuse("a.bow", "--also", "words.bow", "--by", "words", "--check", status=2, words=["words.bow", "--check"])
        self.assertGreater(len(self.answer(["a.bow", "--also", "words.bow"], "--by", "words", "new.pgm").splitlines()), 3)

    def test_twice_missing_or_no_library(self):
        os.link(self.folder / "b.bow", self.folder / "link.bow")
        (self.folder / "text.bow").write_text("no library\n")
        self.refuse("a.bow", "--also", "a.bow", status=2, words=["a.bow", "once"])
        self.refuse("a.bow", "--also", "b.bow", "./link.bow", status=2, words=["b.bow", "link.bow", "once"])
        self.refuse("a.bow", "--also", "missing.bow", status=3, words=["missing.bow"])
        self.refuse("a.bow", "--also", "b.bow", "missing.bow", status=3, words=["missing.bow"])
        self.refuse("a.bow", "--also", "text.bow", status=3, words=["text.bow"])
        self.refuse("a.bow", "--also", "new.pgm", status=3, words=["new.pgm"])
        self.refuse("a.bow", "--also", "", status=2, words=["--also"])

    def test_a_library_among_the_queries(self):
        for words in (["a.bow", "b.bow", "new.pgm"], ["a.bow", "new.pgm", "b.bow"], ["a.bow", "b.bow"]):
            self.refuse(*words, status=2, words=["b.bow is a library, too", "bowhist search a.bow --also b.bow"])

    def test_a_damaged_one(self):
        with contextlib.closing(sqlite3.connect(self.folder / "b.bow")) as writer, writer:
            writer.execute("UPDATE postings SET postings = zeroblob(length(postings))")
        self.refuse("a.bow", "--also", "b.bow", status=3, words=["b.bow", "--reindex"], rows=b"query,rank,image,score\n")


if __name__ == "__main__":
    assert "gpu1" in levels()
    unittest.main()
