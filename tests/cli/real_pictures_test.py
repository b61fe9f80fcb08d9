"""Every level gives the same bytes on real pictures.

BOWHIST_TEST_DATA names a folder of sets of pictures; without it this is skipped.
"""
import hashlib
import os
import pathlib
import unittest

from program import ProgramTest, levels

DATA = os.environ.get("BOWHIST_TEST_DATA", "")


@unittest.skipUnless(DATA, "BOWHIST_TEST_DATA names no folder of pictures")
class RealPictures(ProgramTest):
    def test_every_level_on_every_set(self):
        sets = [s for s in ("clothing10", "retrieval", "stamps10", "big") if (pathlib.Path(DATA) / s).is_dir()]
        self.assertTrue(sets)
        for name in sets:
            # of each picture few: a launch of 7 descriptors takes as long as one of 7000
            self.run_program("extract", "-q", "--max-descriptors", "200", "-o", name, f"{DATA}/{name}")
        self.run_program("train", "-q", "-k", "256", "--iterations", "3", "-o", "c.bin", "stamps10")
        for name in sets:
            digests = {}
            for level in levels():
                done = self.run_program("--centroids", "c.bin", "--kernel", level, name)
                digests[level] = hashlib.sha256(done.stdout).hexdigest()
            for options in (["-j", "1"], ["-j", "2"], ["--batch", "64", "--kernel", "gpu5"],
                            ["--batch", "1" if name == "stamps10" else "7", "--kernel", "gpu1"]):
                done = self.run_program("--centroids", "c.bin", *options, name)
                digests[" ".join(options)] = hashlib.sha256(done.stdout).hexdigest()
            with self.subTest(name):
                self.assertEqual(len(set(digests.values())), 1, digests)


if __name__ == "__main__":
    unittest.main()
