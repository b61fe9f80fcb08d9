"""cluster says what memory it would take before it takes it, whatever the format; what fits is grouped."""
import re
import resource
import unittest

import numpy

from program import ProgramTest

MIB = 1 << 20


class ClusterMemory(ProgramTest):
    def write_sparse_file(self, name, rows, words):
        """An .npy of zeros that takes no room on the disk."""
        header = b"\x93NUMPY\x01\x00v\x00" + f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({rows}, {words}), }}".ljust(117).encode() + b"\n"
        with open(self.folder / name, "wb") as file:
            file.write(header)
            file.truncate(len(header) + 4 * rows * words)

    def limited(self, mebibytes, *arguments, status=3, **options):
        return self.run_program("cluster", "-k", "2", "-o", "g.csv", *arguments, status=status,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes * MIB,) * 2), **options)

    def assert_refused(self, done, name, least, most):
        self.assert_one_line(done.stderr, name + ": to group ", "bytes of memory", "bytes are free")
        needed, free = (int(number) for number in re.search(rb"about (\d+) bytes of memory, and (\d+) bytes", done.stderr).groups())
        self.assertGreater(needed, free)
        self.assertTrue(least <= needed <= most, done.stderr)

    def test_more_than_there_is_is_refused_with_the_bytes(self):
        values = 1200 * MIB // 4
        self.write_sparse_file("h.npy", 100, values // 100)
        self.assert_refused(self.limited(1600, "h.npy"), "h.npy", 1.5 * 4 * values, 1.6 * 4 * values)
        with open(self.folder / "h.npy", "rb") as file:
            self.assert_refused(self.limited(1600, "-", stdin=file), "standard input", 1.5 * 4 * values, 1.6 * 4 * values)
        # files together, though each would fit
        for name in ("1.npy", "2.npy", "3.npy"):
            self.write_sparse_file(name, 100, values // 300)
        done = self.limited(1600, "1.npy", "2.npy", "3.npy")
        self.assert_refused(done, done.stderr.decode()[9:14], 0, 4 * 4 * values)
        # text, by its size and first lines
        for name, line in (("h.csv", "image,descriptors" + "".join(f",w{i}" for i in range(10000)) + "\n" + ("a,1" + ",0" * 10000 + "\n")),
                           ("h.jsonl", '{"image":"a","descriptors":1,"histogram":[' + ",".join("0" * 10000) + "]}\n")):
            with open(self.folder / name, "w") as file:
                file.write(line * 20)
                file.truncate(600 * MIB)
            self.assert_refused(self.limited(1600, name), name, 4 * 250 * MIB, 4 * 1000 * MIB)

    def test_ward_s_table_k_means_and_the_graph_count(self):
        """Of many pictures with few words the values are the least."""
        numpy.save(self.folder / "h.npy", numpy.ones((2000000, 1), "<u4"))
        self.assert_refused(self.limited(400, "--method", "ward", "h.npy"), "h.npy", 16 * MIB + 200 * 2000000, 2000 * MIB)
        self.assert_refused(self.limited(400, "--method", "kmeans", "h.npy"), "h.npy", 200 * 2000000, 2000 * MIB)
        self.assert_refused(self.limited(400, "h.npy"), "h.npy", 1000 * 2000000, 10000 * MIB)

    def test_sparse_histograms_are_taken_at_any_ratio(self):
        table = numpy.zeros((20, 1000000), "<u4")
        for row in range(20):
            table[row, row % 3 * 1000 : row % 3 * 1000 + 10] = 1 + row
        names = numpy.array([f"{row}.jpg" for row in range(20)])
        numpy.savez_compressed(self.folder / "h.npz", histograms=table, images=names)
        self.assertLess((self.folder / "h.npz").stat().st_size * 500, table.nbytes)
        self.run_program("cluster", "-k", "3", "-o", "g.csv", "h.npz")
        groups = [line.split(",")[1] for line in (self.folder / "g.csv").read_text().splitlines()[1:]]
        self.assertEqual(groups, [str(row % 3) for row in range(20)])

    def test_what_fits_is_grouped(self):
        numpy.save(self.folder / "h.npy", numpy.random.default_rng(1).integers(0, 9, (200, 1000), "<u4"))
        done = self.limited(1600, "h.npy", status=0)
        self.assertIn(b"200 pictures in 2 groups", done.stderr)


if __name__ == "__main__":
    unittest.main()
