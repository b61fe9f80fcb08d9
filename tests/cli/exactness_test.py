"""Every level's words beside words that bowhist did not find: Python's floats are the rule's float64.

BOWHIST_TEST_DATA/exactness holds cases (NAME_c.bin, NAME_x.npy, and NAME_words.npy where others found
the words). Without it one case of our own is tried. Its sets of
pictures are words of every level alike.
"""
import hashlib
import os
import pathlib
import unittest

import numpy

from program import ProgramTest, levels, write_vocabulary

DATA = os.environ.get("BOWHIST_TEST_DATA", "")
CASES = pathlib.Path(DATA) / "exactness"


def words_by_rule(rows, words):
    """docs/words.md, to the letter: numpy rounds each operation on its own."""
    totals = numpy.zeros((len(rows), len(words)))
    for x, word in zip(rows.T.astype(numpy.float64), words.T.astype(numpy.float64)):
        difference = x[:, None] - word
        totals = totals + difference * difference
    return totals.argmin(axis=1).astype(numpy.int32)  # of equal ones, the lowest


class Exactness(ProgramTest):
    def check_levels(self, centroids, rows, expected):
        for level in levels():
            with self.subTest(level, case=centroids):
                self.run_program("assign", "-q", "--kernel", level, "--centroids", centroids, "-o",
                                 f"{level}.npy", rows)
                found = numpy.load(self.folder / f"{level}.npy")
                self.assertEqual(numpy.count_nonzero(found != expected), 0)

    def test_rows_that_are_far_longer_than_the_words(self):
        random = numpy.random.default_rng(1)
        words = random.standard_normal((17, 64)).astype("<f4")
        rows = numpy.ldexp(1 + 1e-6 * random.standard_normal((300, 64)),
                           random.integers(40, 53, (300, 1))).astype("<f4")
        write_vocabulary(self.folder / "c.bin", words)
        numpy.save(self.folder / "x.npy", rows)
        self.check_levels("c.bin", "x.npy", words_by_rule(rows, words))

    @unittest.skipUnless(CASES.is_dir(), "BOWHIST_TEST_DATA has no folder exactness")
    def test_cases_found_elsewhere(self):
        cases = sorted(CASES.glob("*_c.bin"))
        self.assertTrue(cases)
        for centroids in cases:
            name = centroids.name.removesuffix("_c.bin")
            rows = numpy.load(CASES / f"{name}_x.npy")
            words = numpy.fromfile(centroids, "<f4", offset=8).reshape(-1, rows.shape[1])
            expected = words_by_rule(rows, words)
            golden = CASES / f"{name}_words.npy"
            if golden.is_file():
                self.assertEqual(numpy.count_nonzero(numpy.load(golden) != expected), 0)
            self.check_levels(str(centroids), str(CASES / f"{name}_x.npy"), expected)


@unittest.skipUnless(DATA, "BOWHIST_TEST_DATA names no folder of pictures")
class RealPictures(ProgramTest):
    def test_every_level_on_every_set(self):
        sets = [s for s in ("retrieval", "stamps10", "big") if (pathlib.Path(DATA) / s).is_dir()]
        self.assertTrue(sets)
        for name in sets:
            # of each picture few: a launch of 7 descriptors takes as long as one of 7000
            self.run_program("extract", "-q", "--max-descriptors", "200", "-o", name, f"{DATA}/{name}")
        self.run_program("train", "-q", "-k", "256", "--iterations", "3", "-o", "c.bin", "stamps10")
        ways = [["--kernel", level, *sets] for level in levels()]
        ways += [[*options, *sets] for options in (["-j", "1"], ["-j", "2"], ["--batch", "64", "--kernel", "gpu5"],
                                                   ["--batch", "7", "--kernel", "gpu1"])]
        rows = {" ".join(way): self.run_program("--centroids", "c.bin", *way).stdout for way in ways}
        self.assertEqual(len(set(rows.values())), 1, {way: hashlib.sha256(all_rows).hexdigest() for way, all_rows in rows.items()})
        alone = self.run_program("--centroids", "c.bin", "--batch", "1", "--kernel", "gpu1", "stamps10").stdout.splitlines()[1:]
        self.assertTrue(alone)
        self.assertLessEqual(set(alone), set(rows.popitem()[1].splitlines()))


if __name__ == "__main__":
    unittest.main()
