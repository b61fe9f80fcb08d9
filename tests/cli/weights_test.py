"""Weights of words: counted by train, applied by --normalize, against a plain reference."""
import itertools
import json
import unittest

import numpy

from program import ProgramTest, levels, write_picture

SMALL = ["-k", "24", "--sample", "3000", "--iterations", "4"]


def tfidf(counts, images, _, images_with):
    rows = counts * (numpy.log((1 + images) / (1 + images_with)) + 1)
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def bm25(counts, images, descriptors, images_with):
    length = counts.sum(axis=1, keepdims=True) / (descriptors / images)
    idf = numpy.log(1 + (images - images_with + 0.5) / (images_with + 0.5))
    return idf * counts * 2.2 / (counts + 1.2 * (0.25 + 0.75 * length))


class Weights(ProgramTest):
    def prepare(self):
        self.names = [f"{seed}.pgm" for seed in range(9)]
        for seed, name in enumerate(self.names):
            write_picture(self.folder / name, seed, 60 + 5 * seed, 50)
        (self.folder / "flat.pgm").write_bytes(b"P5\n90 90\n255\n" + b"\x80" * 8100)

    def learn(self, *more, output="c.bin", idf="100"):
        self.run_program("train", "--kernel", "simd", "--idf", idf, *SMALL, "-o", output, *more)
        sidecar = json.loads((self.folder / f"{output}.json").read_text())
        found = sidecar.get("frequencies")
        return found and (found["images"], found["descriptors"], numpy.array(found["images_with"]))

    def rows(self, *more, output="h.npy", kernel="simd", status=0):
        done = self.run_program("--centroids", "c.bin", "--kernel", kernel, "-o", output, *more, status=status)
        return done if status else numpy.load(self.folder / output)

    def test_train_counts_the_pictures_that_hold_each_word(self):
        images, descriptors, images_with = self.learn(*self.names, "flat.pgm")
        counts = self.rows(*self.names)
        self.assertEqual((images, descriptors), (9, counts.sum()))
        numpy.testing.assert_array_equal(images_with, (counts > 0).sum(axis=0))
        self.assertTrue((images_with < 9).any())
        pair = (self.folder / "c.bin.json").read_bytes()
        for kernel in levels():
            self.run_program("train", "--kernel", kernel, "-j", "1", "--idf", "9999", *SMALL, "-o", "t.bin", *self.names, "flat.pgm")
            self.assertEqual((self.folder / "t.bin.json").read_bytes(), pair)
        self.run_program("extract", "-o", "all.fbin", ".")
        self.run_program("train", "--kernel", "simd", "--idf", "50", "--memory", "1G", *SMALL, "-o", "t.bin", "all.fbin")
        self.assertEqual(json.loads((self.folder / "t.bin.json").read_text())["frequencies"], json.loads(pair)["frequencies"])
        # resumed, too
        for _ in range(2):
            self.run_program("train", "--kernel", "simd", "--idf", "50", "--checkpoint", "p.npz", *SMALL, "-o", "t.bin", *self.names)
        self.assertEqual(json.loads((self.folder / "t.bin.json").read_text())["frequencies"], json.loads(pair)["frequencies"])
        # of some pictures, by the seed
        images, descriptors, images_with = self.learn(*self.names, idf="4")
        self.assertEqual(images, 4)
        found = [some for some in map(list, itertools.combinations(range(9), 4)) if counts[some].sum() == descriptors]
        self.assertIn(list(images_with), [list((counts[some] > 0).sum(axis=0)) for some in found])
        self.assertIsNone(self.learn(*self.names, idf="0"))

    def test_rows_are_what_the_definitions_say(self):
        for steps in ([], ["--prepare", "root,whiten:20,mirror"]):
            known = self.learn(*steps, *self.names)
            counts = self.rows(*self.names).astype("f8")
            for name, weigh in (("tfidf", tfidf), ("bm25", bm25)):
                made = self.rows("--normalize", name, *self.names, "flat.pgm")
                self.assertEqual(made.dtype, numpy.float32)
                numpy.testing.assert_allclose(made[:-1], weigh(counts, *known), rtol=1e-6)
                self.assertFalse(made[-1].any())
                for kernel in ("serial", "gpu2"):
                    numpy.testing.assert_array_equal(self.rows("--normalize", name, "-j", "1", *self.names, "flat.pgm", kernel=kernel),
                                                     made)
        call = ["--encode", "pyramid", "--cells", "1x1,2x1", *self.names]
        cells = self.rows(*call).astype("f8")
        images, descriptors, images_with = known
        for name, weigh in (("tfidf", tfidf), ("bm25", bm25)):
            expected = weigh(cells, images, 2 * descriptors, numpy.tile(images_with, 3))
            numpy.testing.assert_allclose(self.rows("--normalize", name, *call), expected, rtol=1e-6)

    def test_weighted_rows_are_grouped(self):
        self.learn(*self.names)
        self.run_program("--centroids", "c.bin", "--normalize", "tfidf", "-o", "h.npz", *self.names)
        with numpy.load(self.folder / "h.npz") as read:
            self.assertEqual(json.loads(str(read["meta"]))["normalization"], "tfidf")
        self.run_program("cluster", "-k", "2", "-o", "g.csv", "h.npz")
        done = self.run_program("cluster", "-k", "2", "--normalize", "tfidf", "-o", "g.csv", "h.npz", status=2)
        self.assert_one_line(done.stderr, 'leave it out here')

    def test_what_lacks_frequencies_is_refused(self):
        self.learn(*self.names, idf="0")
        done = self.rows("--normalize", "tfidf", "0.pgm", status=3)
        self.assert_one_line(done.stderr, "c.bin: how many pictures hold each word is not recorded", "--normalize tfidf",
                             "train it again, with --idf 1000")
        self.learn(*self.names)
        text = (self.folder / "c.bin.json").read_text()
        for damage, part in (({"images_with": [1] * 23}, "23 words"), ({"images": 0}, "no picture"),
                             ({"images_with": [10] * 24}, "10 of 9 pictures"), ({"images_with": [-1] * 24}, "whole numbers"),
                             ({"images": "nine"}, '"images"')):
            sidecar = json.loads(text)
            sidecar["frequencies"].update(damage)
            (self.folder / "c.bin.json").write_text(json.dumps(sidecar))
            self.assert_one_line(self.rows("--normalize", "bm25", "0.pgm", status=3).stderr, "c.bin.json", part)
        (self.folder / "c.bin.json").unlink()
        self.rows("--normalize", "bm25", "0.pgm", status=3)
        done = self.run_program("train", "--model", "vlad", "--idf", "5", "-o", "m.npz", "0.pgm", status=2)
        self.assert_one_line(done.stderr, "--idf is for words")
        done = self.run_program("train", "--idf", "5", "-k", "1048577", "--sample", "0", "-o", "t.bin", "0.pgm", status=2)
        self.assert_one_line(done.stderr, "--idf counts 1048576 words")


if __name__ == "__main__":
    unittest.main()
