"""filter, and the preprocessing options of the verbs that extract."""
import json
import pathlib
import unittest

import numpy

from program import ProgramTest, complaints, write_picture


def read_pgm(path):
    magic, size, _, pixels = pathlib.Path(path).read_bytes().split(b"\n", 3)
    assert magic == b"P5", magic
    width, height = map(int, size.split())
    return numpy.frombuffer(pixels, numpy.uint8).reshape(height, width)


class Filter(ProgramTest):
    def prepare(self):
        write_picture(self.folder / "p.pgm", 1, 200, 150)
        self.pixels = read_pgm(self.folder / "p.pgm").astype(float)

    def filtered(self, *options):
        done = self.run_program("filter", "p.pgm", "-o", "out.pgm", *options)
        self.assertEqual(done.stdout + done.stderr, b"")
        return read_pgm(self.folder / "out.pgm")

    def refused(self, status, words, *arguments):
        done = self.run_program(*arguments, status=status)
        self.assert_one_line(done.stderr, *words)
        self.assertEqual(done.stdout, b"")

    def test_a_file_s_filter_is_not_flipped(self):
        (self.folder / "left.txt").write_text("1 0 0\n")
        expected = numpy.roll(self.pixels, 1, axis=1)
        expected[:, 0] = self.pixels[:, 1]
        numpy.testing.assert_array_equal(self.filtered("--filter", "left.txt"), expected)
        expected[:, 0] = 0
        numpy.testing.assert_array_equal(self.filtered("--filter", "left.txt", "--border", "zero"), expected)
        expected[:, 0] = self.pixels[:, 0]
        numpy.testing.assert_array_equal(self.filtered("--filter", "left.txt", "--border", "replicate"), expected)

    def test_a_blur_of_0_is_none(self):
        numpy.testing.assert_array_equal(self.filtered("--blur", "0"), self.pixels)
        sharp = self.filtered("--filter", "sharpen")
        numpy.testing.assert_array_equal(self.filtered("--blur", "0", "--filter", "sharpen"), sharp)

    def test_wrong_usage_names_the_range(self):
        for sigma in ("0.4", "-1", "nan", "x", "10001", ""):
            self.refused(2, ["--blur", "0.5"], "filter", "p.pgm", "-o", "o.png", "--blur", sigma)
        for name in ("sobel", "scharr"):  # which have a direction
            self.refused(2, [name + "-x", name + "-y"], "filter", "p.pgm", "-o", "o.png", "--filter", name)
        self.refused(2, ["1 to 31"], "filter", "p.pgm", "-o", "o.png", "--filter", "box:33")
        self.refused(2, ["0.5 to 5"], "filter", "p.pgm", "-o", "o.png", "--filter", "gaussian:6")
        self.refused(2, ["none.txt", "sobel-x"], "filter", "p.pgm", "-o", "o.png", "--filter", "none.txt")
        self.refused(2, ["reflect"], "filter", "p.pgm", "-o", "o.png", "--equalize", "--border", "wrap")
        (self.folder / "even.txt").write_text("1 2\n3 4\n")
        self.refused(2, ["even.txt", "2x2", "1 to 31"], "filter", "p.pgm", "-o", "o.png", "--filter", "even.txt")
        self.refused(2, ["nothing to do"], "filter", "p.pgm", "-o", "o.png")
        self.refused(2, ["0 pictures"], "filter", "-o", "o.png", "--equalize")
        self.refused(2, ["2 pictures"], "filter", "p.pgm", "p.pgm", "-o", "o.png", "--equalize")
        self.refused(2, ["o.txt", ".png"], "filter", "p.pgm", "-o", "o.txt", "--equalize")
        self.refused(2, ["p.pgm"], "filter", "p.pgm", "-o", "p.pgm", "--equalize")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"p.pgm", "even.txt"})

    def test_the_histogram_and_the_integral_image_are_numpy_s(self):
        pixels = self.pixels.astype(numpy.uint8)
        files = ["--histogram", "h.npy", "--integral", "s.npy"]
        done = self.run_program("filter", "p.pgm", *files)
        self.assertEqual(done.stdout + done.stderr, b"")
        self.assert_sums(pixels)
        for steps in (["--equalize"], ["--blur", "2", "--filter", "sobel-x"]):
            self.assert_sums(self.filtered(*steps, *files))
            self.run_program("filter", "p.pgm", *steps, *files)  # no picture is needed
            self.assert_sums(read_pgm(self.folder / "out.pgm"))
        self.run_program("filter", "p.pgm", "--max-side", "64", "--integral", "small.npy")
        self.assertEqual(numpy.load(self.folder / "small.npy").shape, (49, 65))

    def assert_sums(self, pixels):
        histogram = numpy.load(self.folder / "h.npy")
        self.assertEqual(histogram.dtype, numpy.uint32)
        numpy.testing.assert_array_equal(histogram, numpy.bincount(pixels.ravel(), minlength=256))
        sums = numpy.load(self.folder / "s.npy")
        self.assertEqual(sums.dtype, numpy.uint64)
        expected = numpy.zeros((pixels.shape[0] + 1, pixels.shape[1] + 1), numpy.uint64)
        expected[1:, 1:] = pixels.cumsum(0, numpy.uint64).cumsum(1)
        numpy.testing.assert_array_equal(sums, expected)
        for name in ("h.npy", "s.npy"):
            (self.folder / name).unlink()

    def test_sums_beyond_32_bits(self):
        """A white picture whose greys add up to more than 2**32."""
        (self.folder / "white.pgm").write_bytes(b"P5\n4200 4200\n255\n" + b"\xff" * 4200 * 4200)
        self.run_program("filter", "white.pgm", "--histogram", "h.npy", "--integral", "s.npy")
        self.assertGreater(255 * 4200 * 4200, 2 ** 32)
        self.assert_sums(numpy.full((4200, 4200), 255, numpy.uint8))

    def test_sums_need_a_place_of_their_own(self):
        self.refused(2, ["nothing to write", "-o", "--histogram", "--integral"], "filter", "p.pgm")
        self.refused(2, ["nothing to write"], "filter", "p.pgm", "--equalize")
        self.refused(2, ["nothing to do"], "filter", "p.pgm", "-o", "o.png", "--histogram", "h.npy")
        for option in ("--histogram", "--integral"):
            for name in ("h.csv", "h", "-"):
                self.refused(2, [option, ".npy"], "filter", "p.pgm", option, name)
            (self.folder / "p.npy").symlink_to("p.pgm")
            self.refused(2, ["p.npy", "p.pgm"], "filter", "p.pgm", option, "p.npy")
            (self.folder / "p.npy").unlink()
        self.refused(2, ["x.npy", "written twice"], "filter", "p.pgm", "--histogram", "x.npy", "--integral", "./x.npy")
        self.refused(2, ["0 pictures"], "filter", "--histogram", "h.npy")
        self.refused(3, ["nowhere"], "filter", "p.pgm", "-o", "o.pgm", "--equalize", "--integral", "nowhere/s.npy")
        self.refused(3, ["nowhere"], "filter", "p.pgm", "-o", "nowhere/o.pgm", "--equalize", "--integral", "s.npy")
        self.refused(3, ["no-such"], "filter", "p.pgm", "--histogram", "h.npy", "--device", "no-such")
        self.refused(3, ["no-such"], "filter", "p.pgm", "-o", "o.png", "--equalize", "--device", "no-such")
        self.refused(3, ["none.png"], "filter", "none.png", "-o", "o.png", "--equalize")
        self.assertEqual([p.name for p in self.folder.iterdir()], ["p.pgm"])


class Preprocessing(ProgramTest):
    def prepare(self):
        self.names = [f"p{seed}.pgm" for seed in range(5)]
        self.write_pictures(self.names, 400, 300)

    def histograms(self, *options, **run):
        return self.run_program("--centroids", "c.bin", *options, *self.names, **run)

    def test_the_same_as_pictures_filtered_beforehand(self):
        steps = ["--equalize", "--blur", "0.8", "--filter", "sharpen"]
        for threads in ("1", "2"):
            self.run_program("extract", "-j", threads, "-o", f"by{threads}", "--max-side", "0", *steps, *self.names)
        for name in self.names:
            self.run_program("filter", name, "-o", "filtered.pgm", *steps)
            self.run_program("extract", "-o", "filtered.npy", "--max-side", "0", "filtered.pgm")
            expected = (self.folder / "filtered.npy").read_bytes()
            for threads in ("1", "2"):
                made = (self.folder / f"by{threads}" / name).with_suffix(".npy")
                self.assertEqual(made.read_bytes(), expected, name)

    def test_the_vocabulary_remembers(self):
        (self.folder / "mine.txt").write_text("0 -1 0\n-1 5 -1\n0 -1 0\n")
        self.run_program("train", "-k", "8", "-o", "c.bin", "--blur", "0.8", "--filter", "mine.txt", *self.names)
        made = json.loads((self.folder / "c.bin.json").read_text())["extractor"]["preprocessing"]
        self.assertEqual(made["equalize"], False)
        self.assertEqual(made["blur"], 0.8)
        self.assertEqual(made["filter"]["name"], "mine.txt")
        self.assertEqual(made["filter"]["weights"], [0, -1, 0, -1, 5, -1, 0, -1, 0])
        said = self.histograms("--blur", "0.8", "--filter", "mine.txt").stdout
        (self.folder / "mine.txt").unlink()  # the vocabulary holds the weights
        self.assertEqual(self.histograms().stdout, said)
        self.assertEqual(self.histograms("--filter", "sharpen").stdout, said)  # the same weights
        for options in (["--blur", "2"], ["--blur", "0"], ["--equalize"], ["--filter", "box"]):
            done = self.histograms(*options, status=2)
            self.assert_one_line(done.stderr, "--blur 0.8 --filter mine.txt", " ".join(options))

    def test_a_blur_of_0_is_what_a_vocabulary_without_one_wants(self):
        self.run_program("train", "-k", "8", "-o", "c.bin", "--blur", "0", *self.names)
        self.assertNotIn("preprocessing", (self.folder / "c.bin.json").read_text())
        self.assertEqual(self.histograms("--blur", "0").stdout, self.histograms().stdout)
        self.run_program("train", "-k", "8", "-o", "c.bin", "--equalize", *self.names)
        self.assertEqual(self.histograms("--blur", "0").stdout, self.histograms().stdout)
        done = self.histograms("--blur", "0", "--equalize=false", status=2)
        self.assert_one_line(done.stderr, " --equalize --max-side", "--equalize=false --blur 0 was asked for")

    def test_descriptors_made_otherwise_do_not_fit(self):
        self.run_program("train", "-k", "8", "-o", "c.bin", "--equalize", *self.names)
        self.run_program("extract", "-o", "plain.npy", "p0.pgm")
        self.run_program("extract", "-o", "equal.npy", "--equalize", "p0.pgm")
        done = self.run_program("--centroids", "c.bin", "plain.npy", "equal.npy", status=1)
        self.assert_one_line(done.stderr, "skipped plain.npy", "--equalize")

    def test_a_sidecar_s_fault_is_no_usage(self):
        self.run_program("train", "-k", "8", "-o", "c.bin", "--blur", "2", *self.names)
        self.run_program("extract", "-o", "d.npy", "--blur", "2", "p0.pgm")
        for old, new, words in (('"blur": 2.0', '"blur": -1', ["sigma -1", "0.5 to 10000"]),
                                ('"blur": 2.0', '"blur": 0.1', ["sigma 0.1"]),
                                ('"blur": 2.0', '"blur": 20000', ["sigma 20000"]),
                                ('"blur": 2.0', '"blur": 2, "filter": {"name": "f", "width": 2, "height": 1, "weights": [1, 1]}',
                                 ["2x1 weights"]),
                                ('"threshold": 1.0', '"threshold": -4', ["threshold of -4"]),
                                ('"dense"', '"orb"', ["orb", "akaze"])):
            for name in ("c.bin.json", "d.npy.json"):
                whole = (self.folder / name).read_text()
                self.assertEqual(whole.count(old), 1)
                (self.folder / name).write_text(whole.replace(old, new))
                with self.subTest(name=name, new=new):
                    if name == "c.bin.json":
                        self.assert_one_line(self.histograms(status=3).stderr, name, *words)
                    else:
                        done = self.run_program("--centroids", "c.bin", "d.npy", status=3)
                        self.assert_one_line(done.stderr, "skipped d.npy", words[0])
                (self.folder / name).write_text(whole)

    def test_descriptor_files_need_no_device(self):
        self.run_program("train", "-k", "8", "-o", "c.bin", "--blur", "2", *self.names)
        self.run_program("extract", "-o", "d", "--blur", "2", *self.names)
        files = [f"d/p{seed}.npy" for seed in range(5)]
        expected = self.histograms().stdout
        nothing = {"OCL_ICD_VENDORS": str(self.folder)}  # no OpenCL at all
        done = self.run_program("--centroids", "c.bin", "--kernel", "serial", *files, environment=nothing)
        self.assertEqual(done.stdout, expected)
        self.run_program("train", "-k", "8", "-o", "again.bin", "--blur", "2", *files, environment=nothing)
        self.assertEqual((self.folder / "again.bin").read_bytes(), (self.folder / "c.bin").read_bytes())
        self.run_program("extract", "-o", "copy", "--blur", "2", *files, environment=nothing)
        self.histograms("--kernel", "serial", "d/p0.npy", environment=nothing, status=3)

    def test_options_that_leave_descriptor_files_out_are_reported_once(self):
        self.run_program("extract", "-o", "d", *self.names)
        files = [f"d/p{seed}.npy" for seed in range(5)]
        self.run_program("train", "-k", "8", "-o", "c.bin", *files)
        for command, steps in ((["train", "-k", "8", "-o", "t.bin"], ["--equalize", "--blur", "2"]), (["extract", "-o", "e"], ["--blur", "2"])):
            done = self.run_program(*command, *steps, *files)
            self.assert_one_line(done.stderr, "warning", "d/p0.npy", " ".join(steps))
            self.assertEqual(complaints(self.run_program(*command, "--blur", "0", *files).stderr), [])
            self.assertEqual(complaints(self.run_program(*command, *steps, "p0.pgm", *([] if "train" in command else self.names)).stderr), [])
        self.assertEqual((self.folder / "t.bin").read_bytes()[:4], b"\x08\0\0\0")
        self.run_program("train", "-k", "8", "-o", "c.bin", "--blur", "2", *self.names)
        self.run_program("extract", "-o", "d", "--blur", "2", *self.names)
        self.assert_one_line(self.run_program("--centroids", "c.bin", "--blur", "2", *files).stderr, "warning", "--blur 2")
        self.assertEqual(complaints(self.run_program("--centroids", "c.bin", *files).stderr), [])

    def test_off_by_default_and_then_no_device_is_asked(self):
        self.run_program("train", "-k", "8", "-o", "c.bin", "--kernel", "serial", *self.names)
        self.assertNotIn("preprocessing", (self.folder / "c.bin.json").read_text())
        nothing = {"OCL_ICD_VENDORS": str(self.folder)}  # no OpenCL at all
        self.histograms("--kernel", "serial", environment=nothing)
        self.run_program("extract", "-o", "d.npy", "p0.pgm", environment=nothing)
        done = self.run_program("extract", "-o", "e.npy", "--equalize", "p0.pgm", environment=nothing, status=3)
        self.assertIn(b"OpenCL", done.stderr)


if __name__ == "__main__":
    unittest.main()
