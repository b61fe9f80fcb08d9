"""Inputs after public bug reports about similar tools: each has the outcome that its table asks for.

The inputs lie in $BOWHIST_TEST_DATA/reports, whose README.md has the table. Without them the tests are
skipped; each kind has a test of its own with inputs that the test makes.
"""
import csv
import io
import math
import os
import pathlib
import subprocess
import sys
import unittest

import numpy

from program import ProgramTest, complaints

REPORTS = pathlib.Path(os.environ.get("BOWHIST_TEST_DATA") or "/nowhere") / "reports"
LOSSES_OF_JPEG = 0.15  # two different pictures have 0.34 to 0.85


@unittest.skipUnless(REPORTS.is_dir(), "BOWHIST_TEST_DATA names no folder with reports/")
class Reports(ProgramTest):
    def prepare(self):
        self.run_program("train", "-q", "-k", "16", "-o", "c.bin", str(REPORTS / "plain.png"))

    def rows(self, *names, status=0):
        """The square roots of each picture's shares of words, and standard error."""
        done = self.run_program("--centroids", "c.bin", *(str(REPORTS / name) for name in names), status=status)
        table = list(csv.reader(io.StringIO(done.stdout.decode())))[1:]
        counts = numpy.array([[float(count) for count in row[2:]] for row in table]).reshape(-1, 16)
        return numpy.sqrt(counts / numpy.maximum(counts.sum(axis=1, keepdims=True), 1)), done.stderr

    def assert_alike(self, name, twin, most=0.0):
        rows, _ = self.rows(name, twin)
        self.assertGreater(rows[0].sum(), 0, f"{name}: no words")
        distance = math.sqrt(max(0.0, 1 - float(rows[0] @ rows[1])))
        self.assertLessEqual(distance, most + 1e-7, f"{name}: not the row of {twin}")

    def assert_named(self, name, *words):
        """The picture is skipped, with one line that holds the words."""
        _, said = self.rows(name, status=3)
        self.assert_one_line(said, name, *words)

    def test_pictures_have_the_rows_of_their_twins(self):
        for name, twin, most in (
                ("01_xmp_first.jpg", "01_exif6.jpg", 0),
                ("02_ios18_aux_shared.heic", "02_plain.heic", 0),
                ("03_trailer_ff0b.jpg", "plain.png", LOSSES_OF_JPEG),
                ("07_12bit.tif", "grey.png", 0.01),
                ("07_12bit_sbit.png", "grey.png", 0.01),
                ("09_exif6.png", "01_exif6.jpg", LOSSES_OF_JPEG),
                ("15_float_0_255.tif", "grey.png", 0),
                ("16_white_is_zero_8.tif", "grey.png", 0),
                ("17_no_end.gif", "17_no_end.gif", 0),
                ("17_canvas_one_row_short.gif", "17_no_end.gif", 0.2),
                ("18_animated.webp", "18_still.png", LOSSES_OF_JPEG),
                ("30_black_on_clear.png", "30_black_on_clear.png", 0),
                ("30_white_on_clear.png", "30_white_on_clear.png", 0),
                ("c02_tall_strip.jpg", "c02_tall_strip.jpg", 0),
                ("c15_mp4_behind.heic", "c15_mp4_behind.heic", 0)):
            with self.subTest(name):
                self.assert_alike(name, twin, most)

    def test_lists_made_on_windows_are_read(self):
        for name in ("11_crlf.txt", "11_utf16.txt"):
            with self.subTest(name):
                done = subprocess.run([os.environ["BOWHIST"], "-q", "--centroids", self.folder / "c.bin",
                                       "--files-from", name], cwd=REPORTS, capture_output=True)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertEqual([line.split(b",")[0] for line in done.stdout.splitlines()[1:]],
                                 [b"plain.png", b"grey.png"])

    def test_what_is_no_picture_is_named(self):
        for name, words in (
                ("04_preview_first.nef", ("raw",)),
                ("19_rows.bvecs", (".bvecs",)),
                ("c01_cgbi.png", ("Xcode",)),
                ("c14_lfs.jpg", ("Git LFS",)),
                ("c14_html.jpg", ("web page",))):
            with self.subTest(name):
                self.assert_named(name, *words)

    def test_an_archive_with_other_entries_has_them_listed(self):
        self.assert_named("19_arr_0.npz", "arr_0")

    def test_a_compressed_vocabulary_is_read_or_its_remedy_named(self):
        done = subprocess.run([os.environ["BOWHIST"], "--centroids", REPORTS / "20_vocabulary.yml.gz",
                               REPORTS / "plain.png"], capture_output=True)
        self.assertTrue(done.returncode == 0 or b"gunzip" in done.stderr, done)

    def test_tables_that_went_through_other_programs_are_read_or_named(self):
        for name, words in (("26_pandas_index.csv", ("index",)), ("26_utf16.csv", ("UTF-16",))):
            with self.subTest(name):
                done = subprocess.run([os.environ["BOWHIST"], "cluster", "-k", "1", "-o", "-", REPORTS / name],
                                      capture_output=True)
                said = b"".join(line.encode() for line in complaints(done.stderr))
                named = all(word.encode() in said for word in words)
                self.assertTrue(done.returncode == 0 or named, done)

    def test_few_distinct_rows_are_a_warning(self):
        done = self.run_program("train", "-k", "5", "-o", "few.bin", str(REPORTS / "c10_two_kinds.npy"))
        self.assertIn(b" 2 ", done.stderr)

    def test_two_arrays_in_one_file_are_named(self):
        done = self.run_program("train", "-k", "2", "-o", "two.bin", str(REPORTS / "c11_two_arrays.npy"), status=3)
        self.assertIn(b"more follows", done.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
