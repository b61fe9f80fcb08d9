"""What a run over many inputs prints: progress on its way, and at its end what became of them."""
import csv
import re
import time
import unittest

import numpy

from program import LAST_LINE, ProgramTest, complaints, write_picture


class LastLine(ProgramTest):
    def prepare(self):
        for name in ("p/a.pgm", "p/sub/b.pgm"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_picture(self.folder / name, 1)
        self.run_program("train", "-k", "4", "-o", "c.bin", "p")
        for name in ("p/notes.txt", "p/sub/raw.cr2", "p/plain.npy"):
            (self.folder / name).write_text("x")

    def train_akaze(self):
        """It is slow enough for progress, and finds few keypoints."""
        self.run_program("train", "--extractor", "akaze", "-k", "4", "-o", "c.bin", "p/a.pgm", "p/sub/b.pgm")

    def test_short_times_have_three_digits(self):
        done = self.run_program("--centroids", "c.bin", "-o", "h.csv", "p/a.pgm")
        self.assertRegex(LAST_LINE.fullmatch(done.stderr.decode())[4], r"^([01]\.\d{3}|[1-9]\d*\.\d)$")

    def last_line(self, done):
        found = LAST_LINE.fullmatch(done.stderr.decode().splitlines()[-1])
        self.assertTrue(found, done.stderr)
        return tuple(int(number) for number in found.groups()[:3])

    def test_read_skipped_and_ignored_are_counted(self):
        for arguments in (["--centroids", "c.bin"], ["train", "-k", "2", "-o", "t.bin"], ["extract", "-o", "d"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.last_line(self.run_program(*arguments, "p")), (2, 0, 3))
                done = self.run_program(*arguments, "p/notes.txt", "p", "missing.jpg", status=1)
                self.assertEqual(self.last_line(done), (2, 2, 3))
                self.assertEqual(len(complaints(done.stderr)), 2)
                self.assertEqual(self.last_line(self.run_program(*arguments, "p/a.pgm")), (1, 0, 0))
                self.assertEqual(self.last_line(self.run_program(*arguments, "-v", "p")), (2, 0, 3))
                self.assertEqual(self.run_program(*arguments, "-q", "p").stderr, b"")

    def test_what_is_ignored_is_told_by_kind(self):
        call = ["--centroids", "c.bin", "p"]
        reported = self.run_program(*call).stderr.decode()
        self.assertIn(" 3 ignored: 1 .cr2, 1 .npy, 1 .txt, ", reported)
        for name in ("._a.pgm", "._b.txt", "b.TXT", "sub/c.txt", "none", "x." + "y" * 200, "x.\x1b[31m", "x.\udcff", "x.a,b"):
            (self.folder / "p" / name).write_text("x")
        reported = self.run_program(*call).stderr.decode()
        self.assertIn(" 12 ignored: 3 .txt, 2 ._*, 1 .cr2, 1 .npy, 1 no ending, 4 others, ", reported)
        self.last_line(self.run_program(*call))
        for number in range(50):
            (self.folder / "p" / f"x.k{number}").write_text("x")
        reported = self.run_program(*call).stderr.decode()
        self.assertIn(" 62 ignored: 3 .txt, 2 ._*, 1 .cr2, 1 .k0, 1 .k1, 54 others, ", reported)

    def test_seconds_are_the_run_s(self):
        start = time.monotonic()
        reported = self.run_program("--centroids", "c.bin", *["p"] * 20).stderr.decode()
        taken = time.monotonic() - start
        seconds = float(LAST_LINE.fullmatch(reported).group(4))
        self.assertLess(seconds, taken + 0.1)  # printed with one decimal

    def test_few_descriptors_are_counted_with_what_helps(self):
        self.train_akaze()
        for number in range(3):
            (self.folder / f"flat{number}.pgm").write_bytes(b"P5\n64 64\n255\n" + bytes(64 * 64))
        write_picture(self.folder / "small.pgm", 1, 120, 100)
        names = ["flat0.pgm", "small.pgm", "p/a.pgm", "flat1.pgm", "flat2.pgm"]
        rows = list(csv.reader(self.run_program("--centroids", "c.bin", *names).stdout.decode().splitlines()))[1:]
        found = {row[0]: int(row[1]) for row in rows}
        self.assertEqual(found["flat1.pgm"], 0)
        self.assertTrue(0 < found["small.pgm"] < 50 <= found["p/a.pgm"], found)
        for arguments in (["--centroids", "c.bin"], ["train", "-k", "2", "-o", "t.bin"], ["extract", "-o", "d"]):
            arguments += ["--extractor", "akaze"]
            reported = self.run_program(*arguments, *names).stderr
            self.assert_one_line(reported, "4 of 5", "fewer than 50 descriptors", "3 of them none", "--threshold", "--max-side")
            reported = self.run_program(*arguments, "-v", *names).stderr.decode()
            self.assertIn("bowhist: flat1.pgm: 0 descriptors\n", reported)
            self.assertIn(f"bowhist: small.pgm: {found['small.pgm']} descriptors\n", reported)
        # who asked for few has no few; files of descriptors are as they are
        done = self.run_program("--centroids", "c.bin", "--max-descriptors", "5", "small.pgm", "p/a.pgm")
        self.assertEqual(complaints(done.stderr), [])
        self.write_descriptors("few.npy", 3)
        self.assertEqual(complaints(self.run_program("--centroids", "c.bin", "few.npy").stderr), [])

    def test_progress_tells_the_rate_and_the_time_left(self):
        self.train_akaze()
        done = self.run_program("--centroids", "c.bin", "--progress", "always", "-j", "1", *["p/a.pgm"] * 60)
        lines = [line.strip() for line in re.split(r"[\r\n]", done.stderr.decode()) if " of 60 pictures" in line]
        middle = [line for line in lines if not line.startswith("60 ")]
        self.assertTrue(any(re.fullmatch(r"\d+ of 60 pictures, [0-9.e+]+/s, \d+ s left", line) for line in middle), lines)
        self.assertRegex(lines[-1], r"^60 of 60 pictures, [0-9.e+]+/s$")


class FewDescriptors(ProgramTest):
    """The advice at the end of a run is the extractor's, and it helps."""

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
                reported, found = self.extract(extractor, **few)
                below = min(threshold, {"dense": 1, "akaze": 0.001, "kaze": 0.001, "sift": 0.04}[extractor])
                steps = ", a --step below 4, for tiny pictures smaller --patches (in train, too)" if extractor == "dense" else ""
                self.assertIn(f" 1 of 1 inputs has fewer than 50 descriptors; try a --threshold below {below}{steps}, or for "
                              f"pictures over {side} pixels a --max-side above {side} (", reported)
                self.assertGreater(self.extract(extractor, **{**few, "threshold": below / 4})[1], found)
                self.assertGreater(self.extract(extractor, **{**few, "max_side": 4 * side})[1], found)
                if steps:
                    self.assertGreater(self.extract(extractor, **few, step=2)[1], found)
                    self.assertGreater(self.extract(extractor, **few, patches="8,12")[1], found)
        write_picture(self.folder / "p.pgm", 1, 40, 32)
        reported, _ = self.extract("dense", max_side=0, step=1, patches=8, threshold=1e9)
        self.assertIn(" descriptors, 1 of them none; try a --threshold below 1 (", reported)
        reported, _ = self.extract("dense", max_side=0, step=1, patches=64, threshold=1e-9)
        self.assertIn(" descriptors, 1 of them none; try for tiny pictures smaller --patches (in train, too) (", reported)


if __name__ == "__main__":
    unittest.main()
