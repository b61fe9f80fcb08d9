"""extract --draw: a picture with its keypoints."""
import os
import unittest

import numpy

from program import ProgramTest, write_picture


def read_bmp(data):
    """Rows of (blue, green, red) of an uncompressed BMP of 24 bits."""
    start, width, height = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (10, 18, 22))
    rows = numpy.frombuffer(data, "u1", abs(height) * (width * 3 + 3 & ~3), start).reshape(abs(height), -1)[:, : 3 * width]
    return rows.reshape(abs(height), width, 3)[:: -1 if height > 0 else 1].astype(int)


class Draw(ProgramTest):
    def prepare(self):
        write_picture(self.folder / "p.pgm", 1)
        self.grey = numpy.frombuffer((self.folder / "p.pgm").read_bytes()[-240 * 180 :], "u1").reshape(180, 240)

    def shrunk(self, like):
        """The greys at that size, each the mean of the pixels that it stands for."""
        times = self.grey.shape[0] // like.shape[0]
        blocks = self.grey.reshape(like.shape[0], times, like.shape[1], times)
        return (blocks.sum((1, 3)) + times * times // 2) // (times * times)

    def drawn(self, *options):
        """Where color is, and the keypoints."""
        self.run_program("extract", "-o", "x.npz", "--draw", "p.bmp", *options, "p.pgm")
        pixels = read_bmp((self.folder / "p.bmp").read_bytes())
        colored = pixels.max(2) != pixels.min(2)
        numpy.testing.assert_array_equal(pixels[~colored][:, 0], self.shrunk(colored)[~colored])
        return colored, numpy.load(self.folder / "x.npz")["keypoints"]

    def test_a_circle_and_a_line_for_each_keypoint(self):
        colored, keypoints = self.drawn("--extractor", "akaze", "--max-descriptors", "4")
        near = numpy.zeros_like(colored)
        y, x = numpy.mgrid[:180, :240]
        for at_x, at_y, scale, orientation, _ in keypoints:
            radius = max(2, 2.5 * scale)
            distance = numpy.hypot(x - at_x, y - at_y)
            near |= distance < radius + 2
            for angle in numpy.arange(0, 6.3, 0.1):
                self.assertTrue(colored[round(at_y + radius * numpy.sin(angle)), round(at_x + radius * numpy.cos(angle))])
            half = at_y + radius / 2 * numpy.sin(orientation), at_x + radius / 2 * numpy.cos(orientation)
            self.assertTrue(colored[round(half[0]), round(half[1])])
        self.assertFalse((colored & ~near).any())

    def test_outlines_of_patches_while_there_is_room(self):
        colored, keypoints = self.drawn("--max-descriptors", "3")
        expected = numpy.zeros_like(colored)
        for x, y, scale, *_ in keypoints:
            left, top, side = round(x - 10 * scale + 0.5), round(y - 10 * scale + 0.5), round(20 * scale)
            expected[top : top + side, left : left + side] = True
            inside = expected[top + 1 : top + side - 1, left + 1 : left + side - 1]
            inside[:] = False
        self.assertEqual(colored[expected].mean(), 1)
        self.assertLess(colored.mean(), 0.02)
        # without room, dots: the picture stays visible
        colored, keypoints = self.drawn()
        self.assertGreater(len(keypoints), 1000)
        self.assertTrue(0.05 < colored.mean() < 0.5, colored.mean())

    def test_the_picture_is_as_it_was_extracted(self):
        self.assertEqual(self.drawn("--max-side", "120")[0].shape, (90, 120))
        before = set(os.listdir(self.folder))
        self.run_program("extract", "--draw", "flat.png", "--threshold", "1e9", "p.pgm")
        self.assertEqual((self.folder / "flat.png").read_bytes()[:4], b"\x89PNG")
        self.assertEqual(set(os.listdir(self.folder)) - before, {"flat.png"})

    def test_what_cannot_be_drawn_costs_nothing_else(self):
        """It is reported before the picture is opened, which here would be reported instead."""
        done = self.run_program("extract", "-o", "y.npy", "--draw", "no/such.png", "none.pgm", status=3)
        self.assert_one_line(done.stderr, "no/such.png: cannot be created", "make its folder first")
        self.assertEqual(sorted(os.listdir(self.folder)), ["p.pgm"])

    def test_wrong_usage(self):
        self.run_program("extract", "-o", "x.npy", "--draw", "p.bmp", "p.pgm")
        for words, call in ((("--draw shows one picture", "there are 2"), ["--draw", "o.png", "p.pgm", "p.pgm"]),
                           (("x.npy holds descriptors",), ["--draw", "o.png", "x.npy"]),
                           (("o.txt does not end like a picture", ".png"), ["--draw", "o.txt", "p.pgm"]),
                           (("o.pgm does not end like a picture with colors", ".png"), ["--draw", "o.pgm", "p.pgm"]),
                           (("nothing to write", "--draw"), ["p.pgm"]),
                           (("p.bmp would replace p.bmp",), ["--draw", "p.bmp", "p.bmp"])):
            self.assert_one_line(self.run_program("extract", *call, status=2).stderr, *words)


if __name__ == "__main__":
    unittest.main()
