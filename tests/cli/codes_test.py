"""Models of codes and the codes that they make: against a plain reference, in every format, everywhere the same."""
import csv
import json
import struct
import unittest

import numpy

from program import ProgramTest, write_picture

WIDTH, HEIGHT = 120, 90  # small: serial and OpenCL on a CPU take their time
SMALL = ["-k", "8", "--sample", "3000", "--iterations", "4"]


def mirrored(rows):
    """Upright descriptors: cells of a row change places, the first channel its sign."""
    cells = rows.reshape(-1, 4, 4, 4)[:, :, ::-1].copy()
    cells[..., 0] *= -1
    return cells.reshape(-1, 64)


def prepared(model, rows, keypoints):
    """By the definition, in float64."""
    meta = json.loads(str(model["meta"]))
    assert meta["prepare"]["steps"] == "root,whiten:48,position,scale,contrast,mirror", meta
    x, y, scale, _, response = keypoints.astype("f8").T
    places = numpy.stack([((x + 0.5) / WIDTH - 0.5) / 0.29, ((y + 0.5) / HEIGHT - 0.5) / 0.29, numpy.log2(scale / 0.8) - 1,
                          (numpy.log2(numpy.maximum(response, 0.5)) - 4.5) / 1.5], axis=1)
    both = []
    for some, turned in ((rows, 1), (mirrored(rows), -1)):
        roots = numpy.sign(some) * numpy.sqrt(numpy.abs(some.astype("f8")))
        roots /= numpy.linalg.norm(roots, axis=1, keepdims=True)
        both.append(numpy.hstack([(roots - model["mean"]) @ model["whiten"], places * [turned, 1, 1, 1] * meta["prepare"]["deviation"]]))
    return numpy.vstack(both)


def vlad(rows, words):
    nearest = ((rows[:, None] - words[None]) ** 2).sum(axis=2).argmin(axis=1)
    parts = numpy.stack([(rows[nearest == word] - words[word]).sum(axis=0) for word in range(len(words))])
    parts /= numpy.maximum(numpy.linalg.norm(parts, axis=1, keepdims=True), 1e-30)
    row = (numpy.sign(parts) * numpy.sqrt(numpy.abs(parts))).ravel()
    return row / numpy.linalg.norm(row)


class Codes(ProgramTest):
    def prepare(self):
        self.names = [f"{seed}.pgm" for seed in range(12)]
        self.write_pictures(self.names, WIDTH, HEIGHT)

    def learn(self, *more, output="m.npz", kernel="simd", status=0):
        return self.run_program("train", "--model", "vlad", "--kernel", kernel, *SMALL, "-o", output, *more, status=status)

    def codes(self, *more, model="m.npz", kernel="simd", output="codes.npz", status=0):
        self.run_program("--centroids", model, "--kernel", kernel, "-o", output, *more, status=status)
        with numpy.load(self.folder / output) as made:
            return made["rows"], [str(name) for name in made["images"]], json.loads(str(made["meta"]))

    def test_codes_are_what_the_definition_says(self):
        self.learn("--reduce", "6", *self.names)
        self.learn("--reduce", "0", *self.names, output="whole.npz")
        codes, images, meta = self.codes(*self.names)
        rows, _, _ = self.codes(*self.names, model="whole.npz")
        self.assertEqual((codes.dtype, codes.shape, rows.dtype, rows.shape),
                         (numpy.dtype("i1"), (12, 6), numpy.dtype("<f4"), (12, 8 * 52)))
        self.assertEqual(images, self.names)
        with numpy.load(self.folder / "m.npz") as model:
            learned = json.loads(str(model["meta"]))
            self.assertEqual((meta["encoding"], meta["fingerprint"]), ("vlad", learned["fingerprint"]))
            self.assertEqual(learned["extractor"]["patches"], "8,16,24,32,48,64")
            axes = model["axes"] / 32000
            reference = []
            for name, row, code in zip(self.names, rows, codes):
                self.run_program("extract", "-o", "x.npz", "--patches", "8,16,24,32,48,64", "--step", "8", name)
                with numpy.load(self.folder / "x.npz") as read:
                    expected = vlad(prepared(model, read["descriptors"], read["keypoints"]), model["words"])
                self.assertLess(numpy.abs(row - expected).max(), 2e-3)
                reference.append(expected)
                components = axes @ expected - model["offsets"] / 32000**2
                self.assertLess(numpy.abs(code - components / numpy.abs(components).max() * 127).max(), 1.5)
        # the axes are the covariance's eigenvectors
        reference = numpy.array(reference)
        _, variances, directions = numpy.linalg.svd(reference - reference.mean(axis=0), full_matrices=False)
        for axis, direction in zip(axes[:4], directions):
            self.assertGreater(abs(axis @ direction), 0.99)

    def test_every_format_holds_the_same(self):
        self.learn("--reduce", "5", *self.names)
        codes, images, _ = self.codes(*self.names)
        for ending in ("npy", "csv", "jsonl", "svm", "fbin", "fvecs"):
            self.run_program("--centroids", "m.npz", "--encode", "vlad", "--kernel", "simd", "-o", f"c.{ending}", *self.names)
        numpy.testing.assert_array_equal(numpy.load(self.folder / "c.npy"), codes)
        with open(self.folder / "c.csv", newline="") as lines:
            heading, *table = csv.reader(lines)
        self.assertEqual(heading, ["image", "descriptors", *(f"c{i}" for i in range(5))])
        self.assertEqual([line[0] for line in table], images)
        numpy.testing.assert_array_equal(numpy.array([line[2:] for line in table], int), codes)
        objects = [json.loads(line) for line in (self.folder / "c.jsonl").read_text().splitlines()]
        self.assertEqual([[o["image"], str(o["descriptors"])] for o in objects], [line[:2] for line in table])
        numpy.testing.assert_array_equal([o["code"] for o in objects], codes)
        for line, code, name in zip((self.folder / "c.svm").read_text().splitlines(), codes, images):
            numbers, comment = line.split(" # ")
            self.assertEqual(comment, name)
            self.assertEqual(numbers, " ".join(["0", *(f"{i}:{value}" for i, value in enumerate(code, 1) if value)]))
        fbin = (self.folder / "c.fbin").read_bytes()
        self.assertEqual(struct.unpack("<II", fbin[:8]), codes.shape)
        numpy.testing.assert_array_equal(numpy.frombuffer(fbin[8:], "<f4").reshape(codes.shape), codes)
        fvecs = numpy.frombuffer((self.folder / "c.fvecs").read_bytes(), "<f4").reshape(len(codes), 6)
        numpy.testing.assert_array_equal(fvecs[:, 0].view("<i4"), 5)
        numpy.testing.assert_array_equal(fvecs[:, 1:], codes)
        printed = self.run_program("--centroids", "m.npz", "--kernel", "simd", *self.names).stdout
        self.assertEqual(printed, (self.folder / "c.csv").read_bytes())

    def test_cluster_reads_what_was_written(self):
        """From text and a pipe the same groups as from .npz, byte for byte."""
        self.learn("--reduce", "6", *self.names)
        self.learn("--reduce", "0", *self.names, output="whole.npz")
        self.run_program("train", "-k", "20", "--kernel", "simd", "-o", "c.bin", *self.names)
        for call in (["m.npz"], ["m.npz", "--cells", "1x1,2x2"], ["whole.npz"], ["c.bin", "--encode", "soft"],
                     ["c.bin", "--encode", "soft", "--normalize", "l2"], ["c.bin", "--encode", "pyramid", "--normalize", "hellinger"]):
            call = ["--centroids", *call, "--kernel", "simd", *self.names]
            groups = {}
            for ending in ("npz", "csv", "jsonl"):
                self.run_program(*call, "-o", f"rows.{ending}")
                groups[ending] = self.run_program("cluster", "-k", "3", "-o", "-", f"rows.{ending}").stdout
                piped = (self.folder / f"rows.{ending}").read_bytes()
                groups[f"{ending} piped"] = self.run_program("cluster", "-k", "3", "-o", "-", "-", input=piped).stdout
            self.assertEqual(set(groups.values()), {groups["npz"]}, (call, groups))
        self.run_program("--centroids", "m.npz", *self.names, "-o", "rows.npy")
        self.run_program("--centroids", "m.npz", *self.names, "-o", "rows.npz")
        without_names = [line.split(b",", 1)[1] for line in self.run_program("cluster", "-o", "-", "rows.npy").stdout.splitlines()]
        self.assertEqual(without_names, [line.split(b",", 1)[1] for line in self.run_program("cluster", "-o", "-", "rows.npz").stdout.splitlines()])

    def test_models_and_codes_are_the_same_everywhere(self):
        self.learn(*self.names, output="m.npz")
        model = (self.folder / "m.npz").read_bytes()
        self.codes(*self.names)
        codes = (self.folder / "codes.npz").read_bytes()
        for kernel in ("serial", "openmp", "gpu1", "gpu6"):  # they only find words, which tests/assign compares
            with self.subTest(kernel=kernel):
                self.learn("-j", "1", *self.names, output="t.npz", kernel=kernel)
                self.assertEqual((self.folder / "t.npz").read_bytes(), model)
                batch = ["--batch", "700"] if kernel.startswith("gpu") else []
                self.codes("-j", "1", *batch, *self.names, kernel=kernel, output="t.npz")
                self.assertEqual((self.folder / "t.npz").read_bytes(), codes)

    def test_odd_pictures_have_codes(self):
        write_picture(self.folder / "one.pgm", 3, 20, 20)  # few descriptors
        (self.folder / "flat.pgm").write_bytes(b"P5\n90 90\n255\n" + b"\x80" * 8100)
        (self.folder / "pixel.pgm").write_bytes(b"P5\n1 1\n255\n\x80")
        self.learn("--reduce", "20", *self.names)
        codes, _, _ = self.codes("flat.pgm", "pixel.pgm", "one.pgm", "0.pgm", "0.pgm")
        self.assertEqual(list(numpy.abs(codes).max(axis=1)), [0, 0, 127, 127, 127])
        numpy.testing.assert_array_equal(codes[3], codes[4])
        # twelve pictures have eleven components
        self.assertFalse(codes[:, 11:].any())
        # one picture, and equal ones, have none
        for few in (["0.pgm"], ["0.pgm"] * 3):
            self.learn(*few)
            self.assertFalse(self.codes("0.pgm", "1.pgm")[0].any())
        done = self.run_program("train", "--model", "vlad", "-k", "400", "--kernel", "simd", "-o", "t.npz", "one.pgm", status=3)
        self.assert_one_line(done.stderr, "400")

    def test_descriptor_files_need_what_the_steps_read(self):
        self.run_program("extract", "-o", "k.npz", "0.pgm")
        self.run_program("extract", "-o", "k.npy", "1.pgm")
        done = self.learn("k.npz", status=3)
        self.assertIn(b"k.npz: the size of its picture is unknown", done.stderr)
        done = self.learn("--prepare", "root,scale", "k.npy", status=3)
        self.assertIn(b"k.npy: its descriptors have no keypoints", done.stderr)
        self.learn("--prepare", "root,scale,contrast,mirror", "--reduce", "0", "k.npz")
        self.learn("--prepare", "root,whiten:9,mirror", "--reduce", "0", "k.npy", "k.npz")
        self.assertEqual(self.codes("k.npy", "k.npz")[0].shape, (2, 8 * 9))
        self.write_descriptors("r.npy", 50)  # of no known recipe
        self.learn("--prepare", "root,whiten", "--reduce", "0", "r.npy")
        self.assert_one_line(self.learn("--prepare", "root,mirror", "r.npy", status=2).stderr, "only descriptors of dense and surf")
        self.assert_one_line(self.learn("--prepare", "whiten:65", "k.npy", status=2).stderr, "whiten cannot keep 65")

    def test_what_cannot_be_meant_is_refused(self):
        self.learn(*self.names)
        self.run_program("train", "-k", "8", "-o", "c.bin", *self.names)
        for words, *parts in (
                (["--centroids", "m.npz", "--encode", "bow"], "m.npz is a model of codes", "c.bin"),
                (["--centroids", "c.bin", "--encode", "vlad"], "c.bin is a vocabulary", "--model vlad"),
                (["--centroids", "m.npz", "--normalize", "l2"], "--normalize is for histograms"),
                (["--centroids", "m.npz", "--extractor", "surf"], "--extractor dense", "surf was asked for"),
                (["--centroids", "m.npz", "--patches", "16"], "--patches 16 was asked for"),
                (["--centroids", "m.npz", "-o", "x.txt"], "x.txt: expected a name that ends with .npz"),
                (["--centroids", "m.npz", "-o", "0.pgm"], "0.pgm"),
                (["train", "--model", "vlad", "-o", "m.bin"], "a model of vlad is an .npz"),
                (["train", "--model", "fisher", "-o", "m.npz"], 'there is no "fisher"'),
                (["train", "-o", "m.npz"], "end it in .bin"),
                (["train", "-o", "c.bin", "--reduce", "3"], "--reduce is for --model vlad"),
                (["train", "--model", "vlad", "-o", "m.npz", "--sample", "0"], "--sample 0"),
                (["train", "--model", "vlad", "-o", "m.npz", "--checkpoint", "x.npz"], "--checkpoint"),
                (["train", "-o", "c.bin", "--prepare", "root", "--checkpoint", "x.npz"], "--checkpoint"),
                (["train", "--model", "vlad", "-o", "m.npz", "--prepare", "rot"], 'no step "rot"')):
            with self.subTest(words=words):
                before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
                self.assert_one_line(self.run_program(*words, "0.pgm", status=2).stderr, *parts)
                self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_words_of_a_prepared_vocabulary(self):
        steps = "root,whiten:48,position,scale,contrast,mirror"
        call = ["train", "--prepare", steps, "-o", "c.bin", *SMALL, *self.names]
        self.run_program(*call, "--kernel", "simd")
        pair = [(self.folder / name).read_bytes() for name in ("c.bin", "c.bin.json")]
        for kernel in ("serial", "gpu6"):
            self.run_program(*call, "--kernel", kernel, "-j", "1")
            self.assertEqual([(self.folder / name).read_bytes() for name in ("c.bin", "c.bin.json")], pair)
        sidecar = json.loads(pair[1])
        self.assertEqual((sidecar["prepare"]["steps"], sidecar["training"]["descriptors"]), (steps, 3000))
        words = numpy.frombuffer(pair[0][8:], "<f4").reshape(8, 52).astype("f8")
        model = {"meta": json.dumps({"prepare": sidecar["prepare"]}), "mean": numpy.array(sidecar["prepare"]["mean"]),
                 "whiten": numpy.array(sidecar["prepare"]["projection"]).reshape(64, 48)}
        made = []
        for kernel in ("simd", "serial", "gpu2", "gpu6"):
            self.run_program("--centroids", "c.bin", "--encode", "bow", "--kernel", kernel, "-o", "h.npz", *self.names)
            made.append((self.folder / "h.npz").read_bytes())
        self.assertEqual(len(set(made)), 1)
        with numpy.load(self.folder / "h.npz") as read:
            histograms = read["histograms"]
            self.assertIn(steps, str(read["meta"]))
        for name, histogram in zip(self.names, histograms):
            self.run_program("extract", "-o", "x.npz", name)
            with numpy.load(self.folder / "x.npz") as read:
                rows = prepared(model, read["descriptors"], read["keypoints"])
            nearest = ((rows[:, None] - words[None]) ** 2).sum(axis=2).argmin(axis=1)
            expected = numpy.bincount(nearest, minlength=8)
            self.assertEqual(histogram.sum(), expected.sum())
            self.assertLess(numpy.abs(histogram.astype(int) - expected).sum(), 4)  # float32 rounds
        done = self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "x.npz", status=3)
        self.assertIn(b"x.npz: the size of its picture is unknown", done.stderr)
        for damage in ('"steps": "rot"', '"steps": "root"'):
            (self.folder / "c.bin.json").write_text(pair[1].decode().replace(f'"steps": "{steps}"', damage))
            self.run_program("--centroids", "c.bin", "0.pgm", status=3)

    def test_pyramids_are_histograms_of_cells(self):
        self.run_program("train", "--kernel", "simd", *SMALL, "-o", "c.bin", *self.names)
        grids = [(1, 1), (2, 2), (3, 1)]
        call = ["--centroids", "c.bin", "--encode", "pyramid", "--cells", "1x1,2x2,3x1", *self.names]
        self.run_program(*call, "--kernel", "simd", "-o", "p.npz")
        for kernel in ("serial", "gpu6"):
            self.run_program(*call, "--kernel", kernel, "-j", "1", "-o", "t.npz")
            self.assertEqual((self.folder / "t.npz").read_bytes(), (self.folder / "p.npz").read_bytes())
        with numpy.load(self.folder / "p.npz") as read:
            rows = read["rows"]
            self.assertEqual(json.loads(str(read["meta"]))["encoding"], "pyramid 1x1,2x2,3x1")
        expected = []
        for name in self.names:
            self.run_program("extract", "-o", "x.npz", name)
            self.run_program("assign", "--kernel", "simd", "--centroids", "c.bin", "-o", "w.npy", "x.npz")
            words = numpy.load(self.folder / "w.npy")
            with numpy.load(self.folder / "x.npz") as read:
                x, y = read["keypoints"].T[:2].astype("f8")
            row = []
            for across, down in grids:
                cell = ((y + 0.5) * down // HEIGHT) * across + (x + 0.5) * across // WIDTH
                row += [numpy.bincount(words[cell == number], minlength=8) for number in range(across * down)]
            expected.append(numpy.concatenate(row))
        numpy.testing.assert_array_equal(rows, expected)
        self.run_program(*call, "--kernel", "simd", "--normalize", "hellinger", "-o", "p.npy")
        numpy.testing.assert_allclose(numpy.load(self.folder / "p.npy") ** 2 * rows.sum(axis=1, keepdims=True), rows, atol=1e-3)

    def test_pyramids_of_mirrored_rows_are_symmetric(self):
        self.run_program("train", "--kernel", "simd", "--prepare", "root,whiten:20,mirror", *SMALL, "-o", "c.bin", *self.names)
        self.run_program("--centroids", "c.bin", "--kernel", "simd", "-o", "h.npy", *self.names)
        self.run_program("--centroids", "c.bin", "--kernel", "simd", "--encode", "pyramid", "--cells", "1x1,2x1", "-o", "p.npy",
                         *self.names)
        all_words, left, right = numpy.hsplit(numpy.load(self.folder / "p.npy"), 3)
        numpy.testing.assert_array_equal(all_words, numpy.load(self.folder / "h.npy"))
        numpy.testing.assert_array_equal(left + right, all_words)
        # as many rows are mirrored into a half as out of it, give or take a column of patches
        self.assertLess(numpy.abs(left.sum(axis=1) - right.sum(axis=1)).max(), 0.1 * all_words.sum(axis=1).max())

    def test_pyramids_need_places(self):
        (self.folder / "pixel.pgm").write_bytes(b"P5\n1 1\n255\n\x80")
        self.run_program("train", "--kernel", "simd", *SMALL, "-o", "c.bin", *self.names)
        self.run_program("extract", "-o", "x.npz", "0.pgm")
        done = self.run_program("--centroids", "c.bin", "--kernel", "simd", "--encode", "pyramid", "-o", "p.npy", "x.npz",
                                "pixel.pgm", "1.pgm", status=1)
        self.assertIn(b"x.npz: where its descriptors lie in their picture is unknown", done.stderr)
        self.assertEqual([row.any() for row in numpy.load(self.folder / "p.npy")], [False, True])
        done = self.run_program("--centroids", "c.bin", "--encode", "pyramid", "--cells", "2", "1.pgm", status=2)
        self.assert_one_line(done.stderr, '--cells "2" makes no sense')

    def test_descriptors_of_another_recipe_are_left_out(self):
        self.learn("--prepare", "root,whiten:9", *self.names)
        self.run_program("extract", "-o", "k.npy", "--patches", "16", "0.pgm")
        done = self.run_program("--centroids", "m.npz", "--kernel", "simd", "-o", "codes.npz", "k.npy", "1.pgm", status=1)
        self.assertIn(b"k.npy: made with --extractor dense", done.stderr)


if __name__ == "__main__":
    unittest.main()
