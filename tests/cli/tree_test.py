"""Vocabulary trees: train --tree, and words by --descend."""
import json
import sqlite3
import struct
import unittest

import numpy

from program import ProgramTest, levels


class Trees(ProgramTest):
    def prepare(self):
        self.rows = self.write_descriptors("d.npy", 4000, 8)
        self.run_program("train", "--tree", "6x5", "--kernel", "simd", "-o", "c.bin", "d.npy")

    def tree(self, name="c.bin"):
        """The centroids of each level, and for each node of a level but the last its children there."""
        data = (self.folder / f"{name}.tree").read_bytes()
        self.assertEqual(data[:8], b"bowtree1")
        self.assertEqual(data[8:40].decode(), self.record(name)["fingerprint"])
        dimensions, depth = struct.unpack("<II", data[40:48])
        at, nodes, children = 48, 1, []
        for _ in range(depth):
            children.append(numpy.frombuffer(data, "<u4", nodes, at))
            at, nodes = at + 4 * nodes, int(children[-1].sum())
        centroids = []
        for counts in children[:-1]:
            size = int(counts.sum()) * dimensions
            centroids.append(numpy.frombuffer(data, "<f4", size, at).reshape(-1, dimensions))
            at += 4 * size
        self.assertEqual(at, len(data))
        words = numpy.fromfile(self.folder / name, "<f4", offset=8).reshape(-1, dimensions)
        return [*centroids, words], children

    def record(self, name="c.bin"):
        return json.loads((self.folder / f"{name}.json").read_text())

    def files(self, name):
        return [(self.folder / f"{name}{ending}").read_bytes() for ending in ("", ".json", ".tree")]

    def descended(self, rows, name="c.bin"):
        centroids, children = self.tree(name)
        words = []
        for row in rows.astype("f8"):
            node = 0
            for nodes, counts in zip(centroids, children):
                first = int(counts[:node].sum())
                near = ((nodes[first : first + counts[node]].astype("f8") - row) ** 2).sum(axis=1)
                node = first + int(near.argmin())
            words.append(node)
        return words

    def test_descending_is_what_the_page_says(self):
        for threads in ("1", "2"):
            self.run_program("assign", "--descend", "-j", threads, "--centroids", "c.bin", "-o", "w.npy", "d.npy")
            self.assertEqual(numpy.load(self.folder / "w.npy").tolist(), self.descended(self.rows))
        self.run_program("assign", "--centroids", "c.bin", "-o", "flat.npy", "d.npy")
        flat = numpy.load(self.folder / "flat.npy")
        self.assertFalse((flat == numpy.load(self.folder / "w.npy")).all())
        self.assertGreater((flat == numpy.load(self.folder / "w.npy")).mean(), 0.5)

    def test_the_same_files_on_every_level(self):
        printed = self.run_program("train", "--tree", "6x5", "-o", "t.bin", "d.npy").stderr
        self.assertIn(b"bowhist: 30 words, the leaves of 6x5", printed)
        for kernel in levels():
            with self.subTest(kernel=kernel):
                self.run_program("train", "--tree", "6x5", "--kernel", kernel, "-j", "1", "-o", "t.bin", "d.npy")
                self.assertEqual(self.files("t.bin"), self.files("c.bin"))
        self.run_program("train", "--tree", "3x2x4", "-o", "t.bin", "d.npy")
        self.run_program("assign", "--descend", "--centroids", "t.bin", "-o", "w.npy", "d.npy")
        self.assertEqual(numpy.load(self.folder / "w.npy").tolist(), self.descended(self.rows, "t.bin"))

    def test_files_name_the_rule(self):
        for output, more in (("h.npz", []), ("p.npz", ["--encode", "pyramid", "--cells", "1x1"])):
            with self.subTest(output=output):
                metas = []
                for rule in ([], ["--descend"]):
                    self.run_program("--centroids", "c.bin", *rule, *more, "-o", output, "d.npy")
                    metas.append(json.loads(str(numpy.load(self.folder / output)["meta"])))
                self.assertNotIn("rule", metas[0])
                self.assertEqual(metas[1]["rule"], "descend")
                self.assertNotEqual(metas[0]["fingerprint"], metas[1]["fingerprint"])
                self.assertEqual({**metas[0], "rule": "descend", "fingerprint": ""}, {**metas[1], "fingerprint": ""})
        counts = numpy.load(self.folder / "h.npz")["histograms"][0]
        self.assertEqual(counts.tolist(), numpy.bincount(self.descended(self.rows), minlength=30).tolist())

    def test_histograms_of_both_rules_do_not_mix(self):
        for name, rule in (("a.npz", []), ("b.npz", ["--descend"])):
            self.run_program("--centroids", "c.bin", *rule, "-o", name, "d.npy")
        printed = self.run_program("cluster", "-o", "g.csv", "a.npz", "b.npz", status=3).stderr
        self.assert_one_line(printed, "a.npz", "b.npz")

    def test_a_device_level_is_named_where_the_host_descends(self):
        for call in (["assign", "-o", "w.npy"], ["-o", "h.csv"]):
            printed = self.run_program(*call, "--descend", "--centroids", "c.bin", "--kernel", "gpu2", "d.npy").stderr
            self.assert_one_line(printed, "--descend finds words on the host; --kernel gpu2 has no effect")

    def test_how_much_is_compared_is_noted(self):
        self.run_program("train", "--tree", "3x2x4", "-o", "t.bin", "d.npy")
        for call in (["assign", "-o", "w.npy"], ["-o", "h.csv"]):
            for name, line in (("c.bin", "descending 2 levels: a descriptor is compared with 11 nodes at most, and not with 30 words"),
                               ("t.bin", "descending 3 levels: a descriptor is compared with 9 nodes at most, and not with 24 words")):
                said = self.run_program(*call, "-v", "--descend", "--centroids", name, "d.npy").stderr.decode()
                self.assertEqual(said.count(f"bowhist: {line}\n"), 1, said)
                self.assertNotIn("descending", self.run_program(*call, "--descend", "--centroids", name, "d.npy").stderr.decode())

    def test_shapes_that_make_no_tree(self):
        for shape in ("1x5", "0x3", "5x0", "x", "4x", "x4", "4x-4", "axb", "4X4", "3.5x2", " 4x4"):
            printed = self.run_program("train", f"--tree={shape}", "-o", "t.bin", "d.npy", status=2).stderr
            self.assert_one_line(printed, "--tree")
        for shape, words in (("32", "two levels or more"), ("1024x1025", "more than 1048576 leaves"),
                             ("2000000x2", "more than 1048576 leaves"), ("99999999999999999999x2", "2 or more")):
            printed = self.run_program("train", "--tree", shape, "-o", "t.bin", "d.npy", status=2).stderr
            self.assert_one_line(printed, "--tree", words)
        for more, words in ((["-k", "30"], "--tree and -k both"), (["--model", "vlad"], ""),
                            (["--checkpoint", "t.npz"], "--checkpoint keeps one training"),
                            (["--plot", "t.svg"], "--plot draws one training"),
                            (["--sample", "29"], "--sample 29 draws fewer descriptors")):
            printed = self.run_program("train", "--tree", "6x5", *more, "-o", "t.bin", "d.npy", status=2).stderr
            self.assert_one_line(printed, words)
        printed = self.run_program("train", "--tree", "64x64", "-o", "t.bin", "d.npy", status=3).stderr
        self.assert_one_line(printed, "4000 descriptors cannot make 4096 words", "a smaller --tree")
        self.assertFalse((self.folder / "t.bin.tree").exists())

    def test_trees_that_do_not_fit(self):
        def refused(*words):
            for verb in (["assign", "-o", "w.npy"], ["-o", "h.csv"]):
                printed = self.run_program(*verb, "--descend", "--centroids", "c.bin", "d.npy", status=3).stderr
                self.assert_one_line(printed, *words)

        tree = self.folder / "c.bin.tree"
        data = tree.read_bytes()
        tree.write_bytes(data[:-1])
        refused("c.bin.tree: is shorter than a tree of its levels", "train again")
        self.run_program("train", "--tree", "5x6", "-o", "t.bin", "d.npy")
        tree.write_bytes((self.folder / "t.bin.tree").read_bytes())
        refused("c.bin.tree: is the tree of another vocabulary than c.bin")
        tree.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        refused("c.bin.tree: is another tree than c.bin.json names")
        self.run_program("train", "-k", "9", "-o", "c.bin", "d.npy")
        refused("c.bin.tree: is the tree of another vocabulary than c.bin")
        tree.unlink()
        refused("c.bin: there is no tree to descend", "bowhist train --tree")
        for encoding in ("soft", "vlad"):
            self.run_program("--encode", encoding, "--descend", "--centroids", "c.bin", "d.npy", status=2)

    def test_equal_rows_make_fewer_leaves(self):
        numpy.save(self.folder / "few.npy", numpy.repeat(self.rows[:7], 10, axis=0))
        printed = self.run_program("train", "--tree", "4x4", "-o", "t.bin", "few.npy").stderr
        self.assertIn(b"bowhist: 7 words, the leaves of 4x4", printed)
        numpy.save(self.folder / "few.npy", numpy.repeat(self.rows[:1], 10, axis=0))
        printed = self.run_program("train", "--tree", "2x2", "-o", "t.bin", "few.npy").stderr
        self.assertIn(b"bowhist: 1 word, the leaves of 2x2", printed)

    def test_descriptors_without_room_are_refused_by_what_helps_a_tree(self):
        numpy.save(self.folder / "many.npy", numpy.repeat(self.rows, 100, axis=0))
        self.run_program("extract", "-o", "many.fbin", "many.npy")
        printed = self.run_program("train", "--tree", "4x4", "--sample", "0", "--memory", "20M", "-o", "t.bin", "many.fbin", status=2).stderr
        self.assert_one_line(printed, "--memory 20M has room for", "a smaller --sample: --tree keeps all")


class LibraryOfATree(ProgramTest):
    def prepare(self):
        self.names = [f"{seed}.pgm" for seed in range(6)]
        self.write_pictures(self.names)
        self.run_program("train", "--tree", "6x6", "--extractor", "surf", "-o", "c.bin", *self.names)

    def exported(self, library):
        self.run_program("export", library, "-o", "h.npz")
        archive = numpy.load(self.folder / "h.npz")
        return archive["histograms"], json.loads(str(archive["meta"]))

    def test_a_library_keeps_its_rule(self):
        index = ["index", "--describe", "words", "--centroids", "c.bin"]
        self.run_program(*index, "--descend", "-o", "tree.bow", *self.names[:4])
        self.run_program("index", "-o", "tree.bow", *self.names[4:])  # no option: its models know
        self.run_program(*index, "-o", "flat.bow", *self.names)
        rows, meta = self.exported("tree.bow")
        flat_rows, flat_meta = self.exported("flat.bow")
        self.assertEqual(meta["rule"], "descend")
        self.assertNotIn("rule", flat_meta)
        self.assertNotEqual(meta["fingerprint"], flat_meta["fingerprint"])
        self.assertFalse((rows == flat_rows).all())
        self.run_program("--centroids", "c.bin", "--descend", "-o", "d.npz", *self.names)
        direct = numpy.load(self.folder / "d.npz")
        self.assertEqual(json.loads(str(direct["meta"]))["fingerprint"], meta["fingerprint"])
        self.assertTrue((direct["histograms"].sum(axis=1) >= rows.sum(axis=1)).all())
        best = self.run_program("search", "tree.bow", "2.pgm").stdout.decode().splitlines()[1]
        self.assertIn("2.pgm", best)
        self.run_program("status", "--integrity", "tree.bow")
        with sqlite3.connect(self.folder / "tree.bow") as database:
            (recipe,) = database.execute("SELECT recipe FROM models WHERE kind = 'words'").fetchone()
        self.assertTrue(recipe.endswith(" --descend"), recipe)

    def test_rules_do_not_mix(self):
        index = ["index", "--describe", "words", "--centroids", "c.bin"]
        self.run_program(*index, "--descend", "-o", "tree.bow", *self.names)
        printed = self.run_program(*index, "-o", "tree.bow", *self.names, status=2).stderr
        self.assert_one_line(printed, "has another model of words")
        printed = self.run_program("index", "--descend", "-o", "new.bow", *self.names, status=2).stderr
        self.assert_one_line(printed, "--descend is about the tree of a vocabulary")
        self.run_program("index", "--describe", "words", "--centroids", "tree.bow", "-o", "other.bow", *self.names)
        self.assertEqual(self.exported("other.bow")[1]["rule"], "descend")


if __name__ == "__main__":
    unittest.main()
