"""Pictures with few descriptors: the advice at the end of a run is the extractor's, and it helps."""
import unittest

import numpy

from program import ProgramTest, write_picture


class FewDescriptors(ProgramTest):
    def extract(self, extractor, **changed):
        """What was printed, and how many descriptors there are."""
        options = {"extractor": extractor, **changed}
        words = [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), str(value))]
        done = self.run_program("extract", "-o", "x.npy", *words, "p.pgm")
        return done.stderr.decode(), len(numpy.load(self.folder / "x.npy"))

    def test_what_is_said_to_find_more_does(self):
        write_picture(self.folder / "p.pgm", 1)
        for extractor, threshold, side in (("dense", 60, 40), ("akaze", 0.001, 120), ("kaze", 0.01, 120), ("sift", 0.15, 120)):
            with self.subTest(extractor=extractor):
                few = {"threshold": threshold, "max_side": side}
                told, found = self.extract(extractor, **few)
                below = min(threshold, {"dense": 1, "akaze": 0.001, "kaze": 0.001, "sift": 0.04}[extractor])
                steps = ", a --step below 4, for tiny pictures smaller --patches (in train, too)" if extractor == "dense" else ""
                self.assertIn(f" 1 of 1 inputs has fewer than 50 descriptors; try a --threshold below {below}{steps}, or for "
                              f"pictures over {side} pixels a --max-side above {side} (", told)
                self.assertGreater(self.extract(extractor, **{**few, "threshold": below / 4})[1], found)
                self.assertGreater(self.extract(extractor, **{**few, "max_side": 4 * side})[1], found)
                if steps:
                    self.assertGreater(self.extract(extractor, **few, step=2)[1], found)
                    self.assertGreater(self.extract(extractor, **few, patches="8,12")[1], found)
        write_picture(self.folder / "p.pgm", 1, 40, 32)
        told, _ = self.extract("dense", max_side=0, step=1, patches=8, threshold=1e9)
        self.assertIn(" descriptors, 1 of them none; try a --threshold below 1 (", told)
        told, _ = self.extract("dense", max_side=0, step=1, patches=64, threshold=1e-9)
        self.assertIn(" descriptors, 1 of them none; try for tiny pictures smaller --patches (in train, too) (", told)


if __name__ == "__main__":
    unittest.main()
