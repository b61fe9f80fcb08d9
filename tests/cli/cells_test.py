"""Rows of cells: each cell's is the row that its descriptors have as an image, for every encoding."""
import json
import unittest

import numpy

from codes_test import HEIGHT, WIDTH, prepared, vlad
from program import ProgramTest, write_picture

SMALL = ["--kernel", "simd", "-k", "8", "--sample", "3000", "--iterations", "4"]
GRIDS = "1x1,3x2,1x4"


def cells_of(keypoints):
    """Of each grid the cell of each keypoint."""
    x, y = keypoints[:, 0].astype("f8") + 0.5, keypoints[:, 1].astype("f8") + 0.5
    for across, down in ((1, 1), (3, 2), (1, 4)):
        yield across * down, (y * down // HEIGHT * across + x * across // WIDTH).astype(int)


class Cells(ProgramTest):
    def setUp(self):
        super().setUp()
        self.names = [f"{seed}.pgm" for seed in range(4)]
        for seed, name in enumerate(self.names):
            write_picture(self.folder / name, seed, WIDTH, HEIGHT)

    def learn(self, *more, model="m.npz"):
        self.run_program("train", "--model", "vlad", *SMALL, *more, "-o", model, *self.names)

    def learn_words(self, *more):
        self.run_program("train", *SMALL, *more, "-o", "c.bin", *self.names)

    def rows(self, file, *more, status=0):
        done = self.run_program("--centroids", file, "-o", "rows.npy", *more, status=status)
        return numpy.load(self.folder / "rows.npy"), done.stderr.decode()

    def cut(self, name, *recipe):
        """A file of descriptors for each cell, and their names; none for cells without any."""
        self.run_program("extract", *recipe, "-o", "x.npz", name)
        with numpy.load(self.folder / "x.npz") as read:
            descriptors, keypoints = read["descriptors"], read["keypoints"]
        names = []
        for number, cells in cells_of(keypoints):
            for cell in range(number):
                some = descriptors[cells == cell]
                names.append(f"cell{len(names)}.npy" if len(some) else None)
                if len(some):
                    numpy.save(self.folder / names[-1], some)
        return names

    def by_cells(self, file, names, *more):
        """The rows of the files, end to end."""
        rows, _ = self.rows(file, "-q", *more, *[name for name in names if name])
        rows = iter(rows)
        size = 0
        made = [next(rows) if name else None for name in names]
        size = next(len(row) for row in made if row is not None)
        return numpy.concatenate([numpy.zeros(size) if row is None else row for row in made])

    def test_each_cell_is_encoded_as_an_image(self):
        six = ["--patches", "8,16,24,32,48,64", "--step", "8"]
        for reduce in ("0", "3"):
            self.learn("--reduce", reduce, "--prepare", "root,whiten:9")
            made, _ = self.rows("m.npz", "--cells", GRIDS, *self.names)
            self.assertEqual(made.dtype, numpy.dtype("<f4" if reduce == "0" else "i1"))
            for row, name in zip(made, self.names):
                numpy.testing.assert_array_equal(row, self.by_cells("m.npz", self.cut(name, *six)))
        self.learn_words()
        for encoding in (["--encode", "soft", "--nearest", "3"], ["--encode", "bow"]):
            made, _ = self.rows("c.bin", *encoding, "--cells", GRIDS, *self.names)
            for row, name in zip(made, self.names):
                numpy.testing.assert_array_equal(row, self.by_cells("c.bin", self.cut(name), *encoding))
            shares, _ = self.rows("c.bin", *encoding, "--cells", GRIDS, "--normalize", "hellinger", *self.names)
            numpy.testing.assert_allclose(shares, numpy.sqrt(made / made.sum(axis=1, keepdims=True)), rtol=1e-6)

    def test_mirrored_descriptors_lie_in_the_mirrored_picture(self):
        self.learn("--reduce", "0")
        made, _ = self.rows("m.npz", "--cells", "3x2", *self.names)
        with numpy.load(self.folder / "m.npz") as model:
            for name, row in zip(self.names, made):
                self.run_program("extract", "-o", "x.npz", "--patches", "8,16,24,32,48,64", "--step", "8", name)
                with numpy.load(self.folder / "x.npz") as read:
                    keypoints = read["keypoints"]
                    rows = prepared(model, read["descriptors"], keypoints)
                mirrored = keypoints.copy()
                mirrored[:, 0] = WIDTH - 1 - keypoints[:, 0]
                _, cells = list(cells_of(numpy.vstack([keypoints, mirrored])))[1]
                expected = numpy.concatenate([vlad(rows[cells == cell], model["words"]) for cell in range(6)])
                self.assertLess(numpy.abs(row - expected).max(), 2e-3)

    def test_a_single_cell_is_the_picture(self):
        self.learn("--reduce", "3")
        self.learn_words("--idf", "4")
        for call in (["m.npz"], ["c.bin", "--encode", "soft"], ["c.bin", "--encode", "soft", "--normalize", "tfidf"]):
            for name, cells in (("a.npz", []), ("b.npz", ["--cells", "1x1"])):
                self.run_program("--centroids", *call, *cells, "-o", name, *self.names)
            self.assertEqual((self.folder / "a.npz").read_bytes(), (self.folder / "b.npz").read_bytes())
        self.run_program("--centroids", "c.bin", "-o", "h.npy", *self.names)
        for encoding in ([], ["--encode", "bow"], ["--encode", "pyramid"]):
            numpy.testing.assert_array_equal(self.rows("c.bin", *encoding, "--cells", "1x1", *self.names)[0],
                                             numpy.load(self.folder / "h.npy"))

    def test_files_name_their_cells_and_are_the_same_everywhere(self):
        self.learn("--reduce", "3")
        self.learn_words()
        for call, encoding in ((["m.npz"], "vlad 2x2,1x1"), (["c.bin", "--encode", "soft"], "soft 5 2x2,1x1"),
                               (["c.bin"], "pyramid 2x2,1x1")):
            call = ["--centroids", *call, "--cells", "2x2,1x1", *self.names]
            self.run_program(*call, "-o", "rows.npz")
            with numpy.load(self.folder / "rows.npz") as read:
                self.assertEqual(json.loads(str(read["meta"]))["encoding"], encoding)
            for kernel in ("serial", "simd", "gpu6"):
                self.run_program(*call, "-j", "1", "--kernel", kernel, "-o", "t.npz")
                self.assertEqual((self.folder / "t.npz").read_bytes(), (self.folder / "rows.npz").read_bytes())

    def test_cells_and_pictures_without_descriptors(self):
        # the right half is flat
        pixels = numpy.frombuffer((self.folder / "0.pgm").read_bytes()[-WIDTH * HEIGHT:], "u1").reshape(HEIGHT, WIDTH).copy()
        pixels[:, 40:] = 128
        (self.folder / "left.pgm").write_bytes(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + pixels.tobytes())
        (self.folder / "pixel.pgm").write_bytes(b"P5\n1 1\n255\n\x80")
        self.learn("--reduce", "3", "--prepare", "root,whiten:9")
        self.learn("--reduce", "0", "--prepare", "root,whiten:9", model="whole.npz")
        self.learn_words()
        for call in (["m.npz"], ["whole.npz"], ["c.bin", "--encode", "soft"], ["c.bin"]):
            rows, _ = self.rows(*call, "--cells", "8x1", "left.pgm", "pixel.pgm", "0.pgm")
            filled = rows.reshape(3, 8, -1).any(axis=2)
            self.assertEqual((filled[0, :2].any(), filled[0, 6:].any(), filled[1].any()), (True, False, False))
            self.assertTrue(filled[2, 1:7].all())

    def test_what_cannot_be_meant(self):
        self.learn("--reduce", "0", "--prepare", "root")
        self.learn_words("--patches", "8,16,24,32,48,64", "--step", "8")
        for name in ("d.npy", "d.npz"):
            self.run_program("extract", "-o", name, "--patches", "8,16,24,32,48,64", "--step", "8", "0.pgm")
        for call in (["m.npz"], ["c.bin"], ["c.bin", "--encode", "soft"]):
            done = self.run_program("--centroids", *call, "--cells", "2x2", "-o", "t.npy", "d.npy", status=3)
            self.assertIn(b"d.npy: where its descriptors lie in their picture is unknown, which cells need", done.stderr)
            self.run_program("--centroids", *call, "--cells", "1x1", "-o", "t.npy", "d.npy")
            done = self.run_program("--centroids", *call, "--cells", "2 x 2", "-o", "t.npy", "0.pgm", status=2)
            self.assert_one_line(done.stderr, '--cells "2 x 2" makes no sense')
        done = self.run_program("--centroids", "m.npz", "--cells", "2x2", "-o", "t.npy", "d.npz", status=3)
        self.assertIn(b"d.npz: where its descriptors lie", done.stderr)
        self.write_centroids("many.bin", k=17000)
        for encoding in ("soft", "pyramid"):
            done = self.run_program("--centroids", "many.bin", "--encode", encoding, "--cells", "32x32", "-o", "t.npy",
                                    "0.pgm", status=2)
            self.assert_one_line(done.stderr, "--cells 32x32 makes rows of 1024 x 17000 numbers", "fewer cells")


if __name__ == "__main__":
    unittest.main()
