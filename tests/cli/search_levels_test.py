"""Search: one answer for every level, number of threads and number of queries at once."""
import hashlib
import unittest

from program import levels
from search_test import SearchTest, scene, write_pgm

LADDER = ["serial", "openmp", "simd", *(f"gpu{i}" for i in range(1, 8))]
RUNS = dict.fromkeys(LADDER[3:], "gpu1") | {level: level for level in LADDER[:3]}


class Levels(SearchTest):
    def prepare(self):
        super().prepare()
        self.stored = [f"photos/{'trip/' if i % 2 else ''}p{i}.pgm" for i in range(8)]
        self.decoded = [f"new{i}.pgm" for i in range(3)]
        for i, name in enumerate(self.decoded):
            write_pgm(self.folder / name, scene(i + 2)[20 * i:300, 40:440])

    def answer(self, level, queries, at_once, *arguments):
        """Of the rows of all queries, a few queries a call."""
        rows = []
        for first in range(0, len(queries), at_once):
            done = self.run_program("search", "p.bow", "--kernel", level, "-v", *arguments,
                                    *queries[first:first + at_once])
            rows += done.stdout.decode().splitlines()[1:]
            if level != "auto":
                self.assertIn(f"searching by {RUNS[level]} on ", done.stderr.decode())
        return hashlib.sha256("\n".join(rows).encode()).hexdigest()

    def check(self, queries, ladder):
        expected = self.answer("simd", queries, len(queries))
        for level in [*ladder, "auto"]:
            for threads in ("1", "2"):
                self.assertEqual(self.answer(level, queries, len(queries), "-j", threads), expected, (level, threads))
        for at_once in (1, 7):
            for level in ("simd", "gpu1"):
                self.assertEqual(self.answer(level, queries, at_once), expected, (level, at_once))

    def test_of_pictures_of_the_library(self):
        self.check(self.stored, LADDER)

    def test_of_other_pictures(self):
        self.check(self.decoded, [level for level in LADDER if level in levels()])  # that describe here


if __name__ == "__main__":
    unittest.main()
