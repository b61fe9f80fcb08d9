"""Duplicates of many files that show one picture: how many pairs are checked, by what the library keeps of each."""
import collections
import csv
import io
import sqlite3
import struct
import unittest

import numpy

from duplicates_bad_input_test import lettered
from program import ProgramTest
from search_test import scene, write_pgm


class Alike(ProgramTest):
    def prepare(self):
        (self.folder / "photos").mkdir()

    def index(self):
        self.run_program("index", "-q", "-o", "p.bow", "--words-k", "500", "--code-k", "8", "--kernel", "simd", "--mirrored", "photos")

    def kinds(self, *arguments):
        """How many rows there are of each group and kind."""
        found = self.run_program("duplicates", "p.bow", *arguments).stdout.decode()
        return collections.Counter((row["group"], row["kind"]) for row in csv.DictReader(io.StringIO(found)))

    def checks(self):
        """How many pairs are kept: each with the other image's hash, its side, a size and its bytes."""
        database = sqlite3.connect(self.folder / "p.bow")
        rows = database.execute("SELECT pairs FROM compared").fetchall()
        database.close()
        count = 0
        for (pairs,) in rows:
            while pairs:
                (size,) = struct.unpack("<Q", pairs[17:25])
                pairs = pairs[25 + size:]
                count += 1
        return count

    def test_files_of_the_same_pixels_are_checked_once(self):
        for name, pixels in (("scene", scene(1)), ("page", lettered(1))):
            height, width = pixels.shape
            for i in range(60):
                header = f"P5\n# {i}\n{width} {height}\n255\n".encode()
                (self.folder / f"photos/{name}{i}.pgm").write_bytes(header + pixels.astype(numpy.uint8).tobytes())
        write_pgm(self.folder / "photos/part.pgm", scene(1)[40:, 30:])
        self.index()
        wanted = {("1", ""): 1, ("1", "pixels"): 59, ("2", ""): 1, ("2", "pixels"): 59, ("2", "cropped"): 1}
        self.assertEqual(self.kinds(), wanted)
        looks, sides = 3, 2
        self.assertLessEqual(self.checks(), looks * looks * sides)
        self.assertEqual(self.kinds(), wanted)

    def test_copies_of_one_picture_are_checked_with_few_others(self):
        count, most = 60, 4
        for i in range(count):
            noise = numpy.random.default_rng(i).normal(0, 2, (360, 480))
            write_pgm(self.folder / f"photos/{i}.pgm", (scene(1) + noise).clip(0, 255))
        self.index()
        kinds = self.kinds("--max-candidates", str(most))
        self.assertEqual(kinds, {("1", ""): 1, ("1", "reencoded"): count - 1})
        of_image = 2 * (most + 1) + 2 * (most // 2 + 1) + 2  # by words and codes on both sides, and with the best
        self.assertLessEqual(self.checks(), count * of_image)


if __name__ == "__main__":
    unittest.main()
