"""Notes and warnings on how pictures were read: a guessed range of samples, long strips, raw files."""
import struct
import unittest

import numpy

from program import ProgramTest, complaints


def strip_of(width, height):
    picture = numpy.random.default_rng(3).integers(0, 256, (height // 8, width // 8), numpy.uint8)
    return b"P5 %d %d 255\n" % (width, height) + picture.repeat(8, 0).repeat(8, 1).tobytes()


def tiff(samples, *entries):
    """A little-endian TIFF of one grey page in one strip; entries are (tag, type, value)."""
    height, width = samples.shape
    data = samples.tobytes()
    tags = [(256, 4, width), (257, 4, height), (258, 3, samples.itemsize * 8), (259, 3, 1), (262, 3, 1), (273, 4, 8),
            (277, 3, 1), (278, 4, height), (279, 4, len(data)), *entries]
    directory = struct.pack("<H", len(tags))
    for tag, kind, value in sorted(tags):
        directory += struct.pack("<HHII", tag, kind, 1, value)
    return struct.pack("<2sHI", b"II", 42, 8 + len(data)) + data + directory + bytes(4)


class RightPixels(ProgramTest):
    def prepare(self):
        (self.folder / "a.pgm").write_bytes(strip_of(160, 120))
        self.run_program("train", "-q", "-k", "4", "-o", "c.bin", "a.pgm")

    def test_long_strips_are_counted_and_named(self):
        (self.folder / "tall.pgm").write_bytes(strip_of(120, 9600))
        (self.folder / "wide.pgm").write_bytes(strip_of(4000, 240))
        done = self.run_program("--centroids", "c.bin", "tall.pgm", "a.pgm", "wide.pgm")
        rows = done.stdout.decode().splitlines()[1:]
        self.assertTrue(all(int(row.split(",")[1]) > 50 for row in rows), rows)
        self.assert_one_line(done.stderr, "2 of 3 inputs", "--max-side", "long strips")
        notes = self.run_program("--centroids", "c.bin", "-v", "tall.pgm", "wide.pgm").stderr.decode()
        self.assertIn("tall.pgm: 120x9600 pixels, a long strip: shrunk to 42x3434 instead of 5x384\n", notes)
        self.assertIn("wide.pgm: 4000x240 pixels, a long strip: shrunk to 1066x64 instead of 384x23\n", notes)
        done = self.run_program("--centroids", "c.bin", "--max-side", "0", "wide.pgm")
        self.assertEqual(complaints(done.stderr), [])

    def test_a_guessed_range_is_named(self):
        samples = numpy.random.default_rng(3).integers(0, 4096, (120, 160), numpy.uint16)
        (self.folder / "guess.tif").write_bytes(tiff(samples))
        (self.folder / "said.tif").write_bytes(tiff(samples, (281, 3, 4095)))
        notes = self.run_program("--centroids", "c.bin", "-v", "guess.tif", "said.tif").stderr.decode()
        self.assertRegex(notes, r"guess\.tif: unsigned samples of 16 bits from \d+ to \d+, .* white at 4095\n")
        self.assertNotIn("said.tif: ", notes)
        (self.folder / "floats.tif").write_bytes(tiff(samples.astype("<f4"), (339, 3, 3)))
        notes = self.run_program("--centroids", "c.bin", "-v", "floats.tif").stderr.decode()
        self.assertIn("floats.tif: floats from ", notes)
        # the rows are the same whatever is said
        rows = self.run_program("--centroids", "c.bin", "guess.tif", "said.tif").stdout.decode().splitlines()[1:]
        self.assertEqual(rows[0].split(",")[1:], rows[1].split(",")[1:])

    def test_a_raw_file_is_named_and_skipped(self):
        preview = numpy.zeros((54, 80), numpy.uint8)
        (self.folder / "a.nef").write_bytes(tiff(preview, (254, 4, 1), (50706, 1, 4)))
        done = self.run_program("--centroids", "c.bin", "a.nef", "a.pgm", status=1)
        self.assert_one_line(done.stderr, "a.nef", "a raw file", "export it as JPEG")
        self.assertEqual(len(done.stdout.decode().splitlines()), 2)


if __name__ == "__main__":
    unittest.main()
