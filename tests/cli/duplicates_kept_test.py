"""Duplicates: checks that a library keeps change nothing, and are made anew where something changed."""
import os
import shutil
import sqlite3
import unittest

import numpy

from duplicates_bad_input_test import lettered
from program import ProgramTest
from search_test import scene, write_pgm


class Kept(ProgramTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        for i in range(4):
            self.write(f"p{i}", scene(i))
        self.write("p0_half", scene(0).reshape(180, 2, 240, 2).mean((1, 3)))
        self.write("p1_mirror", scene(1)[:, ::-1])
        for i, changed in enumerate([(), (11,)]):
            self.write(f"page{i}", lettered(1, changed))
        for name in ("plain", "plain_too"):
            self.write(name, numpy.full((90, 120), 7))
        pixels = numpy.full((90, 120), 7, numpy.uint8)
        (self.folder / "photos/plain_too.pgm").write_bytes(b"P5\n# other bytes\n120 90\n255\n" + pixels.tobytes())
        self.index("p.bow", "--words-k", "500", "--code-k", "8")

    def write(self, name, pixels):
        write_pgm(self.folder / f"photos/{name}.pgm", pixels)

    def index(self, library, *arguments):
        self.run_program("index", "-q", "-o", library, *arguments, "--kernel", "simd", "--mirrored", "photos")

    def found(self, library="p.bow", *arguments):
        """Groups and all that was measured."""
        groups = self.run_program("duplicates", library, "--scene", "--pairs", "pairs.csv", *arguments).stdout
        return groups, (self.folder / "pairs.csv").read_bytes()

    def rows(self):
        database = sqlite3.connect(self.folder / "p.bow")
        try:
            return database.execute("SELECT image, pixels, pairs FROM compared ORDER BY image").fetchall()
        finally:
            database.close()

    def without_kept(self, *arguments):
        shutil.copy(self.folder / "p.bow", self.folder / "bare.bow")
        database = sqlite3.connect(self.folder / "bare.bow")
        database.execute("DROP TABLE compared")
        database.execute("DELETE FROM about WHERE name = 'compared by'")
        database.commit()
        database.close()
        return self.found("bare.bow", *arguments)

    def test_a_later_run_ends_in_the_bytes_of_the_first(self):
        first = self.found()
        rows = self.rows()
        self.assertTrue(rows)
        self.assertEqual(self.found(), first)
        self.assertEqual(self.rows(), rows)
        self.run_program("status", "p.bow", "--integrity")

    def test_new_files_are_checked_and_nothing_else_changes(self):
        self.found()
        self.write("p2_part", scene(2)[30:330, 60:420])
        self.write("p3_dark", scene(3) * 0.7)
        self.write("p0_again", scene(0)[:340])
        self.index("p.bow")
        later = self.found()
        self.index("fresh.bow", "--centroids", "p.bow")
        self.assertEqual(later, self.found("fresh.bow"))
        self.assertIn(b"p2_part", later[0])

    def proposals(self, library):
        database = sqlite3.connect(self.folder / library)
        try:
            return database.execute("SELECT image, number, proposals FROM compared ORDER BY image").fetchall()
        finally:
            database.close()

    def test_any_updates_end_in_the_bytes_of_a_fresh_run(self):
        parts = [scene(seed)[y:y + 180, x:x + 240] for seed in range(3) for y in (0, 180) for x in (0, 240)]
        random = numpy.random.default_rng(1)
        names = []

        def write_new(name):
            a, b, c, d = (parts[i][:, ::random.choice([1, -1])] for i in random.integers(0, len(parts), 4))
            self.write(name, numpy.block([[a, b], [c, d]]))

        for turn in range(10):
            for _ in range(random.integers(0, 4)):
                if names and turn > 0:
                    (self.folder / f"photos/{names.pop(random.integers(len(names)))}.pgm").unlink()
            for name in random.choice(names, min(len(names), random.integers(0, 2)), replace=False):
                write_new(name)
            for i in range(12 if turn == 0 else random.integers(0, 4)):
                names.append(f"new{turn}_{i}")
                write_new(names[-1])
            self.index("p.bow", "--forget")
            most = ("--max-candidates", str(2 if turn < 7 else 1))
            with self.subTest(turn=turn):
                self.assertEqual(self.found("p.bow", *most), self.without_kept(*most))
        write_new("last")
        self.index("p.bow", "--forget")
        self.assertEqual(self.found("p.bow", *most), self.without_kept(*most))
        self.assertEqual(self.proposals("p.bow"), self.proposals("bare.bow"))

    def test_what_left_and_what_changed(self):
        before = self.found()
        (self.folder / "photos/p0_half.pgm").unlink()
        self.write("p1_mirror", scene(7))
        self.write("page0", lettered(1, (11,)))
        self.index("p.bow", "--forget")
        self.run_program("index", "-q", "-o", "p.bow", "--remove", "photos/plain.pgm")
        later = self.found()
        self.assertNotEqual(later, before)
        self.assertEqual(later, self.without_kept())

    def test_other_words(self):
        self.found()
        self.run_program("index", "-q", "-o", "p.bow", "--relearn", "--words-k", "300", "--code-k", "8", "--kernel", "simd", "--mirrored")
        self.assertEqual(self.found(), self.without_kept())

    def test_other_limits_and_parts(self):
        self.found()
        for arguments in (["--match", "loose"], ["--match", "strict"], ["--within", "photos"], ["--max-candidates", "2"]):
            self.assertEqual(self.found("p.bow", *arguments), self.without_kept(*arguments))

    def test_a_page_that_changed_since_is_read_again(self):
        first = self.found()
        self.assertIn(b"photos/page1.pgm,0,photos/page0.pgm,scene", first[0])
        page = self.folder / "photos/page1.pgm"
        stamp = page.stat()
        page.write_bytes(b"x" * stamp.st_size)  # of its size; and of its time below
        os.utime(page, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        self.assertEqual(self.found(), first)
        os.utime(page, (1000, 1000))
        self.assertEqual(self.found(), self.without_kept())

    def test_a_library_that_cannot_be_written(self):
        first = self.found()
        self.write("p2_part", scene(2)[30:330, 60:420])
        self.index("p.bow")
        rows = self.rows()
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        done = self.run_program("duplicates", "p.bow", "--scene", **user)
        self.folder.chmod(0o755)
        self.assertNotEqual(done.stdout, first[0])
        self.assertEqual(self.rows(), rows)
        self.assertEqual(done.stdout, self.without_kept()[0])


if __name__ == "__main__":
    unittest.main()
