"""Edits that keep a picture's size and time: the time of the file's last change shows them."""
import os
import time
import unittest

from crafted_library import craft
from library_test import LibraryTest
from program import write_picture


def edit_in_silence(path):
    """As `exiftool -P` does: other bytes, the size and the time as before."""
    stamp = path.stat()
    path.write_bytes(path.read_bytes()[:-1] + b"\x01")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    time.sleep(0.05)  # what was written just now is read again


class Touched(LibraryTest):
    def setUp(self):
        super().setUp()
        self.make()

    def test_an_edit_that_keeps_size_and_time_is_found(self):
        edit_in_silence(self.photos / "p0.pgm")
        listed = self.run_program("index", "-o", "p.bow", "--dry-run").stdout.decode()
        self.assertEqual(listed, "changed photos/p0.pgm\n")
        said = self.index()
        self.assertIn("0 new, 1 changed, 0 moved, 0 gone, 0 back, 5 unchanged; 1 described", said)
        self.assertNotIn("warning", said)
        self.assert_as_fresh()
        self.assertEqual(self.run_program("index", "-o", "p.bow", "--dry-run").stdout, b"")

    def test_equal_bytes_are_not_described_again(self):
        for name in ("p0.pgm", "p2.pgm"):
            (self.photos / name).chmod(0o600)
        os.link(self.photos / "p4.pgm", self.folder / "link.pgm")
        time.sleep(0.05)
        self.assertEqual(self.run_program("index", "-o", "p.bow", "--dry-run").stdout, b"")
        before = self.export()
        self.assertIn("0 changed, 0 moved, 0 gone, 0 back, 6 unchanged; 0 described", self.index())
        self.assertEqual(self.export(), before)

    def test_each_change_is_hashed_once(self):
        path = self.photos / "p0.pgm"
        path.chmod(0o600)
        time.sleep(0.05)
        self.index()
        self.assertEqual(self.sql("SELECT changed FROM files WHERE name = CAST('p0.pgm' AS BLOB)"), [(path.stat().st_ctime_ns,)])

    def test_another_inode_alone_decides_nothing(self):
        path = self.photos / "p0.pgm"
        edit_in_silence(path)  # found if it is read
        craft(self.folder / "p.bow", self.folder / "other.bow", "UPDATE files SET file = file + 1",
              ("UPDATE files SET changed = ? WHERE name = CAST('p0.pgm' AS BLOB)", (path.stat().st_ctime_ns,)), changed=["files"])
        self.assertIn("6 unchanged; 0 described", self.index(library="other.bow"))

    def test_a_touched_file_that_cannot_be_read_stays(self):
        before = self.paths()
        (self.photos / "p0.pgm").chmod(0o000)
        self.folder.chmod(0o777)
        for path in self.folder.glob("p.bow*"):
            path.chmod(0o666)
        done = self.as_user("index", "-o", "p.bow", "--kernel", "simd")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"p0.pgm: ", done.stderr)
        self.assertEqual(self.paths(), before)
        (self.photos / "p0.pgm").chmod(0o644)
        time.sleep(0.05)
        self.assertIn("6 unchanged; 0 described, 0 skipped", self.index())

    def test_a_file_that_is_back_with_other_bytes_is_read(self):
        path = self.photos / "p0.pgm"
        path.rename(self.folder / "away.pgm")
        self.index()
        (self.folder / "away.pgm").rename(path)
        edit_in_silence(path)
        said = self.index()
        self.assertIn("0 changed, 0 moved, 0 gone, 1 back, 5 unchanged; 1 described", said)
        self.assert_as_fresh()

    def test_a_skipped_file_that_was_repaired_in_silence_is_read(self):
        path = self.photos / "p9.pgm"
        write_picture(path, 9, 120, 90)
        whole = path.read_bytes()
        path.write_bytes(b"P9" + whole[2:])
        time.sleep(0.05)
        stamp = path.stat()
        self.index(status=1)
        path.write_bytes(whole)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        time.sleep(0.05)
        self.assertIn("1 described, 0 skipped", self.index())
        self.assert_as_fresh()


if __name__ == "__main__":
    unittest.main()
