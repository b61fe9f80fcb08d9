"""train, its sidecar, extract and cluster."""
import csv
import json
import os
import re
import unittest

import numpy

from program import ProgramTest, complaints, write_picture


class Vocabulary(ProgramTest):
    def prepare(self):
        self.names = [f"p{seed}.pgm" for seed in range(6)]
        self.write_pictures(self.names)
        self.plain = self.train()

    def train(self, *options, output="c.bin"):
        self.run_program("train", "-k", "16", "-o", output, *options, *self.names)
        return (self.folder / output).read_bytes()

    def rows_of(self, name):
        return list(csv.reader((self.folder / name).read_text().splitlines()))

    def test_the_file_is_the_contract_s(self):
        k, dimensions = numpy.frombuffer(self.plain[:8], "<u4")
        self.assertEqual((k, dimensions, len(self.plain)), (16, 64, 8 + 4 * 16 * 64))
        sidecar = json.loads((self.folder / "c.bin.json").read_text())
        self.assertEqual(sidecar["extractor"]["name"], "dense")
        self.assertEqual(sidecar["training"]["seed"], 1)
        self.assertRegex(sidecar["fingerprint"], "^[0-9a-f]{32}$")

    def test_the_same_from_every_level_and_thread_count(self):
        expected = self.train("--kernel", "serial", "-j", "1")
        for level in ("openmp", "gpu1", "gpu6"):  # tests/train has every level
            self.assertEqual(self.train("--kernel", level, "-j", "2"), expected, level)
        self.assertNotEqual(self.train("--seed", "2"), expected)

    def test_training_skips_what_does_not_fit(self):
        self.run_program("extract", "--extractor", "kaze", "-o", "k.npy", "p0.pgm")
        self.write_descriptors("wide.npy", 50, dimensions=32)
        self.write_descriptors("plain.npy", 50)
        done = self.run_program("train", "-k", "4", "-o", "c.bin", "p0.pgm", "k.npy", "wide.npy", "plain.npy", status=1)
        self.assertEqual(len(complaints(done.stderr)), 2, done.stderr)
        self.assertEqual(json.loads((self.folder / "c.bin.json").read_text())["extractor"]["name"], "dense")

    def test_descriptor_files_must_be_of_the_extractor_asked_for(self):
        self.run_program("extract", "-o", "d.npz", "p0.pgm")
        self.run_program("extract", "--extractor", "surf", "-o", "s.npz", "p0.pgm")
        for call in (["train", "-k", "4", "-o", "c.bin"], ["extract", "-o", "out"]):
            done = self.run_program(*call, "--extractor", "surf", "d.npz", "s.npz", status=1)
            self.assert_one_line(done.stderr, "d.npz: made with --extractor dense", "but surf", "extract it again")
        self.assertEqual(json.loads((self.folder / "c.bin.json").read_text())["extractor"]["name"], "surf")
        self.assertEqual([path.name for path in (self.folder / "out").glob("*.npy")], ["s.npy"])

    def test_descriptors_without_a_sidecar_are_imported(self):
        self.write_descriptors("plain.npy", 50)
        self.run_program("train", "-k", "4", "-o", "c.bin", "plain.npy")
        self.assertEqual(json.loads((self.folder / "c.bin.json").read_text())["extractor"]["name"], "imported")
        self.run_program("extract", "-o", "copy.npy", "plain.npy")
        self.run_program("train", "-k", "4", "-o", "mixed.bin", "p0.pgm", "copy.npy")
        self.run_program("--centroids", "mixed.bin", "copy.npy", "p0.pgm")
        self.assertEqual(json.loads((self.folder / "copy.npy.json").read_text())["extractor"]["name"], "imported")

    def test_descriptor_files_train_the_same_vocabulary(self):
        self.run_program("extract", "-o", "d", *self.names)
        files = [f"d/p{i}.npy" for i in range(6)]
        self.run_program("train", "-k", "16", "-o", "again.bin", *files)
        self.assertEqual((self.folder / "again.bin").read_bytes(), self.plain)

    def test_a_sample_is_drawn_by_the_seed(self):
        everything = self.train("--sample", "0")
        self.assertEqual(self.plain, everything)  # fewer than the default
        drawn = self.train("--sample", "100")
        training = json.loads((self.folder / "c.bin.json").read_text())["training"]
        self.assertEqual(training["descriptors"], 100)
        self.assertGreater(training["of"], 1000)
        self.assertNotEqual(drawn, everything)
        self.assertEqual(self.train("--sample", "100", "-j", "1"), drawn)
        self.assertNotEqual(self.train("--sample", "100", "--seed", "2"), drawn)
        done = self.run_program("train", "-k", "16", "--sample", "15", "-o", "c.bin", "no.pgm", status=2)
        self.assert_one_line(done.stderr, "--sample 15 draws fewer descriptors than -k 16", "--sample 0")

    def test_the_course_is_recorded_and_drawn(self):
        self.run_program("train", "-k", "8", "--init", "random", "--restarts", "3", "--iterations", "6", "--plot", "course.svg",
                         "-o", "c.bin", "p0.pgm")
        training = json.loads((self.folder / "c.bin.json").read_text())["training"]
        self.assertEqual(training["start"], "random")
        self.assertEqual(training["seed"], 1)
        course = training["course"]
        self.assertEqual({len(column) for column in course.values()}, {training["iterations"] + 1})
        self.assertEqual(course["moved"][0], training["descriptors"])
        self.assertEqual(course["inertia"], sorted(course["inertia"], reverse=True))
        self.assertAlmostEqual(course["inertia"][-1] / training["inertia"], 1, places=9)
        points = [line.count(",") for line in (self.folder / "course.svg").read_text().splitlines() if "<polyline" in line]
        self.assertEqual(points, [training["iterations"] + 1] * 2)
        done = self.run_program("train", "-k", "8", "--init", "best", "-o", "c.bin", "p0.pgm", status=2)
        self.assert_one_line(done.stderr, "sampled, greedy, random")
        os.link(self.folder / "p0.pgm", self.folder / "p0.svg")
        done = self.run_program("train", "-k", "8", "--plot", "p0.svg", "-o", "c.bin", "p0.pgm", status=2)
        self.assert_one_line(done.stderr, "p0.svg would replace")
        done = self.run_program("train", "-k", "8", "--plot", "./c.svg", "-o", "c.svg", "p0.pgm", status=2)
        self.assert_one_line(done.stderr, "./c.svg: is written twice")

    def test_a_checkpoint_ends_in_the_same_bytes(self):
        expected = self.train("--iterations", "12")
        sidecar = (self.folder / "c.bin.json").read_text()
        self.assertNotEqual(self.train("--iterations", "5", "--checkpoint", "t.npz", output="half.bin"), expected)
        with numpy.load(self.folder / "t.npz") as state:
            self.assertEqual(state["centroids"].shape, (16, 64))
        kept = (self.folder / "t.npz").read_bytes()
        inputs = ["-o", "c.bin", "--checkpoint", "t.npz", *self.names]
        for options, words in ((["-k", "15"], "16 words of 64"), (["-k", "16", "--seed", "2"], "--seed 1"),
                               (["-k", "16", "--init", "random"], "--init sampled"),
                               (["-k", "16", "--threshold", "3"], "other descriptors"),
                               (["-k", "16", "--iterations", "4"], "5 iterations"),
                               (["-k", "16", "--restarts", "2"], "--restarts")):
            self.assert_one_line(self.run_program("train", *options, *inputs, status=2).stderr, words)
        self.assertEqual((self.folder / "t.npz").read_bytes(), kept)
        self.assertEqual(self.train("--iterations", "12", "--checkpoint", "t.npz"), expected)
        self.assertEqual((self.folder / "c.bin.json").read_text(), sidecar)
        for content in (b"", b"PK\3\4", kept[: len(kept) // 2]):
            (self.folder / "bad.npz").write_bytes(content)
            done = self.run_program("train", "-k", "16", "-o", "c.bin", "--checkpoint", "bad.npz", *self.names, status=3)
            self.assert_one_line(done.stderr, "bad.npz")
            self.assertEqual((self.folder / "bad.npz").read_bytes(), content)
        self.assert_one_line(self.run_program("train", "-k", "16", "-o", "c.bin", "--checkpoint", "no/t.npz", *self.names,
                                              status=3).stderr, "no/t.npz")

    def test_patches_and_step_are_the_grid(self):
        for patches, step in (((16, 24, 32), 8), ((12,), 5), ((8, 64), 16)):
            options = ["--patches", ",".join(map(str, patches)), "--step", str(step), "--threshold", "1e-9"]
            self.run_program("extract", "-o", "x.npz", *options, "p0.pgm")
            x, y, scale, *_ = numpy.load(self.folder / "x.npz")["keypoints"].T
            self.assertEqual(set((20 * scale).round().astype(int)), set(patches))
            for size in patches:
                for middles, side in ((x, 240), (y, 180)):
                    along = numpy.unique(middles[(20 * scale).round() == size])
                    self.assertEqual(set(numpy.diff(along) % step), {0})
                    self.assertLessEqual(len(along), (side - size) // step + 1)
                    self.assertTrue(((along >= size / 2 - 0.5) & (along <= side - size / 2 - 0.5)).all())
        self.run_program("train", "-k", "4", "--patches", "16,24,32", "--step", "8", "-o", "old.bin", "p0.pgm")
        done = self.run_program("-v", "--centroids", "old.bin", "p0.pgm")
        self.assertIn(b" --patches 16,24,32 --step 8 ", done.stderr)
        for wrong in (["--patches", "15"], ["--patches", "24,16"], ["--patches", "16,"]):
            self.assert_one_line(self.run_program("extract", "-o", "y.npy", *wrong, "p0.pgm", status=2).stderr, "dense: ", "give")

    def test_the_sidecar_chooses_the_extractor(self):
        self.train("--extractor", "kaze", "--upright")
        chosen = self.run_program("--centroids", "c.bin", *self.names).stdout
        said = self.run_program("--centroids", "c.bin", "--extractor", "kaze", "--upright", *self.names).stdout
        self.assertEqual(chosen, said)
        (self.folder / "c.bin.json").unlink()
        without = self.run_program("--centroids", "c.bin", *self.names).stdout
        self.assertNotEqual(chosen, without)
        said = self.run_program("--centroids", "c.bin", "--extractor", "dense", *self.names).stdout
        self.assertEqual(without, said)

    def test_a_conflict_names_both_after_an_unknown_extractor(self):
        done = self.run_program("--centroids", "c.bin", "--extractor", "orb", *self.names, status=2)
        self.assert_one_line(done.stderr, "orb: no such extractor", "kaze")
        self.train("--extractor", "kaze")
        done = self.run_program("--centroids", "c.bin", "--extractor", "akaze", *self.names, status=2)
        self.assert_one_line(done.stderr, "kaze", "akaze")
        self.train("--extractor", "akaze", "--upright")
        done = self.run_program("--centroids", "c.bin", "--upright=false", *self.names, status=2)
        self.assert_one_line(done.stderr, "akaze --upright ", "--upright=false")

    def test_descriptors_made_otherwise_are_skipped(self):
        self.run_program("extract", "--extractor", "kaze", "-o", "k.npy", "p0.pgm")
        self.run_program("extract", "-o", "a.npy", "p0.pgm")
        done = self.run_program("--centroids", "c.bin", "k.npy", "a.npy", status=1)
        self.assert_one_line(done.stderr, "k.npy", "kaze", "dense")
        self.assertEqual(len(done.stdout.splitlines()), 2)
        assigned = self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "k.npy", "a.npy", status=1)
        self.assert_one_line(assigned.stderr, "k.npy", "kaze", "dense")
        self.assertEqual(len(numpy.load(self.folder / "w.npy")), len(numpy.load(self.folder / "a.npy")))

    def test_extract_keeps_relative_paths_and_no_two_alike(self):
        for name in ("in/a.pgm", "in/sub/a.pgm"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_picture(self.folder / name, 1)
        (self.folder / "in/a.ppm").write_bytes((self.folder / "in/a.pgm").read_bytes())
        self.run_program("extract", "-o", "out", "in", "in/a.pgm", "../" + self.folder.name + "/in/a.pgm")
        files = sorted(str(p.relative_to(self.folder / "out")) for p in (self.folder / "out").rglob("*.npy"))
        self.assertEqual(len(files), 5, files)
        self.assertIn("a.npy", files)
        self.assertIn("sub/a.npy", files)
        pictures = {json.loads(p.read_text())["picture"] for p in (self.folder / "out").rglob("*.json")}
        self.assertIn("in/sub/a.pgm", pictures)

    def test_extract_shortens_names_that_leave_no_room(self):
        names = ["n" * 251 + ending for ending in (".pgm", ".PGM")]
        for seed, name in enumerate(names):
            write_picture(self.folder / name, seed)
        self.run_program("extract", "-o", "out", *names)
        pictures = {json.loads(path.read_text())["picture"] for path in (self.folder / "out").glob("*.json")}
        self.assertEqual(pictures, set(names))

    def test_cluster_groups_pictures_and_shows_them(self):
        self.run_program("--centroids", "c.bin", "-o", "h.npz", *self.names)
        self.run_program("cluster", "-k", "2", "-o", "g.csv", "--html", "s.html", "h.npz")
        rows = self.rows_of("g.csv")
        self.assertEqual(rows[0], ["image", "group", "distance"])
        self.assertEqual([row[0] for row in rows[1:]], self.names)
        sizes = [sum(row[1] == group for row in rows[1:]) for group in ("0", "1")]
        self.assertEqual(sum(sizes), 6)
        self.assertGreaterEqual(sizes[0], sizes[1], "group 0 is the largest")
        page = (self.folder / "s.html").read_text()
        self.assertEqual(len(set(re.findall(r'data:image/jpeg;base64,[^"]*', page))), 6)
        others = re.findall(r'src="(?!data:)|<link(?! rel="icon" href="data:)|<script src', page)
        self.assertEqual(others, [], "the page needs no other file")
        done = self.run_program("cluster", "-k", "7", "-o", "g.csv", "h.npz", status=3)
        self.assert_one_line(done.stderr, "6 pictures", "7 groups")


if __name__ == "__main__":
    unittest.main()
