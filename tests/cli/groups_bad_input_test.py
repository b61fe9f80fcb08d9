"""cluster where groups cannot be continued, where input is odd, and where options contradict each other."""
import csv
import json
import os
import shutil
import unittest

import numpy

from groups_test import write_scene
from program import ProgramTest, complaints


def distinctive(shown, inside):
    """The words whose share of the images inside exceeds that outside the most, in whole numbers."""
    excess = shown[inside].sum(axis=0) * (~inside).sum() - shown[~inside].sum(axis=0) * inside.sum()
    order = sorted(range(shown.shape[1]), key=lambda word: (-excess[word], word))[:5]
    return [word for word in order if excess[word] > 0]


class KeptGroups(ProgramTest):
    """groups.json and groups.json.npz in states that a user or an interruption leaves."""

    def setUp(self):
        super().setUp()
        for kind in ("across", "down", "check"):
            for i in range(12):
                write_scene(self.folder / ("later" if i == 0 else "old" if i == 1 else "photos") / f"{kind}{i}.pgm", kind, i)
        self.cluster("photos", "old", "-o", "g.json")

    def cluster(self, *arguments, status=0):
        return self.run_program("cluster", "--kernel", "simd", *arguments, status=status)

    def bytes_of(self, name="g.json"):
        return (self.folder / name).read_bytes(), (self.folder / f"{name}.npz").read_bytes()

    def write(self, groups, codes):
        (self.folder / "g.json").write_bytes(groups)
        (self.folder / "g.json.npz").write_bytes(codes)

    def images(self, name="g.json"):
        return {image for group in json.loads((self.folder / name).read_text())["groups"] for image in group["images"]}

    def assert_refused(self, *words, command=("--update", "g.json", "photos", "old"), status=3):
        before = self.bytes_of()
        self.assert_one_line(self.cluster(*command, status=status).stderr, *words)
        self.assertEqual(self.bytes_of(), before)

    def test_the_words_that_set_a_group_apart(self):
        shutil.copy(self.folder / "old" / "down1.pgm", self.folder / "old" / "copy.pgm")
        (self.folder / "old" / "flat.pgm").write_bytes(b"P5\n90 90\n255\n" + b"\x80" * 8100)
        page = ["--html", "p.html"]
        self.cluster("photos", "old", "-o", "g.json", *page)
        for again in ([], ["--update", "g.json", "photos", "later", "old", *page]):
            if again:
                self.cluster(*again)
            with numpy.load(self.folder / "g.json.npz") as kept:
                shown = numpy.unpackbits(kept["shown"], axis=1)[:, :len(kept["words"])].astype(int)
                names = [str(name) for name in kept["images"]]
            self.assertEqual(len(shown), len(names))
            self.assertTrue((shown[names.index("old/copy.pgm")] == shown[names.index("old/down1.pgm")]).all())
            self.assertFalse(shown[names.index("old/flat.pgm")].any())
            self.assertTrue((shown.sum(axis=1)[:3] > 0).all())
            text = (self.folder / "p.html").read_text()
            for group in json.loads((self.folder / "g.json").read_text())["groups"]:
                words = distinctive(shown, numpy.isin(names, group["images"]))
                self.assertEqual(group["words"], words)
                line = f" Words that set it apart: {', '.join(map(str, words))}.</p>"
                self.assertEqual(bool(words), "old/flat.pgm" not in group["images"])
                self.assertTrue(not words or line in text, line)

    def test_a_run_that_ends_between_the_two_files_costs_nothing(self):
        """groups.json.npz is renamed first. Beside the older groups.json it is taken as it is; so are older codes."""
        older = self.bytes_of()
        more = ["--update", "g.json", "photos", "later"]  # old/ is left out
        self.cluster(*more)
        newer = self.bytes_of()
        self.assertNotEqual(older[1], newer[1])
        for planted in ((older[0], newer[1]), (newer[0], older[1])):
            self.write(*planted)
            self.cluster(*more)
            self.assertEqual(self.bytes_of(), newer)
        # the run that went before it is possible, too: what left has its code made again
        self.write(older[0], newer[1])
        self.cluster("--update", "g.json", "photos", "old")
        self.assertEqual(json.loads(self.bytes_of()[0]), json.loads(older[0]))
        # placing needs all codes, and takes no more pictures than groups.json names
        self.write(older[0], newer[1])
        self.assert_refused("old/", "has no code of", command=("--assign", "g.json", "later"))
        self.cluster("--assign", "g.json", "old", "-o", "placed.json")
        self.assertEqual(self.images("placed.json"), self.images())

    def test_codes_of_another_model(self):
        """As a run that makes all groups anew leaves them where it ends between the two."""
        older = self.bytes_of()
        anew = ["photos", "later", "-o", "g.json"]
        self.cluster(*anew)
        newer = self.bytes_of()
        self.write(older[0], newer[1])
        self.assert_refused("g.json is of another model than g.json.npz")
        self.assert_refused("another model", command=("--assign", "g.json", "later"))
        self.cluster(*anew)
        self.assertEqual(self.bytes_of(), newer)

    def test_codes_of_another_recipe(self):
        for mode in ("--update", "--assign"):
            for option in (["--max-side", "64"], ["--step", "16"], ["--max-descriptors", "50"], ["--enlarge"]):
                command = (mode, "g.json", "photos", "old", "later", *option)
                self.assert_refused(" ".join(option), "was asked for", "g.json.npz", command=command, status=2)
        self.cluster("--assign", "g.json", "later", "--max-side", "384", "-o", "same.json")

    def test_pictures_that_are_no_inputs_any_more(self):
        shutil.rmtree(self.folder / "old")
        done = self.cluster("--update", "g.json", "photos")
        self.assert_one_line(b"".join(line.encode() for line in complaints(done.stderr)[:1]),
                             "3 pictures are no inputs any more and leave, the first: old/across1.pgm")
        done = self.cluster("--update", "g.json", "old", "photos", status=1)
        self.assertIn(b"skipped old", done.stderr)
        self.assert_refused("none of its pictures is among the inputs", "photos/across10.pgm",
                            command=("--update", "g.json", "./photos"))
        self.assert_refused("none of its pictures is among the inputs", command=("--update", "g.json", "later"))

    def test_a_folder_that_was_forgotten_leaves_the_old_file(self):
        self.cluster("--update", "g.json", "photos", "later", "old")
        self.assertFalse((self.folder / "g.json~").exists())
        groups = (self.folder / "g.json").read_bytes()
        done = self.cluster("--update", "g.json", "photos", "old")
        self.assertIn("g.json~ is g.json as it was", done.stderr.decode())
        self.assertEqual((self.folder / "g.json~").read_bytes(), groups)
        self.cluster("--update", "g.json", "photos", "old")  # loses nothing, and keeps what is there
        self.assertEqual((self.folder / "g.json~").read_bytes(), groups)
        self.cluster("--update", "g.json", "photos", "-o", "other.json")
        self.assertFalse((self.folder / "other.json~").exists())
        (self.folder / "g.json~").rename(self.folder / "g.json")
        self.cluster("--update", "g.json", "photos", "later", "old")
        before, after = (sorted(sorted(group["images"]) for group in json.loads(text)["groups"]) for text in (groups, self.bytes_of()[0]))
        self.assertEqual(after, before)

    def test_a_picture_that_is_named_twice_is_grouped_once(self):
        one = "photos/down3.pgm"
        for inputs in ([one, "photos", one, f"./{one}"], ["photos", f"./{one}", one]):
            self.cluster(*inputs, "-o", "g.json")
            self.assertEqual(sum(one in image for group in json.loads(self.bytes_of()[0])["groups"] for image in group["images"]), 1)
            self.cluster("--update", "g.json", *inputs)

    def test_what_is_skipped_keeps_its_group(self):
        before = json.loads(self.bytes_of()[0])
        damaged, folder = self.folder / "photos" / "down3.pgm", self.folder / "old"
        whole, times = damaged.read_bytes(), damaged.stat()
        damaged.write_bytes(b"garbage")
        folder.rename(self.folder / "away")
        done = self.cluster("--update", "g.json", "photos", "old", status=1)
        self.assertIn(b"skipped photos/down3.pgm", done.stderr)
        self.assertNotIn(b"leave", done.stderr)
        kept = json.loads(self.bytes_of()[0])
        self.assertEqual([(group["group"], set(group["images"])) for group in kept["groups"]],
                         [(group["group"], set(group["images"])) for group in before["groups"]])
        (self.folder / "away").rename(folder)
        damaged.write_bytes(whole)
        os.utime(damaged, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertIn(b"33 of 33 pictures keep their code", self.cluster("--update", "g.json", "photos", "old", "-v").stderr)
        self.assertEqual(json.loads(self.bytes_of()[0]), before)

    def test_a_missing_picture_keeps_no_stamp(self):
        """As a run leaves it during which the picture was gone for a moment."""
        with numpy.load(self.folder / "g.json.npz") as kept:
            entries = dict(kept)
        entries["stamps"][[str(name) for name in entries["images"]].index("photos/down3.pgm")] = 0
        numpy.savez(self.folder / "g.json.npz", **entries)
        (self.folder / "photos" / "down3.pgm").unlink()
        done = self.cluster("--update", "g.json", "photos", "photos/down3.pgm", "old", status=1)
        self.assertIn(b"skipped photos/down3.pgm", done.stderr)

    def test_more_groups_than_pictures_are_refused_before_one_is_read(self):
        for i in range(5):
            (self.folder / f"{i}.jpg").write_bytes(b"no picture")
        done = self.cluster("-k", "10", "-o", "x.csv", *(f"{i}.jpg" for i in range(5)), status=3)
        self.assert_one_line(done.stderr, "5 pictures cannot make 10 groups")

    def test_labels_of_no_picture_are_refused_before_one_is_read(self):
        (self.folder / "0.jpg").write_bytes(b"no picture")
        for text, word in (("image,label\nz.jpg,1\n", "none of the pictures"), ("image,name\na,b\n", "label")):
            (self.folder / "labels.csv").write_text(text)
            self.assert_one_line(self.cluster("0.jpg", "-o", "x.csv", "--labels", "labels.csv", status=3).stderr, "labels.csv", word)

    def test_a_high_number_takes_little_memory_and_new_ones_are_low(self):
        groups = json.loads(self.bytes_of()[0])
        groups["groups"][0].update(group=999_999, name="mine")
        (self.folder / "g.json").write_text(json.dumps(groups))
        for i in range(10):
            (self.folder / "more").mkdir(exist_ok=True)
            pixels = numpy.random.default_rng(i).integers(0, 255, (6, 6)).repeat(16, axis=0).repeat(16, axis=1)
            (self.folder / "more" / f"{i}.pgm").write_bytes(b"P5\n96 96\n255\n" + pixels.astype(numpy.uint8).tobytes())
        for _ in range(2):
            self.cluster("--update", "g.json", "photos", "old", "more")
            after = {group["group"]: group["name"] for group in json.loads(self.bytes_of()[0])["groups"]}
            self.assertEqual(after[999_999], "mine")
            self.assertLess(sorted(after)[-2], 10)

    def test_wrong_edits(self):
        groups, codes = self.bytes_of()
        whole = json.loads(groups)

        def edited(change):
            values = json.loads(groups)
            change(values)
            return json.dumps(values).encode()

        wrong = [(groups[:-20], "no valid JSON"), (b"", "no valid JSON"), (b"[]", "a JSON object")]
        for key in ("nowhere", "resolution", "model"):
            wrong.append((edited(lambda values, key=key: values.pop(key)), f'"{key}"'))
        wrong.append((edited(lambda values: values.pop("groups")), "holds no groups"))
        for key in ("group", "images"):
            wrong.append((edited(lambda values, key=key: values["groups"][1].pop(key)), f'"{key}"'))
        for value in (-1, 1.5, "1", None, [1]):
            wrong.append((edited(lambda values, value=value: values["groups"][1].update(group=value)), '"group"'))
        for value in (1_000_000, 2**31 - 1, 2**40, 2**70):
            wrong.append((edited(lambda values, value=value: values["groups"][1].update(group=value)), "group"))
        for value in (7, ["a"], None):
            wrong.append((edited(lambda values, value=value: values["groups"][1].update(name=value)), '"name"'))
        wrong.append((edited(lambda values: values["groups"][0]["images"].append(values["groups"][0]["images"][0])), "twice"))
        wrong.append((edited(lambda values: values["nowhere"].append(values["groups"][0]["images"][0])), "twice"))
        wrong.append((edited(lambda values: values.update(resolution=-1)), "resolution"))
        wrong.append((edited(lambda values: values.update(resolution=1e300)), "resolution"))
        first = json.dumps(whole["groups"][0]["images"])
        wrong.append((json.dumps(whole).replace('"images": ', f'"images": {first}, "images": ', 1).encode(), 'the key "images" twice'))
        for text, word in wrong:
            with self.subTest(word, text=text[-60:]):
                self.write(text, codes)
                self.assert_refused("g.json", word)
        self.write(groups, b"no archive")
        self.assert_refused("g.json.npz")
        self.write(groups, codes)
        (self.folder / "g.json.npz").unlink()
        self.assert_one_line(self.cluster("--update", "g.json", "photos", status=3).stderr, "g.json.npz")
        self.run_program("train", "--model", "vlad", "-k", "8", "--kernel", "simd", "-o", "g.json.npz", "photos")
        self.write(groups.replace(whole["model"].encode(), json.loads(str(numpy.load(self.folder / "g.json.npz")["meta"]))["fingerprint"].encode()),
                   (self.folder / "g.json.npz").read_bytes())
        self.assert_refused("g.json.npz", "codes.npy")  # a model without codes

    def test_edits_that_are_taken(self):
        groups = json.loads(self.bytes_of()[0])
        groups["groups"][0]["name"] = "a\n\x1b[31mred\t"
        groups["groups"][1]["name"] = "a\n\x1b[31mred\t"  # names may be equal: numbers count
        groups["groups"][2]["group"] = 999_999
        groups["groups"][2]["words"] = "none of these"  # are made anew
        groups["groups"].append({"group": 5, "images": []})
        groups["note"] = {"images": 3}
        groups["groups"][0]["images"].append("misspelt.pgm")
        (self.folder / "g.json").write_text(json.dumps(groups))
        done = self.cluster("--update", "g.json", "photos", "old", "-v", "--html", "p.html")
        self.assertIn(b"1 picture is no input any more and leaves: misspelt.pgm\n", done.stderr)
        self.assertIn(rb"group 0, a\n\x1b[31mred\t: ", done.stderr)
        self.assertIn(b"group 999999: ", done.stderr)
        self.assertNotIn(b"\x1b", done.stderr)
        after = json.loads(self.bytes_of()[0])["groups"]
        self.assertEqual([(group["group"], group["name"]) for group in after],
                         [(0, "a\n\x1b[31mred\t"), (1, "a\n\x1b[31mred\t"), (999_999, "")])
        self.assertEqual(sum(len(group["images"]) for group in after), 33)

    def test_folders_of_groups_among_the_pictures(self):
        """Another run would find the links; --exclude leaves them out."""
        for options, warned in ((["--link", "photos/made"], True), (["--copy", "photos/made/"], True),
                                (["--link", "photos/made", "--exclude", "made"], False), (["--link", "made"], False),
                                (["--link", "photos/new/made", "--exclude", "new/"], False)):
            with self.subTest(options):
                done = self.cluster("photos", "-o", "x.csv", *options)
                self.assertEqual(b"lies in photos, so another run takes its pictures" in done.stderr, warned, done.stderr)
                for folder in ("photos/made", "photos/new", "made"):
                    shutil.rmtree(self.folder / folder, ignore_errors=True)

    def test_nothing_is_left_where_one_output_cannot_be_made(self):
        for folder in ("x.json.npz", "x.html/index.html"):
            (self.folder / folder).mkdir(parents=True)
            done = self.cluster("photos", "-o", "x.json", "--html", "x.html", "--link", "new/made", status=3)
            self.assert_one_line(done.stderr, folder)
            self.assertEqual(list((self.folder / folder).parent.glob(".*")), [])
            shutil.rmtree(self.folder / folder.split("/")[0])
            self.assertEqual(sorted(name for name in os.listdir(self.folder) if name[0] in "xn."), [])

    def test_options_without_sense(self):
        for options, word in ((["--levels"], "--levels"), (["--newick", "t.nwk"], "--newick"), (["--outliers"], "--outliers"),
                              (["--resolution", "2"], "--resolution"), (["-k", "2"], "-k"), (["--method", "ward"], "--method"),
                              (["--method", "ward", "-k", "2"], "--method")):
            for continued in ("--update", "--assign"):
                refused = continued == "--assign" or word in ("-k", "--method") or options == ["--levels"]
                with self.subTest(continued, options=options):
                    if refused:
                        self.assert_refused(word, command=(continued, "g.json", *options, "photos", "old"), status=2)
                    else:
                        self.cluster(continued, "g.json", *options, "photos", "old", "-o", "g.csv")
        self.assert_refused("--levels", "a .csv", command=("--levels", "photos", "-o", "x.json"), status=2)
        self.assert_refused("--levels", command=("--levels", "photos", "--html", "p.html"), status=2)
        self.assert_refused(".json", command=("--update", "g.json.npz", "photos"), status=2)
        self.assert_refused("--normalize", command=("--normalize", "tfidf", "photos", "-o", "x.csv"), status=2)
        self.assertEqual(sorted(name for name in os.listdir(self.folder) if name.startswith("x.")), [])


class OddRows(ProgramTest):
    """Rows in files that hardly differ."""

    def cluster(self, table, *arguments, status=0):
        numpy.savez(self.folder / "h.npz", histograms=numpy.asarray(table, "<u4"),
                    images=numpy.array([f"{i}.jpg" for i in range(len(table))]))
        return self.run_program("cluster", "-o", "g.csv", "-v", *arguments, "h.npz", status=status).stderr.decode()

    def groups(self):
        with open(self.folder / "g.csv", newline="") as file:
            return [int(row["group"]) for row in csv.DictReader(file)]

    def two_kinds(self, count=30):
        random = numpy.random.default_rng(3)
        return numpy.vstack([random.integers(20, 40, (count, 8)) * [1, 1, 1, 1, 0, 0, 0, 0],
                             random.integers(20, 40, (count, 8)) * [0, 0, 0, 0, 1, 1, 1, 1]])

    def test_a_thousand_copies_of_one(self):
        """The others keep their own neighbors, and so their groups."""
        table = self.two_kinds()
        self.cluster(table)
        alone = self.groups()
        for method in ([], ["--method", "ward", "-k", "2"]):
            self.cluster(numpy.vstack([table, numpy.repeat(table[:1], 1000, axis=0)]), *method)
            groups = self.groups()
            self.assertEqual(set(groups[60:]), {groups[0]})
            if not method:
                pairs = set(zip(alone, groups))
                self.assertEqual(len(pairs), len(set(alone)))
        self.cluster(numpy.vstack([table, numpy.repeat(table[:1], 1000, axis=0)]), "--outliers")
        self.assertGreater(len(set(self.groups()[:60])), 1)

    def test_equal_rows_and_one(self):
        for method in ("leiden", "ward", "kmeans", "average"):
            said = self.cluster([[3, 1, 0]] * 20, "--method", method, "-k", "4")
            self.assertIn("1 group instead of 4: too few histograms differ once normalised; give a smaller -k", said)
            self.assertEqual(set(self.groups()), {0})
            self.cluster([[3, 1, 0]], "--method", method, "-k", "1", "--newick", "t.nwk")
            self.assertEqual((self.folder / "t.nwk").read_text().count("0.jpg"), 1)
            self.assertEqual(self.groups(), [0])
            said = self.cluster([[3, 1, 0]] * 3, "--method", method, "-k", "4", status=3)
            self.assert_one_line(said.encode(), "3 pictures cannot make 4 groups")
        self.assertIn("20 pictures in 0 groups, 20 nowhere", self.cluster([[0, 0, 0]] * 20, "--outliers", "--levels"))
        self.assertIn("20 pictures in 1 group", self.cluster([[0, 0, 0]] * 20))

    def test_levels_are_there_or_a_line_says_why_not(self):
        said = self.cluster(self.two_kinds(), "--resolution", "30", "--levels", "--newick", "t.nwk")
        self.assertIn("no group divides further", said)
        for options, columns in ((["--newick", "t.nwk"], False), (["--levels"], True)):
            self.cluster(self.two_kinds(40), "-k", "1", *options)
            with open(self.folder / "g.csv", newline="") as file:
                self.assertEqual("level1" in next(csv.reader(file)), columns)

    def test_the_words_of_histograms(self):
        table = self.two_kinds() + numpy.random.default_rng(1).integers(0, 30, (60, 8))
        said = self.cluster(table, "-k", "3", "--normalize", "none")
        shown, groups = table * 8 > table.sum(axis=1, keepdims=True), numpy.array(self.groups())
        for group in range(3):
            words = " ".join(map(str, distinctive(shown.astype(int), groups == group)))
            self.assertIn(f", words {words}, most typical ", said.splitlines()[[f"group {group}:" in line for line in said.splitlines()].index(True)])
        codes = numpy.array([[127, 0], [0, 127], [1, 127]], "|i1")
        numpy.savez(self.folder / "c.npz", rows=codes, images=numpy.array(["a", "b", "c"]))
        self.assertNotIn(b"words", self.run_program("cluster", "-v", "-k", "2", "-o", "g.csv", "c.npz").stderr)

    def test_weights_need_a_vocabulary(self):
        for weights in ("tfidf", "bm25"):
            said = self.cluster(self.two_kinds(), "--normalize", weights, status=2)
            self.assert_one_line(said.encode(), f"bowhist --centroids c.bin --normalize {weights} -o h.npz", "leave it out here")

    def test_folders_where_files_are(self):
        (self.folder / "file").write_text("kept")
        self.assert_one_line(self.cluster(self.two_kinds(), "--link", "file", status=3).encode(), "file: is no folder")
        self.assertEqual((self.folder / "file").read_text(), "kept")


if __name__ == "__main__":
    unittest.main()
