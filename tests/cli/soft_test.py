"""Soft words: the m nearest of each descriptor, against numpy in float64."""
import hashlib
import json
import unittest

import numpy

from program import ProgramTest, levels, write_vocabulary

SMALL = ["-k", "40", "--sample", "3000", "--iterations", "4"]


class Soft(ProgramTest):
    def prepare(self):
        self.names = [f"{seed}.pgm" for seed in range(4)]
        self.write_pictures(self.names, 100, 80)

    def rows(self, *more, output="s.npy"):
        done = self.run_program("--centroids", "c.bin", "--encode", "soft", "-o", output, *more)
        return numpy.load(self.folder / output), done

    def expected(self, words, m):
        rows = []
        for name in self.names:
            self.run_program("extract", "-o", "x.npy", name)
            found = numpy.load(self.folder / "x.npy").astype("f8")
            order = ((found[:, None] - words[None]) ** 2).sum(axis=2).argsort(axis=1, kind="stable")[:, :m]
            rows.append(sum(numpy.bincount(order[:, rank], minlength=len(words)) * (order.shape[1] - rank)
                            for rank in range(order.shape[1])))
        return numpy.array(rows)

    def test_rows_count_the_nearest_words(self):
        self.run_program("train", "--kernel", "simd", "--idf", "9", *SMALL, "-o", "c.bin", *self.names)
        words = numpy.frombuffer((self.folder / "c.bin").read_bytes()[8:], "<f4").reshape(40, 64).astype("f8")
        rows, _ = self.rows(*self.names)
        numpy.testing.assert_array_equal(rows, self.expected(words, 5))
        for m in (1, 3, 64):  # of fewer words all
            numpy.testing.assert_array_equal(self.rows("--nearest", str(m), *self.names)[0], self.expected(words, m))
        self.run_program("--centroids", "c.bin", "-o", "h.npy", *self.names)
        numpy.testing.assert_array_equal(self.rows("--nearest", "1", *self.names)[0], numpy.load(self.folder / "h.npy"))
        self.rows("-j", "1", *self.names, output="t.npy")
        self.assertEqual((self.folder / "t.npy").read_bytes(), self.saved(rows))
        shares, _ = self.rows("--normalize", "hellinger", *self.names)
        numpy.testing.assert_allclose(shares, numpy.sqrt(rows / rows.sum(axis=1, keepdims=True)), rtol=1e-6)
        sidecar = json.loads((self.folder / "c.bin.json").read_text())["frequencies"]
        idf = numpy.log(1 + (sidecar["images"] - numpy.array(sidecar["images_with"]) + 0.5) /
                        (numpy.array(sidecar["images_with"]) + 0.5))
        length = rows.sum(axis=1, keepdims=True) / 15 / (sidecar["descriptors"] / sidecar["images"])
        numpy.testing.assert_allclose(self.rows("--normalize", "bm25", *self.names)[0],
                                      idf * rows * 2.2 / (rows + 1.2 * (0.25 + 0.75 * length)), rtol=1e-6)

    def saved(self, rows):
        numpy.save(self.folder / "numpy.npy", rows)
        self.assertEqual(rows.dtype, numpy.float32)
        return (self.folder / "numpy.npy").read_bytes()

    def test_prepared_rows_and_all_formats(self):
        self.run_program("train", "--kernel", "simd", "--prepare", "root,whiten:20,mirror", *SMALL, "-o", "c.bin", *self.names)
        call = ["--centroids", "c.bin", "--encode", "soft", "--nearest", "3", *self.names]
        self.run_program(*call, "-o", "s.npz")
        with numpy.load(self.folder / "s.npz") as read:
            meta, rows = json.loads(str(read["meta"])), read["rows"]
        self.assertIn("normalization", meta)
        self.assertEqual((meta["encoding"], meta["prepare"]), ("soft 3", "root,whiten:20,mirror"))
        lines = self.run_program(*call).stdout.decode().splitlines()[1:]
        for line, row in zip(lines, rows):
            found = int(line.split(",")[1])
            self.assertEqual(row.sum(), 6 * 2 * found)  # each descriptor twice, mirrored
        self.run_program(*call, "-j", "1", "-o", "t.npz")
        self.assertEqual((self.folder / "t.npz").read_bytes(), (self.folder / "s.npz").read_bytes())

    def test_the_same_bytes_by_every_level(self):
        """Also where words tie, which no float32 decides: in twice.bin half of them are there twice."""
        self.run_program("train", "--kernel", "simd", "--prepare", "root,whiten:20,mirror", *SMALL, "-o", "c.bin", *self.names)
        words = numpy.random.default_rng(1).normal(size=(40, 64)).astype("f4")
        write_vocabulary(self.folder / "twice.bin", numpy.concatenate([words[20:], words]))
        for vocabulary, m, more in (("twice.bin", 1, []), ("c.bin", 5, ["--cells", "1x1,2x2"]),
                                    ("twice.bin", 59, ["--normalize", "hellinger"]), ("twice.bin", 64, [])):
            call = ["--centroids", vocabulary, "--encode", "soft", "--nearest", str(m), *more, *self.names]
            made = {}
            for kernel in levels():
                self.run_program(*call, "--kernel", kernel, "-j", "1" if kernel == "gpu1" else "2", "-o", "s.npz")
                made[kernel] = hashlib.sha256((self.folder / "s.npz").read_bytes()).hexdigest()
            done = self.run_program(*call, "--kernel", "gpu2", "--batch", "100", "-v", "-o", "s.npz")
            made["batches"] = hashlib.sha256((self.folder / "s.npz").read_bytes()).hexdigest()
            self.assertEqual(len(set(made.values())), 1, (m, made))
            self.assertEqual(b"by nearest_words.cl" in done.stderr, m < 60)  # all words are only put in order

    def test_what_cannot_be_meant(self):
        self.run_program("train", "--kernel", "simd", *SMALL, "-o", "c.bin", *self.names)
        for words, part in ((["--nearest", "3"], "--nearest is for --encode soft"),
                            (["--encode", "soft", "--nearest", "0"], "--nearest"),
                            (["--encode", "soft", "--nearest", "65"], "--nearest")):
            self.assert_one_line(self.run_program("--centroids", "c.bin", *words, "0.pgm", status=2).stderr, part)
        _, done = self.rows("--kernel", "simd", "--device", "0", "0.pgm")
        self.assertIn(b"--device 0 has no effect", done.stderr)
        # no descriptors, no words
        (self.folder / "pixel.pgm").write_bytes(b"P5\n1 1\n255\n\x80")
        rows, _ = self.rows("pixel.pgm", "0.pgm")
        self.assertEqual([bool(row.any()) for row in rows], [False, True])


if __name__ == "__main__":
    unittest.main()
