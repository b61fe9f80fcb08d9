"""Duplicates among what looks much alike, and wrong usage."""
import csv
import io
import os
import pathlib
import shutil
import unittest

import numpy

from program import ProgramTest
from search_test import scene, write_pgm


def lettered(seed, changed=()):
    """A page with lines of marks; `changed` lines differ from those of another page of the seed."""
    page = numpy.full((1000, 800), 250.0)
    for line in range(24):
        random = numpy.random.default_rng(1000 * seed + line + (500 if line in changed else 0))
        for x in range(60, 740, 12):
            mark = random.integers(0, 2, (5, 3)).repeat(3, 0).repeat(3, 1)
            page[60 + 36 * line:75 + 36 * line, x:x + 9][mark == 1] = 30
    return page


class BadInput(ProgramTest):
    def index(self, *arguments):
        self.run_program("index", "-o", "p.bow", "--words-k", "500", "--code-k", "8", "--kernel", "simd", "--mirrored", *arguments)

    def groups(self, *arguments):
        done = self.run_program("duplicates", "p.bow", *arguments)
        groups = {}
        for row in csv.DictReader(io.StringIO(done.stdout.decode())):
            groups.setdefault(row["group"], []).append((pathlib.Path(row["image"]).name, row["kind"]))
        return list(groups.values())

    def test_pages_that_differ_in_a_line_are_no_copies(self):
        for i, changed in enumerate([(), (11,), (3, 17)]):
            write_pgm(self.folder / f"page{i}.pgm", lettered(1, changed))
        write_pgm(self.folder / "page0_half.pgm", lettered(1).reshape(500, 2, 400, 2).mean((1, 3)))
        write_pgm(self.folder / "other.pgm", lettered(2))
        self.index(".")
        self.assertEqual(self.groups(), [[("page0.pgm", ""), ("page0_half.pgm", "resized")]])

    def test_forms_that_are_filled_in_differently_are_no_copies(self):
        for i in range(3):
            write_pgm(self.folder / f"form{i}.pgm", lettered(1 + i, ()) if i == 2 else lettered(1, range(1 - i, 24, 2)))
        self.index(".")
        self.assertEqual(self.groups(), [])

    def test_tiles_of_a_texture_are_no_copies_of_others(self):
        for i in range(4):
            tile = numpy.kron(numpy.random.default_rng(i).integers(40, 216, (20, 20)), numpy.ones((4, 4)))
            write_pgm(self.folder / f"tile{i}.pgm", numpy.tile(tile, (4, 4)))
        for side in (16, 20):
            write_pgm(self.folder / f"board{side}.pgm", 255 * ((numpy.indices((320, 320)) // side).sum(0) % 2))
        self.index(".")
        self.assertEqual(self.groups(), [])

    def test_scans_of_white_paper_are_no_copies(self):
        for i in range(3):
            write_pgm(self.folder / f"paper{i}.pgm", numpy.random.default_rng(i).normal(248, 2, (400, 300)).clip(0, 255))
        write_pgm(self.folder / "scene.pgm", scene(1))
        self.index(".")
        self.assertEqual(self.groups(), [])

    def test_images_without_keypoints_are_compared_by_pixels(self):
        for name, level, size in [("a", 0, (90, 120)), ("b", 0, (90, 120)), ("grey", 9, (90, 120)), ("small", 0, (60, 80))]:
            write_pgm(self.folder / f"{name}.pgm", numpy.full(size, level))
        pixels = numpy.zeros((90, 120), numpy.uint8)
        (self.folder / "c.pgm").write_bytes(b"P5\n# other bytes\n120 90\n255\n" + pixels.tobytes())
        write_pgm(self.folder / "scene.pgm", scene(1))
        self.index(".")
        self.assertEqual(self.groups(), [[("c.pgm", ""), ("a.pgm", "pixels"), ("b.pgm", "bytes")]])

    def test_a_folder_without_keypoints(self):
        (self.folder / "flat").mkdir()
        for name, level, size in [("a", 0, (90, 120)), ("b", 0, (90, 120)), ("grey", 9, (90, 120)), ("small", 0, (60, 80))]:
            write_pgm(self.folder / f"flat/{name}.pgm", numpy.full(size, level))
        (self.folder / "flat/c.pgm").write_bytes(b"P5\n# other bytes\n120 90\n255\n" + bytes(90 * 120))
        (self.folder / "flat/bad.pgm").write_bytes(b"no picture")
        (self.folder / "flat/empty.jpg").touch()
        for more in ([], ["--library", "kept.bow"]):
            done = self.run_program("duplicates", "flat", "--blocks", *more, status=1)
            self.assertEqual(done.stdout, b"flat/c.pgm\nflat/a.pgm\nflat/b.pgm\n\n")
            self.assertEqual(done.stderr.count(b"skipped flat/bad.pgm"), 1)
            self.assertEqual(b"kept.bow: not made" in done.stderr, bool(more))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["flat"])
        for path in (self.folder / "flat").glob("*.pgm"):
            path.write_bytes(b"")
        done = self.run_program("duplicates", "flat", status=3)
        self.assertIn(b"none of the inputs gave any", done.stderr)
        self.assertEqual(done.stderr.count(b"skipped flat/a.pgm"), 1)

    def test_a_thousand_equal_files_are_one_group(self):
        (self.folder / "many").mkdir()
        write_pgm(self.folder / "many/0.pgm", scene(3))
        for i in range(1, 1000):
            shutil.copy(self.folder / "many/0.pgm", self.folder / f"many/{i}.pgm")
        write_pgm(self.folder / "half.pgm", scene(3).reshape(180, 2, 240, 2).mean((1, 3)))
        self.index(".")
        (group,) = self.groups()
        self.assertEqual(len(group), 1001)
        self.assertEqual({kind for _, kind in group}, {"", "bytes", "resized"})

    def test_what_is_not_the_same_is_remembered(self):
        for name, pixels in [("a", scene(1)), ("b", scene(1)[:340])]:
            write_pgm(self.folder / f"{name}.pgm", pixels)
        write_pgm(self.folder / "c.pgm", scene(2))
        self.index(".")
        self.assertEqual(len(self.groups()), 1)
        self.assertEqual(self.groups("--not-same", "./a.pgm", "./b.pgm"), [])
        (self.folder / "a.pgm").rename(self.folder / "z.pgm")
        self.index(".")
        self.assertEqual(self.groups(), [])
        (self.folder / "list.tsv").write_bytes(b"./z.pgm\t./c.pgm\r\n\n")
        self.groups("--not-same-from", "list.tsv")
        for paths in (["./z.pgm"], ["./z.pgm", "./z.pgm"], ["./z.pgm", "./b.pgm", "./c.pgm"]):
            self.run_program("duplicates", "p.bow", "--not-same", *paths, status=2)
        done = self.run_program("duplicates", "p.bow", "--not-same", "./z.pgm", "nowhere.pgm", status=2)
        self.assertIn(b"nowhere.pgm", done.stderr)

    def test_mirrored_copies_are_found_without_mirrored_words(self):
        for i in range(4):
            write_pgm(self.folder / f"p{i}.pgm", scene(i))
        write_pgm(self.folder / "p2_mirror.pgm", scene(2)[:, ::-1])
        self.run_program("index", "-o", "p.bow", "--words-k", "500", "--code-k", "8", "--kernel", "simd", ".")
        self.assertEqual(self.groups(), [[("p2.pgm", ""), ("p2_mirror.pgm", "mirrored")]])

    def test_another_view_is_a_scene_and_no_copy(self):
        for i in range(3):
            write_pgm(self.folder / f"p{i}.pgm", scene(i))
        write_pgm(self.folder / "p1_half.pgm", scene(1).reshape(180, 2, 240, 2).mean((1, 3)))
        view = numpy.stack([numpy.roll(row, round(5 * numpy.sin(y / 30))) for y, row in enumerate(scene(1))])
        write_pgm(self.folder / "view.pgm", view)
        self.index(".")
        copies = [("p1.pgm", ""), ("p1_half.pgm", "resized")]
        self.assertEqual(self.groups(), [copies])
        self.assertEqual(self.groups("--scene"), [copies, [("p1.pgm", ""), ("view.pgm", "scene")]])

    def test_against_another_library(self):
        for folder in ("old", "new"):
            (self.folder / folder).mkdir()
        for i in range(4):
            write_pgm(self.folder / f"old/p{i}.pgm", scene(i))
        write_pgm(self.folder / "new/part.pgm", scene(2)[40:330, 30:450])
        write_pgm(self.folder / "new/mine.pgm", scene(9))
        write_pgm(self.folder / "new/mine_too.pgm", scene(9)[:, 5:])
        shutil.copy(self.folder / "old/p1.pgm", self.folder / "new/same.pgm")
        self.index("new")
        self.run_program("index", "-o", "old.bow", "--centroids", "p.bow", "--kernel", "simd", "--mirrored", "old")
        self.assertEqual(self.groups("--against", "old.bow"), [[("p1.pgm", ""), ("same.pgm", "bytes")], [("p2.pgm", ""), ("part.pgm", "cropped")]])
        self.run_program("index", "-o", "own.bow", "--words-k", "400", "--code-k", "8", "--kernel", "simd", "old")
        done = self.run_program("duplicates", "p.bow", "--against", "own.bow", status=2)
        self.assertIn(b"other models", done.stderr)

    def test_a_file_of_both_libraries_is_no_copy_of_itself(self):
        (self.folder / "all/new").mkdir(parents=True)
        for i in range(3):
            write_pgm(self.folder / f"all/p{i}.pgm", scene(i))
        write_pgm(self.folder / "all/new/mine.pgm", scene(9))
        shutil.copy(self.folder / "all/p1.pgm", self.folder / "all/new/same.pgm")
        os.link(self.folder / "all/p2.pgm", self.folder / "all/new/link.pgm")
        self.index("all/new")
        self.run_program("index", "-o", "all.bow", "--centroids", "p.bow", "--kernel", "simd", "--mirrored", "all")
        self.assertEqual(self.groups("--against", "all.bow"), [])
        shutil.copy(self.folder / "all/p1.pgm", self.folder / "outside.pgm")
        self.index("outside.pgm")
        self.assertEqual(self.groups("--against", "all.bow"), [[("p1.pgm", ""), ("same.pgm", "bytes"), ("outside.pgm", "bytes")]])
        done = self.run_program("duplicates", "p.bow", "--against", "./p.bow", status=2)
        self.assertIn(b"is the library itself", done.stderr)

    def test_a_folder_is_kept_however_it_is_called(self):
        (self.folder / "photos/in").mkdir(parents=True)
        (self.folder / "link").symlink_to("photos/in")
        for i in range(3):
            write_pgm(self.folder / f"photos/p{i}.pgm", scene(i))
        shutil.copy(self.folder / "photos/p1.pgm", self.folder / "photos/in/same.pgm")
        self.index("photos")
        spare = lambda *arguments: self.run_program("duplicates", "p.bow", "--print0", *arguments)
        self.assertEqual(spare().stdout, b"photos/in/same.pgm\0")
        for name in ("photos/in", "photos/in/", "./photos//in", "photos/../photos/in", str(self.folder / "photos/in"), "link", "photos/in/same.pgm"):
            self.assertEqual(spare("--keep", name).stdout, b"photos/p1.pgm\0", name)
            self.assertEqual(spare("--within", name).stdout, b"")
        for name in ("photos/i", "in", "photos/in/sam"):
            done = spare("--keep", name)
            self.assertEqual(done.stdout, b"photos/in/same.pgm\0")
            self.assertIn(b"no picture lies below this folder", done.stderr)
        self.assertEqual(spare("--keep", ".").stdout, b"")

    def test_folders_are_indexed_for_the_run(self):
        (self.folder / "photos").mkdir()
        for i in range(3):
            write_pgm(self.folder / f"photos/p{i}.pgm", scene(i))
        write_pgm(self.folder / "photos/mirror.pgm", scene(1)[:, ::-1])
        done = self.run_program("duplicates", "photos", "--blocks")
        self.assertEqual(done.stdout.decode(), "photos/p1.pgm\nphotos/mirror.pgm\n\n")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["photos"])
        self.run_program("duplicates", "photos", "--blocks", "--library", "kept.bow")
        self.assertTrue((self.folder / "kept.bow").exists())

    def test_thumbnails_are_made_where_a_library_has_none(self):
        for i in range(3):
            write_pgm(self.folder / f"p{i}.pgm", scene(i))
        write_pgm(self.folder / "part.pgm", scene(2)[30:, 40:])
        for library, more in (("with.bow", []), ("without.bow", ["--no-thumbnails"])):
            self.run_program("index", "-o", library, "--words-k", "500", "--code-k", "8", "--kernel", "simd", *more, ".")
        results = [self.run_program("duplicates", library).stdout for library in ("with.bow", "without.bow")]
        self.assertEqual(*results)
        self.assertIn(b"cropped", results[0])

    def test_wrong_usage(self):
        for arguments in ([], ["nowhere"], ["--script", "x.sh"], ["--prefer", "beauty"], ["--prefer", "format:png+bad"]):
            self.run_program("duplicates", *arguments, status=3 if arguments == ["nowhere"] else 2)

    def test_outputs_replace_nothing_that_is_read(self):
        (self.folder / "photos").mkdir()
        for i in range(2):
            write_pgm(self.folder / f"photos/p{i}.pgm", scene(i))
        self.index("photos")
        (self.folder / "link.html").symlink_to("photos/p1.pgm")
        (self.folder / "ps.tsv").write_text("photos/p0.pgm\tphotos/p1.pgm\n")
        shutil.copy(self.folder / "p.bow", self.folder / "old.bow")
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        for arguments in (["--pairs", "./p.bow"], ["--html", "photos/p0.pgm"], ["--html", "link.html"], ["--pairs", "g.csv", "-o", "g.csv"],
                          ["--against", "old.bow", "--html", "old.bow"], ["--not-same-from", "ps.tsv", "--html", "ps.tsv"],
                          ["--script", "m.sh", "--to", "x", "--html", "m.sh.undo"], ["--blocks", "--print0"], ["--html", "-"], ["--pairs", "-"],
                          ["--script", "-", "--to", "x"]):
            self.run_program("duplicates", "p.bow", *arguments, status=2)
        for arguments in (["--library", "p.bow", "--html", "p.bow"], ["--html", "photos/p0.pgm"]):
            self.run_program("duplicates", "photos", *arguments, status=2)
        self.assertEqual({path: path.read_bytes() for path in before}, before)
        self.assertEqual({path for path in self.folder.rglob("*") if path.is_file()}, set(before))

    def test_a_library_without_places(self):
        write_pgm(self.folder / "a.pgm", scene(1))
        self.index("--no-positions", "a.pgm")
        done = self.run_program("duplicates", "p.bow", status=2)
        self.assertIn(b"does not hold where words lie", done.stderr)


if __name__ == "__main__":
    unittest.main()
