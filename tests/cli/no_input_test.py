"""Where no input at all is read, a verb has no result, and what was there before stays as it was."""
import shutil
import sqlite3
import unittest

import numpy

from program import ProgramTest, write_picture

HISTOGRAMS = ["--centroids", "c.bin"]
LIBRARY = ["index", "-o", "p.bow"]
SEARCH = ["search", "p.bow"]
# the output that an earlier run left, and the call that would replace it
OUTPUTS = [
    ("o.csv", [*HISTOGRAMS, "-o", "o.csv"]), ("o.npz", [*HISTOGRAMS, "-o", "o.npz"]),
    ("o.jsonl", [*HISTOGRAMS, "--kernel", "gpu1", "-o", "o.jsonl"]),
    ("o.csv", [*HISTOGRAMS, "--encode", "pyramid", "-o", "o.csv"]), ("o.npy", [*HISTOGRAMS, "--encode", "soft", "-o", "o.npy"]),
    ("o.npz", ["--centroids", "m.npz", "-o", "o.npz"]),
    ("o.bin", ["train", "-k", "4", "-o", "o.bin"]), ("o.npz", ["train", "--model", "vlad", "-o", "o.npz"]),
    ("o.fbin", ["extract", "-o", "o.fbin"]), ("o.npz", ["extract", "-o", "o.npz"]), ("o.npy", ["assign", *HISTOGRAMS, "-o", "o.npy"]),
    ("o.csv", ["cluster", "-o", "o.csv"]), ("o.html", ["cluster", "--html", "o.html"]),
    ("o.csv", ["duplicates", "-o", "o.csv"]), ("o.html", ["duplicates", "--html", "o.html"]),
    ("o.csv", [*SEARCH, "-o", "o.csv"]), ("o.html", [*SEARCH, "--html", "o.html"]),
    ("o.csv", ["show", "c.bin", "-o", "o.csv"]), ("o.html", ["show", "p.bow", "--html", "o.html"]),
]
# the calls that take one input, or no list
ALONE = [("o.png", ["filter", "--equalize", "-o", "o.png"]), ("o.csv", ["merge", "-o", "o.csv"]), ("o.csv", ["export", "-o", "o.csv"])]
INPUTS = ["missing", "bad.jpg", "notes", "empty"]


class NoInput(ProgramTest):
    def prepare(self):
        for folder in ("photos", "notes", "empty"):
            (self.folder / folder).mkdir()
        for seed in range(6):
            write_picture(self.folder / "photos" / f"p{seed}.pgm", seed)
        (self.folder / "notes" / "a.txt").write_text("text")
        (self.folder / "bad.jpg").write_bytes(b"\xff\xd8 no picture")
        (self.folder / "bad.npy").write_bytes(b"no rows")
        (self.folder / "empty.txt").touch()
        self.run_program("train", "-k", "8", "-o", "c.bin", "photos")
        self.run_program("train", "--model", "vlad", "-k", "8", "-o", "m.npz", "photos")
        self.run_program(*LIBRARY, "photos")

    def assert_kept(self, name, call, *inputs):
        with self.subTest(call=call, inputs=inputs):
            (self.folder / name).write_text("good")
            done = self.run_program(*call, *inputs, status=3)
            self.assertEqual((self.folder / name).read_text(), "good")
            self.assertNotRegex(done.stderr, rb"\d (read|queries|query|rows?)\b")  # as of a run that was done

    def test_an_earlier_output_stays(self):
        for name, call in OUTPUTS:
            for given in INPUTS:
                self.assert_kept(name, call, "bad.npy" if call[0] == "assign" and given == "bad.jpg" else given)
        for name, call in ALONE:
            for given in INPUTS:
                self.assert_kept(name, call, given)

    def test_several_and_lists(self):
        (self.folder / "list").write_text("missing\nbad.jpg\n")
        (self.folder / "void").write_bytes(b"a\0b\n")
        for name, call in (OUTPUTS[0], OUTPUTS[3], OUTPUTS[8], OUTPUTS[15]):
            self.assert_kept(name, call, "missing", "bad.jpg", "empty", "notes")
            for listed in ("list", "void"):
                self.assert_kept(name, call, "--files-from", listed)
            self.assert_kept(name, call, "--files-from", "empty.txt", "empty")

    def test_nothing_is_printed(self):
        done = self.run_program("extract", "-o", "new", "missing", "bad.jpg", status=3)
        self.assertFalse((self.folder / "new").exists())
        self.assertIn(b"none of the inputs could be used, so nothing is written", done.stderr.splitlines()[-1])

    def test_what_was_extracted_before_counts(self):
        self.run_program("extract", "-o", "d", "photos")
        self.run_program("extract", "-o", "d", "photos", "missing", status=1)

    def test_an_empty_list_stays_what_it_is(self):
        for name, call in (OUTPUTS[0], OUTPUTS[3], OUTPUTS[10], OUTPUTS[15], OUTPUTS[17]):
            with self.subTest(call=call):
                (self.folder / name).write_text("good")
                self.run_program(*call, "--files-from", "empty.txt")
                self.assertNotEqual((self.folder / name).read_bytes(), b"good")
        self.run_program("extract", "-o", "o.fbin", "--files-from", "empty.txt")
        self.run_program(*LIBRARY, "--files-from", "empty.txt")

    def test_parts_count_together(self):
        """A shard whose inputs are all skipped is one of a run."""
        names = ["missing", "bad.jpg", "photos/p0.pgm"]
        for parts, status in ((names, 1), (names[:2], 3)):
            for number in (1, 2):
                self.run_program(*HISTOGRAMS, "--shard", f"{number}/2", "-o", f"{number}.part", *parts, status=1)
            (self.folder / "o.csv").write_text("good")
            self.run_program("merge", "-o", "o.csv", "1.part", "2.part", status=status)
            self.assertEqual((self.folder / "o.csv").read_text() == "good", status == 3)
        for number in (1, 2):
            self.run_program("index", "-o", f"{number}.bow", *HISTOGRAMS, "--describe", "words", "--shard", f"{number}/2", "bad.jpg", "missing", status=1)
        self.run_program("merge", "-o", "new.bow", "1.bow", "2.bow", status=3)
        self.assertFalse((self.folder / "new.bow").exists())

    def test_a_new_library_is_not_made(self):
        for call in ([], HISTOGRAMS, [*HISTOGRAMS, "--describe", "words"]):
            for given in INPUTS:
                with self.subTest(call=call, given=given):
                    self.run_program("index", "-o", "new.bow", *call, given, status=3)
                    self.assertFalse((self.folder / "new.bow").exists())

    def make_library(self):
        """Of the folder here: the one of before knows where it was."""
        (self.folder / "p.bow").unlink()
        self.run_program(*LIBRARY, "photos")

    def rows(self):
        connection = sqlite3.connect(self.folder / "p.bow")
        try:
            return sorted(connection.iterdump())
        finally:
            connection.close()

    def test_a_library_stays_as_it_was(self):
        self.make_library()
        before = self.rows()
        for given in (["missing"], ["bad.jpg"], ["notes"], ["empty"], ["missing", "bad.jpg", "notes", "empty"], ["--max-pixels", "99999", "bad.jpg"]):
            with self.subTest(given=given):
                said = self.run_program(*LIBRARY, *given, status=3).stderr
                self.assertIn(b"no picture could be read, so p.bow stays as it was", said)
                self.assertIn(b"(most files are .txt)" if "notes" in given else b"see the lines above", said)
                self.assertTrue(self.rows() == before)
        shutil.move(self.folder / "photos", self.folder / "away")
        self.run_program(*LIBRARY, status=3)
        self.assertTrue(self.rows() == before)
        (self.folder / "photos").mkdir()  # a disk that is not mounted
        self.run_program(*LIBRARY, status=3)
        self.run_program(*LIBRARY, "photos", status=3)
        self.assertTrue(self.rows() == before)

    def test_what_else_a_library_is_asked_for_is_done(self):
        self.make_library()
        write_picture(self.folder / "new.pgm", 20)
        self.run_program(*LIBRARY, "bad.jpg", "new.pgm", status=1)
        self.run_program(*LIBRARY, "--remove", "new.pgm", "missing", status=1)
        self.assertIn(b"6 rows", self.run_program("export", "p.bow", "-o", "h.npz").stderr)
        self.assertEqual(len(numpy.load(self.folder / "h.npz")["images"]), 6)
        shutil.rmtree(self.folder / "photos")
        (self.folder / "photos").mkdir()
        (self.folder / "photos" / "a.txt").touch()  # its pictures were deleted
        self.assertIn(b"6 gone", self.run_program(*LIBRARY, "photos").stderr)


if __name__ == "__main__":
    unittest.main()
