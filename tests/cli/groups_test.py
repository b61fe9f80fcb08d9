"""cluster of pictures: from a folder to a page, and groups that stay."""
import csv
import json
import os
import pathlib
import shutil
import unittest

import numpy

from program import ProgramTest

SIDE = 96


def write_scene(path, kind, seed):
    """A scene of rectangles, moved a little, with noise: pictures of one kind look alike."""
    random = numpy.random.default_rng({"across": 1, "down": 2, "check": 3}[kind])
    scene = numpy.full((SIDE + 8, SIDE + 8), 128)
    for _ in range(40):
        x, y = random.integers(0, SIDE - 4, 2)
        w, h = {"across": (40, 6), "down": (6, 40), "check": (14, 14)}[kind]
        scene[y : y + h, x : x + w] = random.integers(0, 220)
    random = numpy.random.default_rng(seed)
    dx, dy = random.integers(0, 4, 2)
    pixels = scene[dy : dy + SIDE, dx : dx + SIDE] + random.integers(0, 30, (SIDE, SIDE))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"P5\n%d %d\n255\n" % (SIDE, SIDE) + pixels.astype(numpy.uint8).tobytes())


class Groups(ProgramTest):
    def prepare(self):
        """Pictures, and their groups, g.json."""
        for kind in ("across", "down", "check"):
            for i in range(16):
                write_scene(self.folder / ("photos" if i or kind == "check" else "later") / f"{kind}{i}.pgm", kind, i)
        self.cluster("photos", "-o", "g.json")

    def cluster(self, *arguments, status=0, kernel="simd"):
        return self.run_program("cluster", "--kernel", kernel, *arguments, status=status)

    def groups(self, name="g.json"):
        return json.loads((self.folder / name).read_text())

    def by_image(self, name="g.json"):
        return {image: group["group"] for group in self.groups(name)["groups"] for image in group["images"]}

    def edit(self, change):
        groups = self.groups()
        change(groups["groups"])
        (self.folder / "g.json").write_text(json.dumps(groups))

    def assert_kinds_apart(self, by_image):
        kinds = {}
        for image, group in by_image.items():
            kinds.setdefault(pathlib.Path(image).name.rstrip("0123456789.pgm"), set()).add(group)
        self.assertEqual([len(groups) for groups in kinds.values()], [1, 1, 1], kinds)
        self.assertEqual(len(set.union(*kinds.values())), 3, kinds)

    def test_from_a_folder_to_a_page(self):
        (self.folder / "photos" / "broken.jpg").write_bytes(b"no picture")
        done = self.cluster("photos", "--html", "sheet.html", "-o", "g.csv", status=1)
        self.assertIn(b"46 pictures in 3 groups; 46 read, 1 skipped", done.stderr)
        with open(self.folder / "g.csv", newline="") as file:
            self.assert_kinds_apart({row["image"]: row["group"] for row in csv.DictReader(file)})
        page = (self.folder / "sheet.html").read_text()
        self.assertEqual(page.count("<figure"), 46)
        only_page = self.cluster("photos", "--html", "only.html", status=1)
        self.assertEqual(only_page.stdout, b"")
        self.assertEqual((self.folder / "only.html").read_bytes(), (self.folder / "sheet.html").read_bytes())

    def test_codes_in_a_file_give_the_same_groups(self):
        shutil.copy(self.folder / "g.json.npz", self.folder / "m.npz")
        self.run_program("--centroids", "m.npz", "--encode", "vlad", "--kernel", "simd", "-o", "codes.npz", "photos")
        self.cluster("codes.npz", "-o", "again.csv")
        with open(self.folder / "again.csv", newline="") as file:
            self.assertEqual({row["image"]: int(row["group"]) for row in csv.DictReader(file)}, self.by_image())
        with numpy.load(self.folder / "g.json.npz") as kept, numpy.load(self.folder / "codes.npz") as made:
            self.assertTrue((kept["codes"] == made["rows"]).all())

    def test_the_same_everywhere(self):
        for kernel, more in (("openmp", ["-j", "1"]), ("gpu6", ["--batch", "3000"]), ("gpu5", [])):
            self.cluster("photos", "-o", "g.json", *more, kernel=kernel)
            for name in ("g.json", "g.json.npz"):
                self.assertEqual((self.folder / name).read_bytes(), (self.prepared / name).read_bytes(), kernel)

    def test_groups_are_continued(self):
        before = self.by_image()
        self.edit(lambda groups: groups[1].update(name="Lisbon, 2019"))
        (self.folder / "photos" / "across1.pgm").unlink()
        known = self.folder / "photos" / "across2.pgm"  # is not opened: its size and time are the same
        times = known.stat()
        known.write_bytes(bytes(times.st_size))
        os.utime(known, ns=(times.st_atime_ns, times.st_mtime_ns))
        done = self.cluster("--update", "g.json", "photos", "later", "-v")
        self.assertIn(b"45 of 47 pictures keep their code", done.stderr)
        after = self.by_image()
        self.assert_kinds_apart(after)
        self.assertNotIn("photos/across1.pgm", after)
        self.assertEqual({image: before[image] for image in after if image in before},
                         {image: group for image, group in after.items() if image in before})
        self.assertEqual(self.groups()["groups"][1]["name"], "Lisbon, 2019")
        page = self.cluster("--update", "g.json", "photos", "later", "--html", "p.html", "-o", "other.csv")
        self.assertIn("Group 1, Lisbon, 2019", (self.folder / "p.html").read_text(), page)

    def test_pictures_moved_by_hand_stay_there(self):
        moved = {"photos/across3.pgm": "down", "photos/down5.pgm": "check", "photos/check7.pgm": None}
        number = {kind: self.by_image()[f"photos/{kind}1.pgm"] for kind in ("across", "down", "check")} | {None: 7}
        before = self.by_image()

        def move(groups):
            groups.append({"group": 7, "name": "odd ones", "images": []})
            for group in groups:
                group["images"] = [image for image in group["images"] if image not in moved]
                group["images"] += [image for image, kind in moved.items() if group["group"] == number[kind]]

        self.edit(move)
        expected = before | {image: number[kind] for image, kind in moved.items()}
        for run in range(3):
            done = self.cluster("--update", "g.json", "photos", *(["later"] if run else []))
            made = self.by_image()
            self.assertEqual({image: made[image] for image in expected}, expected)
            self.assertIn(b"3 pictures stay where they were moved by hand\n", done.stderr)
            self.assertEqual(b"2 new pictures: " in done.stderr, run == 1)
        self.cluster("--assign", "g.json", "later")  # keeps what is known of them
        self.cluster("--update", "g.json", "photos", "later")
        self.assertEqual({image: self.by_image()[image] for image in expected}, expected)
        # another number, and another name, move nothing
        self.edit(lambda groups: [group.update(group=group["group"] + 20) for group in groups])
        self.cluster("--update", "g.json", "photos", "later")
        self.assertEqual({image: self.by_image()[image] - 20 for image in expected}, expected)
        # moved back, or taken out of the file, which makes it new
        def back(groups):
            for group in groups:
                group["images"] = [image for image in group["images"] if image not in moved]
                group["images"] += [image for image in list(moved)[:2] if before[image] + 20 == group["group"]]

        self.edit(back)
        done = self.cluster("--update", "g.json", "photos", "later")
        self.assertIn(b"1 new picture: 1 in group", done.stderr)
        self.assertEqual({image: self.by_image()[image] - 20 for image in expected}, before)

    def test_new_pictures_that_were_put_into_a_group_by_hand_stay_there(self):
        wanted = self.by_image()["photos/down1.pgm"]
        self.edit(lambda groups: groups[wanted]["images"].append("later/across0.pgm"))
        for _ in range(2):
            done = self.cluster("--update", "g.json", "photos", "later")
            self.assertEqual(self.by_image()["later/across0.pgm"], wanted)
            self.assertIn(b"1 picture stays where it was moved by hand\n", done.stderr)

    def test_folders_have_the_names_of_groups(self):
        names = {0: "Lisbon / Porto\n", 1: "..", 2: "\u00e9" * 200}
        self.edit(lambda groups: [group.update(name=names[group["group"]]) for group in groups])
        for option in ("--link", "--copy"):
            folder = f"not/there{option}/yet"
            self.cluster("--update", "g.json", "photos", option, folder)
            self.assertEqual(sorted(os.listdir(self.folder / folder)),
                             ["group-0-Lisbon _ Porto_", "group-1-..", "group-2-" + "\u00e9" * 75])
            made = {path.name: path.parent.name for path in (self.folder / folder).glob("*/*")}
            self.assertEqual({name: int(group.split("-")[1]) for name, group in made.items()},
                             {pathlib.Path(image).name: group for image, group in self.by_image().items()})

    def test_a_changed_picture_gets_a_new_code(self):
        shutil.copy(self.folder / "photos" / "down3.pgm", self.folder / "photos" / "across3.pgm")
        self.cluster("--update", "g.json", "photos")
        with numpy.load(self.folder / "g.json.npz") as kept:
            names = [str(name) for name in kept["images"]]
            self.assertTrue((kept["codes"][names.index("photos/across3.pgm")] == kept["codes"][names.index("photos/down3.pgm")]).all())

    def test_new_pictures_are_placed(self):
        before = self.by_image()
        self.cluster("--assign", "g.json", "later", "-o", "placed.json")
        self.assertEqual(self.by_image(), before)
        after = self.by_image("placed.json")
        self.assertEqual(len(after), 48)
        self.assert_kinds_apart(after)
        self.assertEqual({image: after[image] for image in before}, before)

    def test_wrong_edits_and_other_files_are_refused(self):
        kept = (self.folder / "g.json").read_bytes()

        def refused(*words, change=None, file="g.json"):
            if change:
                self.edit(change)
            done = self.cluster("--update", file, "photos", status=3)
            self.assert_one_line(done.stderr, *words)
            (self.folder / "g.json").write_bytes(kept)

        refused("twice", change=lambda groups: groups[0]["images"].append(groups[1]["images"][0]))
        refused("number 0", change=lambda groups: groups[1].update(group=0))
        refused('"group"', change=lambda groups: groups[1].update(group=-2))
        refused("list of images", change=lambda groups: groups[1]["images"].append(3))
        refused("a number", change=lambda groups: groups.append(7))
        (self.folder / "plain.json").write_text("{}")
        refused("holds no groups", file="plain.json")
        (self.folder / "g.json").write_text(kept.decode().replace('"model": "', '"model": "0'))
        refused("another model")
        whole = (self.folder / "g.json.npz").read_bytes()
        (self.folder / "g.json.npz").write_bytes(whole[: len(whole) // 2])
        refused("g.json.npz")
        (self.folder / "g.json.npz").unlink()
        refused("g.json.npz")

    def test_messages_name_what_is_expected(self):
        self.assert_one_line(self.cluster("--resolution", "-1", "photos", "-o", "-", status=2).stderr, "a number from 0 on, not -1")
        (self.folder / "l.csv").write_text("file,class\nphotos/across1.pgm,x\n")
        done = self.cluster("--labels", "l.csv", "photos", "-o", "-", status=3)
        self.assert_one_line(done.stderr, "the heading image,label, found 'file,class'")

    def test_wrong_usage(self):
        numpy.savez(self.folder / "h.npz", histograms=numpy.ones((3, 4), "<u4"), images=numpy.array(["a", "b", "c"]))
        for arguments, word in ((["photos"], "nothing to write"), (["photos", "h.npz", "-o", "g.csv"], "one kind"),
                                (["h.npz", "-o", "g.json"], "not rows"), (["photos", "-o", "g.json", "--method", "ward", "-k", "3"], "leiden"),
                                (["photos", "--update", "g.json", "-k", "3"], "-k"), (["photos", "-o", "g.csv", "--normalize", "l1"], "--normalize"),
                                (["photos", "--update", "g.json", "--assign", "g.json"], "--assign")):
            with self.subTest(arguments):
                self.assert_one_line(self.cluster(*arguments, status=2).stderr, word)

    def test_few_pictures(self):
        """One, all equal, one without descriptors: their groups are made, or a line says why not."""
        folder = self.folder / "few"
        write_scene(folder / "a.pgm", "check", 1)
        self.assertIn(b"1 picture in 1 group", self.cluster("few", "-o", "g.csv").stderr)
        for name in "bcd":
            shutil.copy(folder / "a.pgm", folder / f"{name}.pgm")
        self.assertIn(b"4 pictures in 1 group", self.cluster("few", "-o", "g.csv").stderr)
        (folder / "flat.pgm").write_bytes(b"P5\n50 50\n255\n" + bytes(2500))
        self.assertIn(b"5 pictures in 1 group", self.cluster("few", "-o", "g.json").stderr)
        self.assert_one_line(self.cluster("few/flat.pgm", "-o", "g.csv", status=3).stderr, "0 descriptors")


if __name__ == "__main__":
    unittest.main()
