"""Names that look alike but have other code points: a letter and its accent (macOS), or one code point for both."""
import ctypes.util
import os
import shutil
import unicodedata
import unittest

from library_test import LibraryTest
from program import write_picture

CODE_POINTS = "which is spelt with other code points"


def composed(name):
    return unicodedata.normalize("NFC", name)


def taken_apart(name):
    return unicodedata.normalize("NFD", name)


@unittest.skipUnless(ctypes.util.find_library("utf8proc"), "libutf8proc is not here")
class NearNames(LibraryTest):
    def setUp(self):
        super().setUp()
        self.there = {}  # the name on the disk, by the one that is given
        for name, on_disk, given in (("Über", taken_apart, composed), ("日本 プ한", composed, taken_apart)):
            (self.photos / on_disk(name)).mkdir()
            write_picture(self.photos / on_disk(name) / "p.pgm", 20 + len(name), 120, 90)
            self.there[f"photos/{given(name)}"] = f"photos/{on_disk(name)}"
        self.make()

    def said(self, *arguments, status=0):
        return self.run_program(*arguments, status=status).stderr.decode(errors="replace")

    def assert_named(self, said, near):
        self.assertIn(f"; did you mean {near}, {CODE_POINTS}\n", said)

    def test_a_path_that_is_not_there(self):
        for given, near in self.there.items():
            self.assert_named(self.said("index", "-o", "p.bow", given, status=3), near)
            self.assert_named(self.said("index", "-o", "new.bow", given, status=3), near)
            self.assert_named(self.said("extract", "-o", "d", given, "photos", status=1), near)
            self.assert_named(self.said("search", "p.bow", f"{given}/p.pgm", status=3), f"{near}/p.pgm")
            self.assert_named(self.said("duplicates", given, status=3), near)
            self.assert_named(self.said("duplicates", "p.bow", "--keep", given), near)
            shutil.copy(self.folder / "p.bow", self.folder / f"{near}.bow")
            self.assert_named(self.said("status", f"{given}.bow", status=3), f"{near}.bow")
            (self.folder / "list").write_text(f"{given}/p.pgm\n")
            self.assert_named(self.said("index", "-o", "p.bow", "--files-from", "list", status=3), f"{near}/p.pgm")
        for given in ("photos/Uber", "photos/Ubér", "photos/Über/x.pgm", os.fsdecode(b"photos/\xff")):
            self.assertNotIn("did you mean", self.said("index", "-o", "p.bow", given, status=3))

    def test_a_path_that_the_library_has_in_another_spelling(self):
        for given, near in self.there.items():
            self.assert_named(self.said("duplicates", "p.bow", "--not-same", f"{given}/p.pgm", "photos/p0.pgm", status=2), f"{near}/p.pgm")
            for pattern in (given, f"{given}/*"):
                self.assert_named(self.said("index", "-o", "p.bow", "--remove", pattern), f"{near}/p.pgm")
        self.index("--centroids", "models.bow", *self.there.values(), library="roots.bow")
        for given, near in self.there.items():
            self.assert_named(self.said("index", "-o", "roots.bow", "--root", f"{given}=elsewhere", status=2), near)

    def test_a_glob_that_does_not_exclude(self):
        for given, near in self.there.items():
            name = os.path.basename(given)
            for glob in (name, f"{name}/", f"**/{name}", f"{name}*", f"{name}/*.pgm"):
                said = self.said("extract", "-o", "d", "--exclude", glob, "photos")
                self.assertIn(f"warning: {near}", said)
                self.assertEqual(said.count(CODE_POINTS), 1, said)
            both = ["--exclude", name, "--exclude", os.path.basename(near)]
            self.assertNotIn("code points", self.said("extract", "-o", "d", *both, "photos"))
        self.assertNotIn("code points", self.said("extract", "-o", "d", "--exclude", "U*", "--exclude", "é", "photos"))

    def test_labels_of_other_spellings(self):
        given, near = next(iter(self.there.items()))
        call = ["cluster", "p.bow", "-k", "2", "--method", "kmeans", "--regroup", "-o", "g.csv", "--labels", "l.csv"]
        rows = f"image,label\n{given}/p.pgm,a\n"
        (self.folder / "l.csv").write_text(rows)
        self.assert_named(self.said(*call, status=3), f"{near}/p.pgm")
        (self.folder / "l.csv").write_text(f"{rows}photos/p0.pgm,b\n")
        self.assert_named(self.said(*call), f"{near}/p.pgm")
        (self.folder / "l.csv").write_text("image,label\nphotos/p0.pgm,b\n")
        self.assertNotIn("did you mean", self.said(*call))


if __name__ == "__main__":
    unittest.main()
