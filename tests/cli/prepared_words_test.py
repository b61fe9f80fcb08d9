"""assign with a vocabulary whose descriptors were prepared."""
import unittest

import numpy

from program import ProgramTest

SMALL = ["-k", "8", "--sample", "3000", "--iterations", "4"]


class PreparedWords(ProgramTest):
    def prepare(self):
        self.names = [f"{seed}.pgm" for seed in range(6)]
        self.write_pictures(self.names, 120, 90)

    def test_assign_prepares_descriptors(self):
        self.run_program("train", "--kernel", "simd", "--prepare", "root,whiten:20,scale,mirror", "-o", "c.bin", *SMALL, *self.names)
        self.run_program("extract", "-o", "a.npz", "0.pgm")
        self.run_program("extract", "-o", "b.npz", "1.pgm")
        call = ["assign", "--centroids", "c.bin", "--kernel", "simd", "-o"]
        self.run_program(*call, "w.npy", "a.npz", "b.npz")
        words = numpy.load(self.folder / "w.npy")
        for kernel in ("serial", "gpu2"):
            self.run_program("assign", "--centroids", "c.bin", "--kernel", kernel, "-j", "1", "-o", "t.npy", "a.npz", "b.npz")
            numpy.testing.assert_array_equal(numpy.load(self.folder / "t.npy"), words)
        self.run_program("--centroids", "c.bin", "--kernel", "simd", "-o", "h.npy", "0.pgm", "1.pgm")
        found = [len(numpy.load(self.folder / name)["descriptors"]) for name in ("a.npz", "b.npz")]
        self.assertEqual(len(words), 2 * sum(found))
        parts = numpy.split(words, [2 * found[0]])
        numpy.testing.assert_array_equal([numpy.bincount(part, minlength=8) for part in parts], numpy.load(self.folder / "h.npy"))
        # what lacks keypoints, or has other dimensions, is left out
        self.run_program("extract", "-o", "k.npy", "0.pgm")
        self.write_descriptors("r.npy", 50, dimensions=21)
        done = self.run_program(*call, "t.npy", "k.npy", "b.npz", "r.npy", status=1)
        self.assertIn(b"k.npy: its descriptors have no keypoints", done.stderr)
        self.assertIn(b"r.npy: its descriptors have 21 dimensions, c.bin has 64", done.stderr)
        numpy.testing.assert_array_equal(numpy.load(self.folder / "t.npy"), parts[1])


if __name__ == "__main__":
    unittest.main()
