"""Every format of what is written, read back with nothing of bowhist: numpy, csv, json, zipfile; and what numpy writes, read."""
import csv
import io
import json
import os
import shutil
import subprocess
import unittest
import zipfile

import numpy

from program import ProgramTest, write_vocabulary

WORDS = 65
CENTROIDS = numpy.arange(4 * WORDS, dtype="<f4").reshape(WORDS, 4)
# Every byte that a name may hold, letters of UTF-8 and parts of them, and what looks like an entry, a label or a comment.
STEMS = [bytes(set(range(1, 128)) - {ord("/")}), bytes(range(128, 256)), b"[2023]", b"with, comma", b'with "quotes"', b'"',
         b"two\nlines", b"two\r\nlines\r", b" spaces ", b"100%25", b"100%3A", b"# 1:2", "\u00e4\u20ac\U0001f600".encode(),
         b"\xff\xfe\x80", b"\xc3", b"\xed\xb2\x80", b"\\udc80", b"n" * 246, b"1:1 2:2", b"# 3:4 #", b"tab\t1:2", b"line\n0 1:1", b"nan:inf",
         b":", b"qid:7", b"\x0b\x0c\x1a\x1c:\x85", *(bytes([byte]) + b"x" for byte in range(1, 256) if byte != ord("/"))]
NAMES = [stem + b".npy" for stem in STEMS]


def divisor(number):
    return number if number > 0 else 1


NORMALIZED = {
    "none": lambda counts: counts,
    "l1": lambda counts: counts / divisor(counts.sum()),
    "l2": lambda counts: counts / divisor(numpy.sqrt((counts * counts).sum())),
    "hellinger": lambda counts: numpy.sqrt(counts / divisor(counts.sum())),
}


class Formats(ProgramTest):
    def prepare(self):
        write_vocabulary(self.folder / "c.bin", CENTROIDS)
        random = numpy.random.default_rng(7)
        self.counts = random.integers(0, 9, (len(NAMES), WORDS)) * (random.random((len(NAMES), WORDS)) < 0.3)
        self.counts[3::5] = 0  # without descriptors
        for name, counts in zip(NAMES, self.counts):
            with open(os.path.join(os.fsencode(self.folder), name), "wb") as file:
                numpy.save(file, CENTROIDS.repeat(counts, axis=0))
        (self.folder / "list").write_bytes(b"\0".join(NAMES))
        (self.folder / "none").write_bytes(b"")

    def write(self, name, *options, inputs=("--files-from", "list", "-0")):
        self.run_program("--centroids", "c.bin", "--kernel", "serial", "-o", name, *options, *inputs)
        return self.folder / name

    def read_csv(self, path):
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read()
            file.seek(0)
            names, *rows = csv.reader(file, strict=True)
        self.assertTrue(text.endswith("\n"))
        self.assertEqual(names, ["image", "descriptors", *(f"w{word}" for word in range(WORDS))])
        return [row[0] for row in rows], [int(row[1]) for row in rows], [row[2:] for row in rows]

    def read_jsonl(self, path):
        with open(path, encoding="utf-8", newline="\n") as file:
            rows = [json.loads(line) for line in file]
        for row in rows:
            self.assertEqual(list(row), ["image", "descriptors", "histogram"])
        return tuple([row[key] for row in rows] for key in ("image", "descriptors", "histogram"))

    def read_npz(self, path):
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            entries = {entry.filename: entry.compress_type for entry in archive.infolist()}
        self.assertEqual(entries, dict.fromkeys(("histograms.npy", "images.npy", "descriptors.npy", "meta.npy"), zipfile.ZIP_STORED))
        with numpy.load(path, allow_pickle=False) as archive:
            table = {key: archive[key] for key in archive}
        self.assertEqual(table["images"].dtype, numpy.dtype(f"<U{max([1, *map(len, table['images'])])}"))
        self.assertEqual(table["descriptors"].dtype, numpy.uint32)
        self.assertEqual(table["meta"].shape, ())
        meta = json.loads(str(table["meta"]))
        self.assertEqual(set(meta), {"fingerprint", "extractor", "normalization", "version"})
        self.assertEqual(table["histograms"].dtype, numpy.uint32 if meta["normalization"] == "none" else numpy.float32)
        return list(table["images"]), table["descriptors"], table["histograms"]

    def read_npy(self, path):
        return None, None, numpy.load(path, allow_pickle=False)

    def read_svm(self, path):
        names, values = [], []
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            for line in file:
                pairs, name = line.rstrip("\n").split(" # ", 1)
                label, *pairs = pairs.split(" ")
                self.assertEqual(label, "0")
                values.append([0] * WORDS)
                for index, value in (pair.split(":") for pair in pairs):
                    self.assertNotEqual(float(value), 0)
                    values[-1][int(index) - 1] = value
                self.assertNotIn(":", name)
                for code, letter in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%25", "%")):
                    name = name.replace(code, letter)
                names.append(name)
        return names, None, values

    def test_histograms_in_every_format(self):
        for how, normalize in NORMALIZED.items():
            expected = numpy.array([normalize(row.astype(float)) for row in self.counts]).astype("f4")
            for ending in ("csv", "jsonl", "npz", "npy", "svm"):
                with self.subTest(how=how, ending=ending):
                    read = getattr(self, f"read_{ending}")
                    images, descriptors, values = read(self.write(f"h.{ending}", "--normalize", how))
                    if images is not None:
                        self.assertEqual([os.fsencode(str(image)) for image in images], NAMES)
                    if descriptors is not None:
                        numpy.testing.assert_array_equal(descriptors, self.counts.sum(axis=1))
                    # equal but for one unit in the last place: numpy may sum squares in another order
                    apart = abs(numpy.array(values).astype("f4") - expected)
                    self.assertTrue((apart <= (0 if how == "none" else numpy.spacing(expected))).all())
                    images, descriptors, values = read(self.write(f"e.{ending}", "--normalize", how, inputs=["--files-from", "none"]))
                    self.assertEqual((len(images or []), len(values)), (0, 0))

    def test_descriptors_and_words(self):
        name = os.fsdecode(NAMES[0])
        rows = CENTROIDS.repeat(self.counts[0], axis=0)
        for source, expected in ((name, rows), (os.fsdecode(NAMES[3]), rows[:0])):
            for ending in ("npy", "fbin", "fvecs"):
                self.run_program("extract", "-q", "-o", f"x.{ending}", source)
            found = numpy.load(self.folder / "x.npy", allow_pickle=False)
            self.assertEqual((found.dtype, found.shape), (numpy.dtype("<f4"), expected.shape))
            numpy.testing.assert_array_equal(found, expected)
            numpy.testing.assert_array_equal(numpy.fromfile(self.folder / "x.fbin", "<u4", 2), expected.shape)
            numpy.testing.assert_array_equal(numpy.fromfile(self.folder / "x.fbin", "<f4", offset=8), expected.ravel())
            table = numpy.fromfile(self.folder / "x.fvecs", "<i4").reshape(-1, 5)
            numpy.testing.assert_array_equal(table[:, 0], [4] * len(expected))
            numpy.testing.assert_array_equal(table[:, 1:].copy().view("<f4"), expected)
            self.assertEqual(json.loads((self.folder / "x.npy.json").read_text())["picture"], source)
        self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "--files-from", "list", "-0")
        words = numpy.load(self.folder / "w.npy", allow_pickle=False)
        self.assertEqual(words.dtype, numpy.dtype("<i4"))
        numpy.testing.assert_array_equal(words, numpy.concatenate([numpy.arange(WORDS).repeat(row) for row in self.counts]))

    def test_what_numpy_writes_is_read(self):
        images = numpy.array([os.fsdecode(name) for name in NAMES])
        counts = self.counts.astype("f4")
        numpy.savez(self.folder / "plain.npz", histograms=counts, images=images)
        numpy.savez_compressed(self.folder / "packed.npz", images=images, histograms=counts)
        numpy.save(self.folder / "bare.npy", counts)

        def groups(name):
            """The names, and all else that is said of them: it comes from the values."""
            text = self.run_program("cluster", "-k", "9", "-o", "-", name).stdout.decode(errors="surrogateescape")
            rows = list(csv.reader(io.StringIO(text, newline="")))[1:]
            return [row[0] for row in rows], [row[1:] for row in rows]

        for name in ("h.csv", "h.jsonl", "h.npz"):
            self.write(name)
        expected = groups("plain.npz")
        self.assertEqual(expected[0], list(images))
        for name in ("packed.npz", "h.csv", "h.jsonl", "h.npz"):
            self.assertEqual(groups(name), expected, name)
        self.assertEqual(groups("bare.npy"), ([str(row) for row in range(len(NAMES))], expected[1]))

    def test_the_usual_programs_read_svm(self):
        """Two classes, or there is nothing to train; the same rows without names make the same model."""
        programs = [program for program in ("svm-train", "liblinear-train") if shutil.which(program)]
        if not programs:
            self.skipTest("no libsvm and no liblinear here")
        lines = self.write("h.svm").read_bytes().split(b"\n")
        two = [b"1" + line[1:] if i % 2 and line else line for i, line in enumerate(lines)]
        for program in programs:
            models = []
            for rows in (two, [line.split(b" # ")[0] for line in two]):
                (self.folder / "rows.svm").write_bytes(b"\n".join(rows))
                done = subprocess.run([program, "rows.svm", "model"], cwd=self.folder, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
                self.assertNotIn(b"Wrong input", done.stderr + done.stdout)
                models.append((self.folder / "model").read_bytes())
            self.assertGreater(len(models[0]), 50)
            self.assertEqual(*models)


if __name__ == "__main__":
    unittest.main()
