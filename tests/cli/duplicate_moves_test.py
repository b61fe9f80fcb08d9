"""Scripts that move copies: what they move, what they leave, and that they can be undone."""
import os
import shutil
import subprocess
import unittest

import duplicates_test
from program import ProgramTest
from search_test import scene, write_pgm

ODD = "it's $HOME `odd` \n\t\"\\.pgm"


class Moves(ProgramTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        for i in range(4):
            write_pgm(self.folder / f"photos/p{i}.pgm", scene(i))
            write_pgm(self.folder / f"photos/p{i}_half.pgm", duplicates_test.halved(scene(i)))
        shutil.copy(self.folder / "photos/p0.pgm", self.folder / "photos" / ODD)

    def setUp(self):
        super().setUp()  # a library knows where its folders lie
        self.run_program("index", "-o", "p.bow", "--words-k", "500", "--describe", "words", "--kernel", "simd", "photos")

    def write_script(self):
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away")

    def run_script(self, name, status=0):
        done = subprocess.run(["sh", name], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr.decode(errors="surrogateescape")

    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() for folder in ("photos", "away")
                for path in (self.folder / folder).rglob("*") if path.is_file()}

    def test_copies_are_moved_and_moved_back(self):
        before = self.files()
        self.write_script()
        self.assertEqual(self.files(), before)
        self.assertEqual(self.run_script("moves.sh"), "5 moved, 0 skipped\n")
        moved = self.files()
        self.assertEqual(sorted(moved), sorted([f"photos/p{i}.pgm" for i in range(4)] + [f"away/photos/p{i}_half.pgm" for i in range(4)] + ["away/photos/" + ODD]))
        self.assertEqual(self.run_script("moves.sh.undo"), "5 moved, 0 skipped\n")
        self.assertEqual(self.files(), before)

    def test_it_works_from_any_folder(self):
        self.write_script()
        done = subprocess.run(["sh", str(self.folder / "moves.sh")], cwd="/", capture_output=True)
        self.assertEqual(done.stderr, b"5 moved, 0 skipped\n")

    def test_what_changed_stays(self):
        self.write_script()
        photos = self.folder / "photos"
        (photos / "p0_half.pgm").write_bytes(b"new")  # another size
        old = (photos / "p1_half.pgm").read_bytes()
        stamp = (photos / "p1_half.pgm").stat()
        (photos / "p1_half.pgm").write_bytes(old[:-1] + bytes([old[-1] ^ 1]))  # other bytes of the same size and time
        os.utime(photos / "p1_half.pgm", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        os.utime(photos / "p2_half.pgm", (1, 1))
        (photos / "p3.pgm").unlink()  # what would be kept
        before = self.files()
        said = self.run_script("moves.sh", status=1)
        self.assertIn("1 moved, 4 skipped", said)
        for reason in ("another size", "other bytes", "another time", "is not there"):
            self.assertIn(reason, said)
        self.assertEqual({**before, **self.files()}, {**before, "away/photos/" + ODD: before["photos/" + ODD]})

    def test_nothing_is_overwritten(self):
        self.write_script()
        (self.folder / "away/photos").mkdir(parents=True)
        (self.folder / "away/photos/p0_half.pgm").write_bytes(b"mine")
        self.assertIn("4 moved, 1 skipped", self.run_script("moves.sh", status=1))
        self.assertEqual((self.folder / "away/photos/p0_half.pgm").read_bytes(), b"mine")

    def test_a_file_that_changed_before_is_left_out(self):
        (self.folder / "photos/p0_half.pgm").write_bytes(b"new")
        done = self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away")
        self.assertIn(b"p0_half.pgm: changed since it was indexed", done.stderr)
        self.assertEqual(self.run_script("moves.sh"), "4 moved, 0 skipped\n")

    def test_a_folder_is_kept(self):
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away", "--keep", "photos")
        self.assertEqual(self.run_script("moves.sh"), "0 moved, 0 skipped\n")


if __name__ == "__main__":
    unittest.main()
