"""cluster: methods, levels, labels, outliers, trees and folders of groups."""
import csv
import os
import re
import subprocess
import unittest

import numpy

from program import ProgramTest, complaints, write_picture


class Cluster(ProgramTest):
    def prepare(self):
        random = numpy.random.default_rng(1)
        places = random.integers(1, 200, (4, 32))
        self.place = numpy.repeat(range(4), (90, 60, 40, 30))
        table = numpy.maximum(0, places[self.place] + random.integers(-20, 20, (220, 32))).astype("<u4")
        self.names = [f"{'abcd'[place]}/{i}.pgm" for i, place in enumerate(self.place)]
        numpy.savez(self.folder / "h.npz", histograms=table, images=numpy.array(self.names))

    def cluster(self, *arguments, status=0):
        return self.run_program("cluster", "-o", "g.csv", *arguments, "h.npz", status=status)

    def rows(self):
        with open(self.folder / "g.csv", newline="") as file:
            return list(csv.DictReader(file))

    def assert_found(self):
        groups = [int(row["group"]) for row in self.rows()]
        self.assertEqual(groups, list(self.place))

    def test_methods(self):
        self.cluster("--resolution", "0.3")
        self.assert_found()
        for method in ("leiden", "ward", "kmeans", "average"):
            self.cluster("--method", method, "-k", "4")
            self.assert_found()
            for groups in (1, 9, 220):
                self.cluster("--method", method, "-k", str(groups))
                self.assertEqual(len({row["group"] for row in self.rows()}), groups, method)
        for method in ("ward", "kmeans", "average"):
            self.assert_one_line(self.cluster("--method", method, status=2).stderr, "-k K is missing")
            self.assert_one_line(self.cluster("--method", method, "--resolution", "1", status=2).stderr, "leiden")

    def test_levels(self):
        self.cluster("-k", "2", "--levels", "--newick", "t.nwk")
        rows = self.rows()
        self.assertEqual(list(rows[0])[:4], ["image", "group", "distance", "level1"])
        parents = {}
        for row in rows:
            self.assertEqual(parents.setdefault(row["level1"], row["group"]), row["group"])
        self.assertGreater(len(parents), 2)
        tree = (self.folder / "t.nwk").read_text()
        self.assertEqual(sorted(re.findall("'([^']*)'", tree)), sorted(self.names))
        self.assertEqual(tree.count("("), tree.count(")"))
        self.assertTrue(tree.endswith(";\n"))

    def test_labels(self):
        done = self.cluster("-k", "4", "--labels", "folders")
        self.assertIn(b"; 4 labels: purity 1.000, NMI 1.000, ARI 1.000", done.stderr)
        self.assertIn(b": 90 a", done.stderr)
        with open(self.folder / "labels.csv", "w") as file:
            file.write("label,image\n" + "".join(f"{'xy'[i % 2]},{name}\n" for i, name in enumerate(self.names[:200])))
        done = self.cluster("-k", "4", "--labels", "labels.csv")
        self.assertIn(b"20 pictures without a label are left out", done.stderr)
        self.assertRegex(done.stderr, rb"; 2 labels: purity 0\.\d+, NMI 0\.0\d+, ARI -?0\.0")
        (self.folder / "labels.csv").write_text("image,label\n" + "".join(f"{name},{'often' if i % 2 else i}\n" for i, name in enumerate(self.names)))
        self.cluster("-k", "4", "--labels", "labels.csv", "--html", "p.html")
        page = (self.folder / "p.html").read_text()
        self.assertEqual((page.count("<bdi>often</bdi></th>"), page.count("<td")), (1, 4 * 50))
        self.assertIn("111 labels: ", page)
        self.assertIn("; the 50 most frequent labels:</small>", page)
        for text, word in (("image,label\nz.jpg,1\n", "none of the pictures"), ("image,name\na,b\n", "label"), ("", "heading"),
                           (f"image,label\n{self.names[0]},1\n{self.names[0]},2\n", "another in an earlier line")):
            (self.folder / "labels.csv").write_text(text)
            self.assert_one_line(self.cluster("-k", "4", "--labels", "labels.csv", status=3).stderr, "labels.csv", word)
        self.assert_one_line(self.cluster("--labels", "none.csv", status=3).stderr, "none.csv")

    def test_folders_of_groups(self):
        names = ["a/x.pgm", "b/x.pgm", "a/x-2.pgm", "c/y.pgm"]
        for seed, name in enumerate(names):
            (self.folder / name).parent.mkdir(exist_ok=True)
            write_picture(self.folder / name, seed)
        numpy.savez(self.folder / "h.npz", histograms=numpy.array([[9, 1], [8, 1], [7, 1], [1, 9]], "<u4"), images=numpy.array(names))
        self.cluster("--method", "ward", "-k", "2", "--link", "links")
        self.assertEqual(sorted(os.listdir(self.folder / "links")), ["group-0", "group-1"])
        there = {os.readlink(path): path.name for path in (self.folder / "links/group-0").iterdir()}
        self.assertEqual(there, {str(self.folder / "a/x.pgm"): "x.pgm", str(self.folder / "b/x.pgm"): "x-2.pgm",
                                 str(self.folder / "a/x-2.pgm"): "x-2-2.pgm"})
        self.cluster("--method", "ward", "-k", "2", "--copy", "copies/")
        self.assertEqual((self.folder / "copies/group-1/y.pgm").read_bytes(), (self.folder / "c/y.pgm").read_bytes())
        self.assertFalse((self.folder / "copies/group-1/y.pgm").is_symlink())
        self.assert_one_line(self.cluster("-k", "2", "--link", "links", status=3).stderr, "links", "not empty")
        (self.folder / "c/y.pgm").unlink()
        (self.folder / "new").mkdir()
        done = self.cluster("--method", "ward", "-k", "2", "--copy", "new", status=1)
        self.assert_one_line(b"".join(line.encode() for line in complaints(done.stderr)), "c/y.pgm", "is not there")
        self.assertEqual(os.listdir(self.folder / "new"), ["group-0"])
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".tmp")], [])

    def test_folders_that_cannot_be_replaced(self):
        empty, table = self.folder / "empty", str(self.folder / "h.npz")
        empty.mkdir()
        (self.folder / "linked").symlink_to("empty")
        self.cluster("-k", "2", "--link", "linked", status=1)
        self.assertTrue((self.folder / "linked").is_symlink())
        self.assertEqual(os.listdir(empty), [])  # its pictures are not there
        done = subprocess.run([os.environ["BOWHIST"], "cluster", "-k", "2", "--link", ".", table], cwd=empty, capture_output=True)
        self.assertEqual(done.returncode, 3)
        self.assert_one_line(done.stderr, ".: cannot be replaced by another folder")
        self.assertEqual(os.listdir(empty), [])

    def test_many_pictures_of_one_name(self):
        names = [f"{i}/x.pgm" for i in range(300)]
        for name in names:
            (self.folder / name).parent.mkdir()
            (self.folder / name).write_bytes(b"")
        numpy.savez(self.folder / "h.npz", histograms=numpy.ones((300, 2), "<u4"), images=numpy.array(names))
        self.cluster("-k", "1", "--link", "links")
        there = {path.name: os.readlink(path) for path in (self.folder / "links/group-0").iterdir()}
        self.assertEqual(there, {"x.pgm" if i == 0 else f"x-{i + 1}.pgm": str(self.folder / name) for i, name in enumerate(names)})

    def test_folders_of_killed_runs_are_swept(self):
        names = [".bowhist-0a0a0a0a-1-0.tmp", ".bowhist-mine.tmp", "made.99999999.tmp", ".bowhist-0a0a0a0a-2-0.tmp"]
        for name in names:
            (self.folder / name / "group-0").mkdir(parents=True)
            (self.folder / name / "group-0" / "link").symlink_to("../../h.npz")
            os.utime(self.folder / name, (0, 0))
        os.utime(self.folder / names[3])  # new: its run may be at work on another machine
        self.cluster("-k", "2", "--copy", "more", status=1)
        self.assertEqual([(self.folder / name).exists() for name in [*names, "h.npz"]], [False, True, True, True, True])

    def test_pictures_that_fit_nowhere(self):
        table = numpy.load(self.folder / "h.npz")["histograms"]
        table[7] = 0
        table[100] = [0] * 30 + [9, 1]
        numpy.savez(self.folder / "h.npz", histograms=table, images=numpy.array(self.names))
        done = self.cluster("-k", "4", "--outliers", "--html", "s.html")
        self.assertRegex(done.stderr, rb"220 pictures in \d groups, \d+ nowhere")
        groups = [row["group"] for row in self.rows()]
        self.assertEqual((groups[7], groups[100]), ("-1", "-1"))
        self.assertLess(groups.count("-1"), 12)
        self.assertIn("Pictures that fit nowhere", (self.folder / "s.html").read_text())


if __name__ == "__main__":
    unittest.main()
