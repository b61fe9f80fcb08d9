"""Models, codes and pyramids of what is hardly there: of no descriptor, of one, of few or equal pictures."""
import json
import unittest
import zipfile

import numpy

from program import ProgramTest, write_picture

SMALL = ["--kernel", "simd", "--sample", "3000", "--iterations", "4"]


class BadInput(ProgramTest):
    def prepare(self):
        self.names = [f"{seed}.pgm" for seed in range(5)]
        self.write_pictures(self.names, 90, 70)
        (self.folder / "flat.pgm").write_bytes(b"P5\n90 90\n255\n" + b"\x80" * 8100)
        (self.folder / "pixel.pgm").write_bytes(b"P5\n1 1\n255\n\x80")
        # a patch of 8 pixels, and no other
        write_picture(self.folder / "large.pgm", 1, 40, 40)
        pixels = (self.folder / "large.pgm").read_bytes()[-1600:]
        (self.folder / "one.pgm").write_bytes(b"P5\n8 8\n255\n" + b"".join(pixels[40 * i: 40 * i + 8] for i in range(4, 12)))

    def learn(self, *more, output="m.npz", k="6", status=0):
        return self.run_program("train", "--model", "vlad", "-k", k, *SMALL, "-o", output, *more, status=status)

    def codes(self, *inputs, model="m.npz", status=0):
        done = self.run_program("--centroids", model, "--kernel", "simd", "-o", "codes.npz", *inputs, status=status)
        with numpy.load(self.folder / "codes.npz") as made:
            return made["rows"], done.stderr.decode()

    def test_pictures_without_descriptors_and_with_one(self):
        self.run_program("extract", "--patches", "8,16,24,32,48,64", "--step", "8", "-o", "x.npy", "one.pgm")
        self.assertEqual(len(numpy.load(self.folder / "x.npy")), 1)
        self.learn("--reduce", "3", *self.names)
        codes, _ = self.codes("flat.pgm", "one.pgm", "pixel.pgm", "0.pgm")
        self.assertEqual([bool(code.any()) for code in codes], [False, True, False, True])
        self.assertEqual(numpy.abs(codes[1]).max(), 127)
        self.learn("--reduce", "0", *self.names, output="whole.npz")
        rows, _ = self.codes("flat.pgm", "one.pgm", model="whole.npz")
        self.assertFalse(rows[0].any())
        self.assertAlmostEqual(numpy.linalg.norm(rows[1]), 1, places=5)
        # one descriptor and its mirrored one reach two words at most
        self.assertLessEqual((rows[1].reshape(6, -1) != 0).any(axis=1).sum(), 2)
        # nothing to learn from
        for inputs in (["flat.pgm"], ["flat.pgm", "pixel.pgm"]):
            before = (self.folder / "m.npz").read_bytes()
            self.learn(*inputs, status=3)
            self.assertEqual((self.folder / "m.npz").read_bytes(), before)
        # among others they change nothing
        self.learn("--reduce", "3", *self.names, "flat.pgm", "pixel.pgm", output="t.npz")
        with numpy.load(self.folder / "t.npz") as one, numpy.load(self.folder / "m.npz") as other:
            numpy.testing.assert_array_equal(one["words"], other["words"])

    def test_fewer_pictures_than_numbers_in_a_code(self):
        for inputs, most in ((self.names, 4), (self.names[:2], 1), (self.names[:1], 0), (["0.pgm"] * 4, 0)):
            self.learn("--reduce", "16", *inputs)
            with numpy.load(self.folder / "m.npz") as model:
                axes, meta = model["axes"], json.loads(str(model["meta"]))
            self.assertEqual((len(axes), meta["images"]), (16, len(inputs)))
            self.assertLessEqual(axes.any(axis=1).sum(), most)
            codes, _ = self.codes(*self.names)
            self.assertEqual(codes.shape, (5, 16))
            self.assertFalse(codes[:, most:].any())
            self.assertEqual(codes.any(), most > 0)

    def test_more_words_than_descriptors(self):
        done = self.learn("one.pgm", status=3)
        self.assert_one_line(done.stderr, "6")
        # fewer rows than components: whiten has no variance to divide by
        self.learn("--reduce", "0", "one.pgm", k="1")
        with numpy.load(self.folder / "m.npz") as model:
            self.assertTrue(all(numpy.isfinite(model[name]).all() for name in ("words", "mean", "whiten")))
        self.assertTrue(numpy.isfinite(self.codes("one.pgm", "1.pgm")[0]).all())
        # as many words as rows: each row is its word, and no difference is left
        self.learn("--prepare", "root", "--reduce", "0", "one.pgm", k="1")
        self.assertFalse(self.codes("one.pgm")[0].any())

    def test_rows_and_memory_have_bounds(self):
        # 2^24 numbers, by 52 dimensions a word
        few = [option for option in SMALL if option not in ("--sample", "3000")]
        def learn(*arguments):
            return self.run_program("train", "--model", "vlad", *few, "--sample", "400000", "-o", "t.npz", *arguments, *self.names, status=2)
        refused = learn("-k", "322639")
        self.assert_one_line(refused.stderr, "322639 words of 52 dimensions", "16777216 numbers", "-k 322638")
        refused = learn("--prepare", "root", "-k", "262145")
        self.assert_one_line(refused.stderr, "-k 262144")
        # 3000 rows take little, those of 1000 pictures more
        many = self.run_program("train", "--model", "vlad", *SMALL, "-k", "1500", "--memory", "150M", "-o", "t.npz", *self.names * 200, status=2)
        self.assert_one_line(many.stderr, "to learn a projection from 1000 pictures' rows of 78000 numbers", "--reduce 0")

    def test_models_of_another_recipe_and_damaged_ones(self):
        self.learn("--reduce", "3", *self.names)
        self.learn("--reduce", "3", "--extractor", "surf", "--threshold", "0", *self.names, output="surf.npz")
        self.run_program("extract", "--extractor", "surf", "-o", "k.npz", "0.pgm")
        self.learn("--prepare", "root,scale", "--reduce", "3", *self.names)
        _, said = self.codes("k.npz", "1.pgm", status=1)
        self.assertIn("k.npz: made with --extractor surf", said)
        for options in (["--extractor", "surf"], ["--equalize"], ["--patches", "16,32"]):
            done = self.run_program("--centroids", "m.npz", *options, "-o", "t.npz", "0.pgm", status=2)
            self.assert_one_line(done.stderr, "the vocabulary was trained with --extractor dense", options[0])
        self.run_program("--centroids", "surf.npz", "--kernel", "simd", "-o", "t.npz", "0.pgm")
        done = self.run_program("assign", "--centroids", "m.npz", "-o", "t.npy", "0.pgm", status=3)
        self.assert_one_line(done.stderr, "m.npz: is a model of codes and no vocabulary", "give c.bin")
        for name in ("words.npy", "meta.npy", "axes.npy", "offsets.npy"):
            with zipfile.ZipFile(self.folder / "m.npz") as whole, zipfile.ZipFile(self.folder / "less.npz", "w") as less:
                for entry in whole.namelist():
                    if entry != name:
                        less.writestr(entry, whole.read(entry))
            done = self.run_program("--centroids", "less.npz", "-o", "t.npz", "0.pgm", status=3)
            self.assert_one_line(done.stderr, "less.npz")
        with zipfile.ZipFile(self.folder / "m.npz") as whole, zipfile.ZipFile(self.folder / "less.npz", "w") as changed:
            for entry in whole.namelist():
                data = whole.read(entry)
                changed.writestr(entry, data[:-1] + bytes([data[-1] ^ 1]) if entry == "words.npy" else data)
        done = self.run_program("--centroids", "less.npz", "-o", "t.npz", "0.pgm", status=3)
        self.assert_one_line(done.stderr, "less.npz: was changed since it was written", "learn it again")

    def test_a_pyramid_of_a_picture_of_one_pixel(self):
        self.run_program("train", "-k", "6", *SMALL, "-o", "c.bin", *self.names)
        for cells in ("1x1", "32x32", "1x1,2x2,3x1,4x4"):
            self.run_program("--centroids", "c.bin", "--kernel", "simd", "--encode", "pyramid", "--cells", cells, "-o", "p.npy",
                             "pixel.pgm", "flat.pgm", "0.pgm")
            rows = numpy.load(self.folder / "p.npy")
            self.assertEqual([bool(row.any()) for row in rows], [False, False, True])
            sums = rows[2].reshape(-1, 6).sum()
            self.assertEqual(sums % (cells.count(",") + 1), 0)  # each grid counts each descriptor


if __name__ == "__main__":
    unittest.main()
