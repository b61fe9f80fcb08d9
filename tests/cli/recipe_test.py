"""Options of a recipe that change which keypoints there are: small pictures enlarged, keypoints spread over cells."""
import json
import unittest

import numpy

from program import ProgramTest, complaints, write_picture

BOTH = ["--extractor", "surf", "--threshold", "10", "--max-descriptors", "200", "--spread", "4", "--max-side", "320", "--enlarge"]


def places(new, old):
    """Where new pixels lie among old ones along an axis: two of these, and the second's weight in 2048ths."""
    at = numpy.clip((2 * numpy.arange(new) + 1) * old - new, 0, (old - 1) * 2 * new)
    weight, left = numpy.divmod(at % (2 * new) * 2048, 2 * new)
    weight += (left > new) | ((left == new) & (weight % 2 == 1))
    return at // (2 * new), numpy.minimum(at // (2 * new) + 1, old - 1), weight


def enlarged(pixels, width, height):
    left, right, across = places(width, pixels.shape[1])
    upper, lower, down = places(height, pixels.shape[0])
    wide = pixels[:, left].astype(int) * (2048 - across) + pixels[:, right].astype(int) * across
    return (wide[upper] * (2048 - down)[:, None] + wide[lower] * down[:, None] + 2**21 >> 22).astype("u1")


class Recipe(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "in").mkdir()
        for seed, size in enumerate([(240, 180), (90, 130), (400, 300)]):
            write_picture(self.folder / f"in/{seed}.pgm", seed, *size)

    def histograms(self, *call):
        return self.run_program("--centroids", "c.bin", *call, "in").stdout

    def keypoints(self, *call):
        self.run_program("extract", "-o", "x.npz", *call)
        return numpy.load(self.folder / "x.npz")["keypoints"]

    def test_a_vocabulary_remembers_both(self):
        done = self.run_program("train", "-k", "8", "-o", "c.bin", *BOTH, "in")
        self.assertEqual(complaints(done.stderr), [])
        recorded = json.loads((self.folder / "c.bin.json").read_text())["extractor"]
        self.assertEqual((recorded["spread"], recorded["enlarge"], recorded["max_side"]), (4, True, 320))
        rows = self.histograms()
        self.assertEqual(rows, self.histograms(*BOTH))
        # the command line takes precedence: either option can be left out
        seen = {rows, self.histograms("--spread", "0"), self.histograms("--enlarge=false"), self.histograms("--spread", "2"),
                self.histograms("--enlarge=false", "--spread", "0"), self.histograms("--max-descriptors", "0", "--spread", "0")}
        self.assertEqual(len(seen), 6)
        # its descriptors stay comparable with others
        self.run_program("extract", "-o", "plain/", "--extractor", "surf", "in")
        self.assertEqual(len(self.run_program("--centroids", "c.bin", "plain").stdout.splitlines()), 4)
        done = self.run_program("--centroids", "c.bin", "--upright", "in", status=2)
        self.assert_one_line(done.stderr, "--max-descriptors 200 --spread 4 --max-side 320 --enlarge, but --extractor surf --upright")

    def test_enlarged_pixels(self):
        pixels = numpy.frombuffer((self.folder / "in/1.pgm").read_bytes()[-90 * 130 :], "u1").reshape(130, 90)
        (self.folder / "large.pgm").write_bytes(b"P5 222 320 255\n" + enlarged(pixels, 222, 320).tobytes())
        surf = ["--extractor", "surf", "--max-side", "320"]
        found = self.keypoints(*surf, "--enlarge", "in/1.pgm")
        self.assertGreater(len(found), 50)
        self.assertGreater(found[:, 1].max(), 250)  # pixels of the picture as it was extracted
        numpy.testing.assert_array_equal(found, self.keypoints(*surf, "large.pgm"))
        numpy.testing.assert_array_equal(self.keypoints(*surf, "--enlarge", "in/2.pgm"), self.keypoints(*surf, "in/2.pgm"))
        self.assertGreater(len(found), 2 * len(self.keypoints(*surf, "in/1.pgm")))
        self.run_program("extract", "--draw", "x.bmp", *surf, "--enlarge", "in/1.pgm")
        header = (self.folder / "x.bmp").read_bytes()
        self.assertEqual([int.from_bytes(header[at : at + 4], "little") for at in (18, 22)], [222, 320])

    def test_spread_keypoints(self):
        surf = ["--extractor", "surf", "--threshold", "1", "in/2.pgm"]
        every = [tuple(one) for one in self.keypoints(*surf)]
        few = [tuple(one) for one in self.keypoints("--max-descriptors", "100", "--spread", "5", *surf)]
        strongest = [tuple(one) for one in self.keypoints("--max-descriptors", "50", *surf)]
        self.assertEqual(len(few), 100)
        self.assertLessEqual(set(strongest), set(few))
        self.assertEqual(few, [one for one in every if one in set(few)])  # in their order
        cells = numpy.zeros((5, 5), int)
        for one in set(few) - set(strongest):
            cells[int((one[1] + 0.5) * 5 // 300), int((one[0] + 0.5) * 5 // 400)] += 1
        self.assertEqual((cells.min(), cells.max()), (2, 2))

    def test_what_makes_no_sense(self):
        for call, words in ((["--extractor", "surf", "--spread", "8"], ["--spread 8 takes half of --max-descriptors"]),
                            (["--max-descriptors", "100", "--spread", "8"], ["--spread is no option of dense"]),
                            (["--extractor", "surf", "--spread", "17"], ["--spread", "0 to 16", "17"]),
                            (["--enlarge", "--max-side", "0"], ["--enlarge", "--max-side, which is 0"])):
            done = self.run_program("extract", "-o", "d/", *call, "in", status=2)
            self.assert_one_line(done.stderr, *words)
        call = ["extract", "-o", "d/", "--enlarge", "--max-side", "5000", "in/0.pgm", "in/1.pgm"]
        done = self.run_program(*call, "--max-bytes", "1000000", status=3)
        self.assertIn(b"in/0.pgm: 240x180 pixels that take ", done.stderr)
        self.assertIn(b"raise --max-bytes", done.stderr)


if __name__ == "__main__":
    unittest.main()
