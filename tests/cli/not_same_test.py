"""Pairs that are not the same: remembered, listed, and the same again."""
import csv
import hashlib
import io
import unittest

from program import ProgramTest
from search_test import scene, write_pgm


class NotSame(ProgramTest):
    def prepare(self):
        for name, pixels in [("a", scene(1)), ("b", scene(1)[:340]), ("c,d", scene(2)), ("e", scene(2)[20:]), ("f", scene(3))]:
            write_pgm(self.folder / f"{name}.pgm", pixels)
        self.index()

    def index(self, *arguments):
        self.run_program("index", "-q", "-o", "p.bow", "--words-k", "500", "--code-k", "8", "--kernel", "simd", ".", *arguments)

    def groups(self, *arguments):
        done = self.run_program("duplicates", "-q", "p.bow", *arguments)
        groups = {}
        for row in csv.DictReader(io.StringIO(done.stdout.decode())):
            groups.setdefault(row["group"], set()).add(row["image"])
        return list(groups.values())

    def listed(self, *arguments):
        done = self.run_program("duplicates", "-q", "p.bow", "--list-not-same", *arguments)
        first, *rows = csv.reader(io.StringIO(done.stdout.decode()))
        self.assertEqual(first, ["first", "second"])
        return rows

    def refusal(self, *arguments, status=2):
        [line] = self.run_program("duplicates", "-q", *arguments, status=status).stderr.decode().splitlines()
        return line

    def test_pairs_are_listed_and_forgotten(self):
        both = [{"./a.pgm", "./b.pgm"}, {"./c,d.pgm", "./e.pgm"}]
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.groups(), both)
        self.assertEqual(self.groups("--not-same", "./b.pgm", "./a.pgm", "--not-same", "./e.pgm", "./c,d.pgm"), [])
        self.assertEqual(self.listed(), [["./a.pgm", "./b.pgm"], ["./c,d.pgm", "./e.pgm"]])
        self.assertEqual(self.groups("--same-again", "./a.pgm", "./b.pgm"), both[:1])
        self.assertEqual(self.listed("--not-same", "./a.pgm", "./f.pgm"), [["./a.pgm", "./f.pgm"], ["./c,d.pgm", "./e.pgm"]])
        self.assertEqual(self.groups("--same-again", "./f.pgm", "./a.pgm", "--same-again", "./e.pgm", "./c,d.pgm"), both)
        self.assertEqual(self.listed(), [])

    def test_a_file_that_is_gone_is_listed_and_forgotten_by_its_hash(self):
        self.groups("--not-same", "./a.pgm", "./b.pgm")
        (self.folder / "a.pgm").unlink()
        self.index()
        [[path, hash]] = self.listed()
        self.assertEqual(path, "./b.pgm")
        self.assertRegex(hash, "^[0-9a-f]{32}$")
        self.assertEqual(self.listed("--same-again", hash, "./b.pgm"), [])
        write_pgm(self.folder / "a.pgm", scene(1))
        self.index()
        self.assertIn({"./a.pgm", "./b.pgm"}, self.groups())

    def test_a_list_may_be_a_file(self):
        self.groups("--not-same", "./a.pgm", "./b.pgm")
        self.assertEqual(self.run_program("duplicates", "-q", "p.bow", "--list-not-same", "-o", "pairs.csv").stdout, b"")
        self.assertEqual((self.folder / "pairs.csv").read_bytes(), b"first,second\n./a.pgm,./b.pgm\n")

    def test_wrong_usage_changes_nothing(self):
        self.groups("--not-same", "./a.pgm", "./b.pgm")
        before = hashlib.sha256((self.folder / "p.bow").read_bytes()).digest()
        self.assertIn("./a.pgm and ./f.pgm are not remembered as different pictures; --list-not-same prints those that are",
                      self.refusal("p.bow", "--same-again", "./a.pgm", "./b.pgm", "--same-again", "./a.pgm", "./f.pgm"))
        self.assertIn("nowhere.pgm: not in p.bow", self.refusal("p.bow", "--same-again", "nowhere.pgm", "./b.pgm"))
        self.assertIn("leave one of them out",
                      self.refusal("p.bow", "--not-same", "./a.pgm", "./b.pgm", "--same-again", "./b.pgm", "./a.pgm"))
        self.refusal("p.bow", "--same-again", "./a.pgm", status=2)
        self.assertIn("--list-not-same takes a library", self.refusal(".", "--list-not-same"))
        self.assertIn("leave the options of groups out", self.refusal("p.bow", "--list-not-same", "--print0"))
        self.assertEqual(hashlib.sha256((self.folder / "p.bow").read_bytes()).digest(), before)


if __name__ == "__main__":
    unittest.main()
