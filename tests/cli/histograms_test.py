"""Histograms: the same bytes from every level, thread count and batch size, in every format."""
import csv
import json
import unittest

import numpy

from program import ProgramTest, levels, write_picture


class Histograms(ProgramTest):
    def setUp(self):
        super().setUp()
        names = []
        for seed in range(7):
            names.append(f"p{seed}.pgm")
            write_picture(self.folder / names[-1], seed, width=120 + 40 * seed)
        (self.folder / "flat.pgm").write_bytes(b"P5\n64 64\n255\n" + bytes(64 * 64))
        self.names = [*names[:3], "flat.pgm", *names[3:]]
        self.run_program("train", "-k", "20", "-o", "c.bin", *names)
        self.expected = self.run_program("--centroids", "c.bin", "--kernel", "serial", *self.names).stdout

    def rows(self, text=None):
        return list(csv.reader((text or self.expected).decode().splitlines()))

    def test_csv_has_a_row_for_each_picture_in_order(self):
        rows = self.rows()
        self.assertEqual(rows[0], ["image", "descriptors", *(f"w{j}" for j in range(20))])
        self.assertEqual([row[0] for row in rows[1:]], self.names)
        for row in rows[1:]:
            self.assertEqual(sum(map(int, row[2:])), int(row[1]))
        self.assertEqual(set(rows[4][1:]), {"0"}, "a picture without descriptors is a row of zeros")
        self.assertGreater(int(rows[1][1]), 20)

    def test_every_level_thread_count_and_batch_gives_the_same_bytes(self):
        for level in [*levels(), "auto"]:
            for options in ([], ["-j", "1"], ["-j", "2"], ["--batch", "7", "-j", "4"], ["--batch", "64"]):
                with self.subTest(level=level, options=options):
                    done = self.run_program("--centroids", "c.bin", "--kernel", level, *options, *self.names)
                    self.assertEqual(done.stdout, self.expected)

    def test_formats_say_the_same(self):
        rows = self.rows()
        counts = numpy.array([[int(x) for x in row[2:]] for row in rows[1:]], "u4")
        sums = numpy.array([int(row[1]) for row in rows[1:]], "u4")
        for ending in ("csv", "npy", "npz", "jsonl", "svm"):
            self.run_program("--centroids", "c.bin", "-o", f"h.{ending}", *self.names)
        self.assertEqual((self.folder / "h.csv").read_bytes(), self.expected)
        table = numpy.load(self.folder / "h.npy")
        self.assertEqual(table.dtype, numpy.uint32)
        numpy.testing.assert_array_equal(table, counts)
        with numpy.load(self.folder / "h.npz", allow_pickle=False) as archive:
            numpy.testing.assert_array_equal(archive["histograms"], counts)
            numpy.testing.assert_array_equal(archive["descriptors"], sums)
            self.assertEqual(list(archive["images"]), self.names)
            meta = json.loads(str(archive["meta"]))
            sidecar = json.loads((self.folder / "c.bin.json").read_text())
            self.assertEqual(meta["fingerprint"], sidecar["fingerprint"])
            self.assertEqual(meta["normalization"], "none")
        lines = [json.loads(line) for line in (self.folder / "h.jsonl").read_text().splitlines()]
        self.assertEqual([line["histogram"] for line in lines], counts.tolist())
        for line, row in zip((self.folder / "h.svm").read_text().splitlines(), counts):
            self.assertEqual(dict(pair.split(":") for pair in line.split(" # ")[0].split()[1:]),
                             {str(j + 1): str(c) for j, c in enumerate(row) if c > 0})

    def test_normalizations(self):
        counts = numpy.array([[int(x) for x in row[2:]] for row in self.rows()[1:]], float)
        total = counts.sum(axis=1, keepdims=True)
        total[total == 0] = 1
        length = numpy.sqrt((counts**2).sum(axis=1, keepdims=True))
        length[length == 0] = 1
        for how, features in (("l1", counts / total), ("l2", counts / length),
                              ("hellinger", numpy.sqrt(counts / total))):
            for ending in ("npy", "csv"):
                self.run_program("--centroids", "c.bin", "--normalize", how, "-o", f"n.{ending}", *self.names)
            table = numpy.load(self.folder / "n.npy")
            self.assertEqual(table.dtype, numpy.float32)
            numpy.testing.assert_array_equal(table, features.astype("f4"))
            read = [[float(x) for x in row[2:]] for row in self.rows((self.folder / "n.csv").read_bytes())[1:]]
            numpy.testing.assert_array_equal(numpy.array(read, "f4"), table)

    def test_extracted_descriptors_stand_for_their_picture(self):
        self.run_program("extract", "-o", "d", *self.names)
        files = [f"d/{name.replace('.pgm', '.npy')}" for name in self.names]
        done = self.run_program("--centroids", "c.bin", *files)
        self.assertEqual(done.stdout, self.expected)
        folder = self.run_program("--centroids", "c.bin", "d")
        self.assertEqual(sorted(folder.stdout.splitlines()[1:]), sorted(self.expected.splitlines()[1:]))

    def test_words_are_the_inputs_rows_one_after_another(self):
        self.run_program("extract", "-o", "d", *self.names)
        files = [f"d/{name.replace('.pgm', '.npy')}" for name in self.names]
        self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", *files)
        words = numpy.load(self.folder / "w.npy")
        self.assertEqual(words.dtype, numpy.int32)
        at = 0
        for row in self.rows()[1:]:
            n = int(row[1])
            counted = numpy.bincount(words[at : at + n], minlength=20)
            self.assertEqual(counted.tolist(), [int(x) for x in row[2:]])
            at += n
        self.assertEqual(at, len(words))

    def test_many_pictures_share_a_launch(self):
        done = self.run_program("--centroids", "c.bin", "--kernel", "gpu2", "--step", "8", "-v", *self.names * 2)
        self.assertRegex(done.stderr.decode(), r" assign [0-9.]+ ms in 1 launch,")
        self.assertRegex(done.stderr.decode(), r" transpose [0-9.]+ ms in 1 launch,")

    def test_the_strongest_descriptors_are_kept(self):
        done = self.run_program("--centroids", "c.bin", "--max-descriptors", "10", *self.names)
        for capped, whole in zip(self.rows(done.stdout)[1:], self.rows()[1:]):
            self.assertEqual(int(capped[1]), min(10, int(whole[1])))
            self.assertTrue(all(int(a) <= int(b) for a, b in zip(capped[2:], whole[2:])))


if __name__ == "__main__":
    unittest.main()
