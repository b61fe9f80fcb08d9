"""Duplicates: copies of the same picture, found among pictures that are made here."""
import csv
import io
import json
import os
import pathlib
import shutil
import unittest

import numpy

from program import ProgramTest
from search_test import scene, write_pgm


def halved(pixels):
    height, width = pixels.shape[0] // 2 * 2, pixels.shape[1] // 2 * 2
    return pixels[:height, :width].reshape(height // 2, 2, width // 2, 2).mean((1, 3))


def framed(pixels):
    return numpy.pad(pixels, 40, constant_values=255)


EDITS = {
    "half": halved,
    "part": lambda p: p[30:330, 60:420],
    "quarter_turn": lambda p: numpy.rot90(p),
    "half_turn": lambda p: numpy.rot90(p, 2),
    "mirror": lambda p: p[:, ::-1],
    "brighter": lambda p: numpy.clip(p * 0.8 + 40, 0, 255),
    "framed": framed,
}
EXPECTED = {"half": "resized", "part": "cropped", "quarter_turn": "turned", "half_turn": "turned", "mirror": "mirrored",
            "brighter": "recolored", "framed": "bordered"}


class DuplicatesTest(ProgramTest):
    def prepare(self):
        (self.folder / "photos/edited").mkdir(parents=True)
        self.scenes = [scene(seed) for seed in range(6)]
        for i, pixels in enumerate(self.scenes):
            write_pgm(self.folder / f"photos/p{i}.pgm", pixels)
            self.set_time(f"p{i}", 1_300_000_000)  # before what is made of it
        for name, edit in EDITS.items():
            write_pgm(self.folder / f"photos/edited/{name}.pgm", edit(self.scenes[0]))
        shutil.copy(self.folder / "photos/p1.pgm", self.folder / "photos/again.pgm")
        self.index()

    def set_time(self, name, seconds):
        os.utime(self.folder / f"photos/{name}.pgm", (seconds, seconds))

    def index(self, *arguments):
        self.run_program("index", "-o", "p.bow", "--words-k", "500", "--code-k", "8", "--kernel", "simd", "--mirrored", "photos", *arguments)

    def rows(self, *arguments, status=0):
        done = self.run_program("duplicates", "p.bow", *arguments, status=status)
        return list(csv.DictReader(io.StringIO(done.stdout.decode())))


class Found(DuplicatesTest):
    def test_copies_are_found_however_they_were_edited(self):
        rows = self.rows()
        groups = {}
        for row in rows:
            groups.setdefault(row["group"], []).append(row)
        bests = [group[0]["image"] for group in groups.values()]
        self.assertEqual(sorted(bests), ["photos/p0.pgm", "photos/p1.pgm"])
        copies = {pathlib.Path(row["image"]).stem: row for row in rows if row["with"] == "photos/p0.pgm"}
        self.assertEqual(set(copies), set(EDITS))
        for name, kind in EXPECTED.items():
            self.assertIn(kind, copies[name]["kind"].split("+"), name)

    def test_the_map_says_where_a_copy_lies(self):
        rows = {pathlib.Path(row["image"]).stem: row for row in self.rows()}
        expected = {"half": [2, 0, 0.5, 0, 2, 0.5], "part": [1, 0, 60, 0, 1, 30], "mirror": [-1, 0, 479, 0, 1, 0],
                    "quarter_turn": [0, -1, 479, 1, 0, 0], "framed": [1, 0, -40, 0, 1, -40]}
        for name, numbers in expected.items():
            found = [float(number) for number in rows[name]["map"].split()]
            numpy.testing.assert_allclose(numpy.take(found, [0, 1, 3, 4]), numpy.take(numbers, [0, 1, 3, 4]), atol=0.01, err_msg=name)
            numpy.testing.assert_allclose(numpy.take(found, [2, 5]), numpy.take(numbers, [2, 5]), atol=1.5, err_msg=name)

    def test_a_cut_of_a_thing_on_plain_ground_never_replaces_the_whole(self):
        """Nearly all that is cut off is of one level, but for what reaches into it."""
        for seed in range(3):
            whole = 200 + numpy.random.default_rng(seed).normal(0, 2, (480, 640))
            whole[110:370, 160:480] = scene(20 + seed)[:260, :320]
            whole[180:220, 480:580] = 60  # a sleeve
            write_pgm(self.folder / f"photos/thing{seed}.pgm", whole)
            write_pgm(self.folder / f"photos/edited/thing{seed}_cut.pgm", whole[90:390, 140:500])
            self.set_time(f"edited/thing{seed}_cut", 1000)
        self.index()
        spare = self.run_program("duplicates", "p.bow", "--print0").stdout.decode()
        self.assertIn("photos/edited/mirror.pgm", spare)
        self.assertNotIn("photos/thing", spare)

    def test_equal_bytes_are_copies(self):
        row = next(row for row in self.rows() if row["image"] == "photos/again.pgm")
        self.assertEqual((row["with"], row["kind"]), ("photos/p1.pgm", "bytes"))

    def test_the_last_line_counts(self):
        done = self.run_program("duplicates", "p.bow")
        taken = sum((self.folder / row["image"]).stat().st_size for row in self.rows() if row["best"] == "0")
        self.assertIn(f"2 groups with 8 copies that take {taken} bytes, among 14 pictures".encode(), done.stderr)

    def test_the_names_of_files_change_nothing_but_names(self):
        before = {pathlib.Path(row["image"]).stem: (row["kind"], row["score"], row["map"]) for row in self.rows() if row["kind"] != "bytes"}
        (self.folder / "photos/edited").rename(self.folder / "photos/zz")
        self.index()
        after = {pathlib.Path(row["image"]).stem: (row["kind"], row["score"], row["map"]) for row in self.rows() if row["kind"] != "bytes"}
        for name in EDITS:
            self.assertEqual(before[name], after[name])

    def test_the_number_of_threads_changes_nothing(self):
        results = [self.run_program("duplicates", "p.bow", "-j", threads).stdout for threads in ("1", "3")]
        self.assertEqual(*results)


class Formats(DuplicatesTest):
    def spare(self, *arguments):
        return {*self.run_program("duplicates", "p.bow", "--print0", *arguments).stdout.decode().split("\0")}

    def test_json_lines_have_a_header_and_a_footer(self):
        self.run_program("duplicates", "p.bow", "-o", "g.jsonl")
        lines = [json.loads(line) for line in (self.folder / "g.jsonl").read_text().splitlines()]
        self.assertEqual(lines[0], {"images": 14, "groups": 2})
        self.assertEqual(lines[-1]["copies"], 8)
        self.assertEqual(len(lines) - 2, 10)

    def test_numbers_are_those_of_the_rows(self):
        self.run_program("duplicates", "p.bow", "-o", "g.npz")
        rows = self.rows()
        with numpy.load(self.folder / "g.npz") as file:
            self.assertEqual(list(file["images"]), [row["image"] for row in rows])
            self.assertEqual(list(file["group"]), [int(row["group"]) for row in rows])
            self.assertEqual(list(file["kind"]), [row["kind"] for row in rows])
            self.assertEqual(list(file["images"][file["with"]]), [row["with"] or row["image"] for row in rows])
            for row, score, agree, overlap, numbers in zip(rows, *(file[name] for name in ("score", "agree", "overlap", "maps"))):
                if row["with"]:
                    shown = " ".join(f"{number:.{places}f}" for number, places in zip(numbers, (6, 6, 3, 6, 6, 3)))
                    self.assertEqual((row["score"], row["agree"], row["overlap"], row["map"]), (f"{score:.6f}", str(agree), f"{overlap:.6f}", shown))
        self.run_program("duplicates", "p.bow", "--within", "photos/edited/none", "-o", "none.npz")
        with numpy.load(self.folder / "none.npz") as file:
            self.assertEqual((len(file["images"]), file["maps"].shape), (0, (0, 6)))

    def test_blocks_and_nul(self):
        blocks = self.run_program("duplicates", "p.bow", "--blocks").stdout.decode().split("\n\n")
        self.assertEqual([len(block.splitlines()) for block in blocks], [8, 2, 0])
        paths = self.run_program("duplicates", "p.bow", "--print0").stdout.split(b"\0")
        self.assertEqual(len(paths), 9)
        self.assertNotIn(b"photos/p0.pgm", paths)

    def test_another_order_of_the_best(self):
        best = lambda *order: next(row["image"] for row in self.rows("--prefer", *order) if row["best"] == "1" and pathlib.Path(row["image"]).stem not in ("p1", "again"))
        self.assertEqual(best("pixels"), "photos/edited/framed.pgm")
        self.assertEqual(best("path,pixels"), "photos/p0.pgm")
        for time, order, other in ((1000, "oldest", "newest"), (4_000_000_000, "newest", "oldest")):
            os.utime(self.folder / "photos/edited/mirror.pgm", (time, time))
            self.index()
            self.assertEqual(best(order), "photos/edited/mirror.pgm")
            self.assertNotEqual(best(other), "photos/edited/mirror.pgm")

    def test_an_older_part_does_not_stand_for_the_whole(self):
        os.utime(self.folder / "photos/edited/part.pgm", (1000, 1000))
        self.index()
        rows = {row["image"]: row for row in self.rows("--prefer", "oldest")}
        self.assertEqual((rows["photos/edited/part.pgm"]["best"], rows["photos/edited/part.pgm"]["group"]), ("0", rows["photos/p0.pgm"]["group"]))
        could_go = self.run_program("duplicates", "p.bow", "--prefer", "oldest", "--print0").stdout.split(b"\0")
        self.assertNotIn(b"photos/edited/part.pgm", could_go)  # it is the oldest
        self.assertGreater(len(could_go), 2)

    def test_the_oldest_is_not_the_best_where_it_shows_less(self):
        for name in ("part", "half"):
            self.set_time(f"edited/{name}", 1000)
        self.index()
        self.assertNotIn("photos/p0.pgm", self.spare("--prefer", "oldest"))

    def test_what_no_time_tells_apart_stays(self):
        """A brighter picture may be the original."""
        self.assertIn("photos/edited/brighter.pgm", self.spare())
        self.set_time("edited/brighter", 1_300_000_000)
        self.index()
        self.assertEqual(next(row["with"] for row in self.rows() if row["image"] == "photos/edited/brighter.pgm"), "photos/p0.pgm")
        self.assertEqual({"photos/edited/brighter.pgm", "photos/p0.pgm"} & self.spare(), set())

    def test_formats_in_the_order_that_is_given(self):
        for ending in ("png", "jpg", "webp"):
            shutil.copy(self.folder / "photos/p3.pgm", self.folder / f"photos/three.{ending}")
        self.index()
        best = lambda order: [row["image"] for row in self.rows("--prefer", order) if row["best"] == "1" and "three" in row["image"]]
        self.assertEqual(best("format"), ["photos/three.png"])
        self.assertEqual(best("format:webp+jpg"), ["photos/three.webp"])
        self.assertEqual(best("bytes,format:jpeg,path"), ["photos/three.jpg"])

    def test_a_page_shows_copies_beside_what_they_are_held_against(self):
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--html", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertEqual(page.count("<svg"), 16 + 16 + 8)  # with outlines, and each pair over each other
        self.assertEqual(page.count("<polygon"), 16)
        self.assertEqual(page.count("data:image/jpeg;base64,/9j/"), 10)  # each image once

    def test_exit_code(self):
        self.rows("--exit-code", status=4)
        self.assertEqual(self.rows("--within", "photos/edited/none", "--exit-code"), [])


if __name__ == "__main__":
    unittest.main()
