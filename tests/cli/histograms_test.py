"""Histograms: the same bytes from every level, thread count and batch size (formats_test.py has the formats)."""
import csv
import itertools
import unittest

import numpy

from program import ProgramTest, levels, write_picture


class Histograms(ProgramTest):
    def prepare(self):
        names = [f"p{seed}.pgm" for seed in range(7)]
        for seed, name in enumerate(names):
            write_picture(self.folder / name, seed, width=120 + 40 * seed)
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
        ways = [(level, ["--batch", "7", "-j", "4"]) for level in levels()]
        ways += itertools.product(("auto", "gpu2"), ([], ["-j", "1"], ["--batch", "64"]))
        for level, options in ways:
            with self.subTest(level=level, options=options):
                done = self.run_program("--centroids", "c.bin", "--kernel", level, *options, *self.names)
                self.assertEqual(done.stdout, self.expected)

    def test_extracted_descriptors_stand_for_their_picture(self):
        self.run_program("extract", "-o", "d", *self.names)
        files = [f"d/{name.replace('.pgm', '.npy')}" for name in self.names]
        done = self.run_program("--centroids", "c.bin", *files)
        self.assertEqual(done.stdout, self.expected)
        folder = self.run_program("--centroids", "c.bin", "d")
        self.assertEqual(sorted(folder.stdout.splitlines()[1:]), sorted(self.expected.splitlines()[1:]))
        # words are the inputs' rows, one after another
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
