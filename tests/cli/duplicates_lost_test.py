"""Duplicates: no picture is lost. What a script moves is shown, whole, by a picture that stays."""
import dataclasses
import os
import pathlib
import random
import shutil
import unittest

import numpy
from duplicate_pictures import NEW, OLD, CopiesTest, captioned, grid, on_light_ground, photograph
from PIL import Image, ImageDraw

import forms
from edited_copies import beside, inlaid, opened, scaled

REPORTS = pathlib.Path(os.environ.get("BOWHIST_TEST_DATA") or "/nowhere") / "reports4"
RETRIEVAL = REPORTS.parent / "retrieval"
BIRTHDAY, MONDAY = ["HAPPY BIRTHDAY", "DEAR SISTER"], ["THE LAST MONDAY", "IN A LONG WINTER"]


def frames(seed, count=4, start=0):
    """A photograph in which a ring moves."""
    found = []
    for i in range(start, start + count):
        frame = photograph(seed, 240, 180)
        ImageDraw.Draw(frame).ellipse((20 + 35 * i, 60, 70 + 35 * i, 110), "red", "white", 6)
        found.append(frame)
    return found


def shaded(picture):
    """As if light came from the left: half of it is missing below on the right."""
    pixels = numpy.asarray(picture.convert("RGB"), float)
    down, right = (numpy.linspace(0, 1, side) for side in pixels.shape[:2])
    return Image.fromarray((pixels * (1 - numpy.outer(down, right) / 2)[:, :, None]).astype(numpy.uint8))


def blended(left, right, overlap, width):
    """A panorama of two pictures, in whose overlap one becomes the other within `width` pixels."""
    panorama = Image.new("RGB", (left.width + right.width - overlap, left.height))
    panorama.paste(right, (left.width - overlap, 0))
    place = numpy.arange(left.width) - left.width + overlap / 2
    weights = (255 * (0.5 - place / width).clip(0, 1)).astype(numpy.uint8)
    panorama.paste(left, (0, 0), Image.fromarray(numpy.tile(weights, (left.height, 1))))
    return panorama


class Frames(CopiesTest):
    WAYS = {"gif": {"duration": 100, "loop": 0}, "webp": {"lossless": True, "duration": 100}, "tif": {"compression": "tiff_deflate"}}

    def test_animations_of_one_first_frame_are_no_copies(self):
        for i, (ending, how) in enumerate(self.WAYS.items()):
            self.put(f"one_{ending}.{ending}", frames(i), **how)
            self.put(f"two_{ending}.{ending}", frames(i, 1) + frames(i, 4, 2), **how)
            self.put(f"longer_{ending}.{ending}", frames(i, 6), **how)
        self.find()
        self.assertEqual(self.groups(), [])
        self.assert_stays(*(f"{name}_{ending}.{ending}" for name in ("one", "two", "longer") for ending in self.WAYS))

    def test_animations_of_the_same_frames_are_copies(self):
        for i, (ending, how) in enumerate(self.WAYS.items()):
            self.put(f"one_{ending}.{ending}", frames(i), **how)
            (self.photos / f"same_{ending}.{ending}").write_bytes((self.photos / f"one_{ending}.{ending}").read_bytes())
        self.put("slower.gif", frames(0), duration=300, loop=0)
        self.find()
        for ending in self.WAYS:
            self.assertIn(f"same_{ending}.{ending}", self.group_of(f"one_{ending}.{ending}"))
        self.assertIn("slower.gif", self.group_of("one_gif.gif"))

    def test_a_still_of_a_frame_is_never_kept_in_place_of_the_animation(self):
        for i, (ending, how) in enumerate(self.WAYS.items()):
            self.put(f"film_{ending}.{ending}", frames(i), NEW, **how)
            with Image.open(self.photos / f"film_{ending}.{ending}") as film:
                self.put(f"first_{ending}.png", film.convert("RGB"))
        self.find()
        self.assertEqual(self.groups(), [])
        for ending in self.WAYS:
            self.assert_apart(f"first_{ending}.png", "frame", f"film_{ending}.{ending}")
        self.assert_stays(*(name for ending in self.WAYS for name in (f"film_{ending}.{ending}", f"first_{ending}.png")))

    def test_a_still_of_a_later_frame_stays(self):
        self.put("film.webp", frames(1), lossless=True, duration=100)
        self.put("third.png", frames(1)[2])
        self.find()
        self.assertEqual(self.groups(), [])
        self.assert_stays("film.webp", "third.png")


class Different(CopiesTest):
    """Pictures that differ are in no group, whatever copies of them there are."""

    def test_a_small_copy_joins_no_two_forms(self):
        january = dataclasses.replace(forms.new_form("invoice", random.Random(1), ["DejaVuSerif"]), month=1, number="2024-0117")
        february = dataclasses.replace(january, month=2, number="2024-0118")
        for match in ("normal", "strict"):
            with self.subTest(match):
                picture = forms.drawn(january, 150, 1)
                self.put("jan.png", picture)
                self.put("jan_small.jpg", scaled(picture, 0.5))
                self.put("feb.png", forms.drawn(february, 150, 1))
                self.find("--match", match)
                self.assertEqual(self.group_of("feb.png"), [])
                self.assertEqual(self.group_of("jan.png"), ["jan.png", "jan_small.jpg"] if match == "normal" or self.groups() else [])
                self.assert_stays("jan.png", "feb.png")

    def test_forms_of_75_dpi_stay(self):
        january = dataclasses.replace(forms.new_form("invoice", random.Random(1), ["DejaVuSerif"]), month=1, number="2024-0117")
        self.put("jan.jpg", forms.drawn(january, 75, 1))
        self.put("feb.jpg", forms.drawn(dataclasses.replace(january, month=2), 75, 1))
        self.put("next.jpg", forms.drawn(dataclasses.replace(january, number="2024-0118"), 75, 1))
        self.find()
        self.assertEqual(self.groups(), [])
        self.assert_stays("jan.jpg", "feb.jpg", "next.jpg")

    def test_forms_under_uneven_light_stay(self):
        january = dataclasses.replace(forms.new_form("invoice", random.Random(1), ["DejaVuSerif"]), month=1, number="2024-0117")
        for dpi in (75, 150):
            with self.subTest(dpi=dpi):
                picture = shaded(forms.drawn(january, dpi, 1))
                self.put("jan.jpg", picture)
                self.put("mar.jpg", shaded(forms.drawn(dataclasses.replace(january, month=3), dpi, 1)))
                self.put("next.jpg", shaded(forms.drawn(dataclasses.replace(january, number="2024-0877"), dpi, 1)))
                if dpi == 150:
                    self.put("jan_small.jpg", scaled(picture, 0.7))
                self.find()
                self.assertEqual(self.groups(), [["jan.jpg", "jan_small.jpg"]] if dpi == 150 else [])
                self.assert_stays("jan.jpg", "mar.jpg", "next.jpg")

    def test_a_thumbnail_joins_no_two_frames_of_a_burst(self):
        seeds = range(12)
        for seed in seeds:
            burst = []
            for i in range(2):
                frame = photograph(seed, 960, 720, 400)
                ImageDraw.Draw(frame).ellipse((380 + 44 * i, 300, 470 + 44 * i, 390), "orange", "black", 4)
                self.put(f"burst{seed}_{i}.jpg", frame, OLD + i)
                burst.append(frame)
            self.put(f"thumbnail{seed}.jpg", scaled(burst[0], 0.25), NEW)
        self.find()
        for seed in seeds:
            self.assertNotIn(f"burst{seed}_1.jpg", self.group_of(f"burst{seed}_0.jpg"))
            self.assertNotIn(f"thumbnail{seed}.jpg", self.group_of(f"burst{seed}_1.jpg"))
        self.assert_stays(*(f"burst{seed}_{i}.jpg" for seed in seeds for i in range(2)))

    def test_what_two_different_pictures_show_alike_is_ambiguous(self):
        for seed in range(3):
            for i in range(2):
                frame = photograph(50 + seed, 600, 450, 220)
                ImageDraw.Draw(frame).ellipse((60 + 90 * i, 60, 150 + 90 * i, 150), "orange", "black", 4)
                self.put(f"burst{seed}_{i}.png", frame)
            self.put(f"part{seed}.png", frame.crop((250, 150, 600, 450)), NEW)  # beside the ellipses
        self.find()
        self.assertEqual(self.groups(), [])
        for seed in range(3):
            self.assert_apart(f"part{seed}.png", "ambiguous", f"burst{seed}_0.png", f"burst{seed}_1.png")
        self.assert_stays(*(f"{name}{seed}{end}.png" for seed in range(3) for name, end in (("burst", "_0"), ("burst", "_1"), ("part", ""))))


class Collages(CopiesTest):
    def test_a_collage_is_no_copy_of_its_parts(self):
        for seed, make in enumerate((lambda a, b: beside([a, b]), lambda a, b: beside([a, b], 0), lambda a, b: beside([b, a]),
                                     lambda a, b: beside([a.rotate(90, expand=True), b.rotate(90, expand=True)]).rotate(-90, expand=True))):
            a, b = photograph(10 * seed, 300, 420), photograph(10 * seed + 1, 260, 260)
            self.put(f"a{seed}.jpg", a)
            self.put(f"b{seed}.jpg", b)
            self.put(f"collage{seed}.jpg", make(a, b), NEW, quality=95)
        self.find()
        self.assertEqual(self.groups(), [])
        for seed in range(4):
            self.assert_apart(f"collage{seed}.jpg", "collage", f"a{seed}.jpg", f"b{seed}.jpg")
        self.assert_stays(*(f"{name}{seed}.jpg" for name in ("a", "b", "collage") for seed in range(4)))

    def test_a_collage_of_four(self):
        parts = [photograph(seed, 600, 450) for seed in range(4)]
        for i, part in enumerate(parts):
            self.put(f"part{i}.jpg", part)
        self.put("collage.jpg", grid(parts), NEW, quality=95)
        self.find()
        self.assert_apart("collage.jpg", "collage", *(f"part{i}.jpg" for i in range(4)))
        self.assert_stays("collage.jpg", *(f"part{i}.jpg" for i in range(4)))

    def test_copies_of_parts_are_copies_beside_a_collage(self):
        a, b = photograph(1, 300, 420), photograph(2, 260, 260)
        for name, picture in (("a", a), ("b", b)):
            self.put(f"{name}.jpg", picture)
            self.put(f"{name}_small.jpg", scaled(picture, 0.5), NEW)
        self.put("collage.jpg", beside([a, b]), NEW, quality=95)
        self.find()
        self.assertEqual(self.groups(), [["a.jpg", "a_small.jpg"], ["b.jpg", "b_small.jpg"]])
        self.assert_stays("a.jpg", "b.jpg", "collage.jpg")

    def test_a_collage_with_one_part_in_the_library(self):
        for gap in (2, 4, 8):
            a = photograph(20 + gap, 300, 420)
            self.put(f"a{gap}.jpg", a)
            self.put(f"collage{gap}.jpg", beside([a, photograph(21 + gap, 260, 260)], gap), NEW, quality=95)
        self.find()
        self.assertEqual(self.groups(), [])
        for gap in (2, 4, 8):
            self.assert_apart(f"collage{gap}.jpg", "collage", f"a{gap}.jpg")
        self.assert_stays(*(f"{name}{gap}.jpg" for name in ("a", "collage") for gap in (2, 4, 8)))

    def test_a_panorama_that_blends_pictures_shows_none_of_them_whole(self):
        seeds = range(0, 20, 2)
        for seed in seeds:
            left, right = photograph(seed, 500, 375), photograph(seed + 1, 500, 375)
            self.put(f"left{seed}.jpg", left, NEW)
            self.put(f"right{seed}.jpg", right, NEW)
            self.put(f"panorama{seed}.jpg", blended(left, right, *((100, 100), (200, 200), (60, 60), (100, 30), (250, 250))[seed // 2 % 5]))
        for match in ("normal", "strict", "loose"):
            with self.subTest(match):
                self.find("--match", match)
                self.assert_stays(*(f"{name}{seed}.jpg" for name in ("left", "right", "panorama") for seed in seeds))

    def test_the_whole_of_a_crop_is_no_collage(self):
        for seed in range(4):
            whole = photograph(30 + seed, 600, 450, 220)
            self.put(f"whole{seed}.jpg", whole, NEW)
            left, top = 70 * (seed % 2), 60 * (seed // 2)  # at a corner, on an edge, within
            self.put(f"part{seed}.jpg", whole.crop((left, top, left + 340, top + 300)), OLD, quality=95)
        self.find()
        self.assertEqual(self.groups(), [[f"whole{seed}.jpg", f"part{seed}.jpg"] for seed in range(4)])
        self.assertEqual(self.left_by_script(), {f"whole{seed}.jpg" for seed in range(4)})

    def test_a_picture_in_a_picture(self):
        for seed in range(3):
            base, other = photograph(40 + seed, 600, 450), photograph(60 + seed, 480, 360)
            self.put(f"base{seed}.jpg", base)
            self.put(f"other{seed}.jpg", other)
            self.put(f"both{seed}.jpg", inlaid(base, other), NEW, quality=95)
        self.find()
        for seed in range(3):
            self.assertEqual(self.group_of(f"base{seed}.jpg"), [f"base{seed}.jpg", f"both{seed}.jpg"])
            self.assertIn("overlaid", self.kinds(f"both{seed}.jpg"))
            self.assertEqual(self.group_of(f"other{seed}.jpg"), [])
        self.assert_stays(*(f"{name}{seed}.jpg" for name in ("base", "other") for seed in range(3)))


@unittest.skipUnless(RETRIEVAL.is_dir(), "BOWHIST_TEST_DATA names no folder with retrieval/")
class CollagesOfPhotographs(CopiesTest):
    """Where one picture borders on another, photographs show it: drawn things have as many edges everywhere."""

    def photographs(self):
        """@return some, and as many others"""
        pictures = [scaled(picture, 480 / max(picture.size)) for picture in map(opened, sorted(RETRIEVAL.glob("*/*.jpg"))[::6])]
        return pictures[::2], pictures[1::2]

    def put_collages(self, make):
        """@return the numbers of the collages and of the one part of each that is there"""
        pairs = list(zip(*self.photographs()))
        for i, (picture, other) in enumerate(pairs):
            self.put(f"part{i}.jpg", picture)
            self.put(f"collage{i}.jpg", make(picture, other), NEW, quality=95)
        return range(len(pairs))

    def test_a_collage_without_a_gap(self):
        numbers = self.put_collages(lambda picture, other: beside([picture, other], 0))
        self.find()
        for i in numbers:
            self.assert_apart(f"collage{i}.jpg", "collage", f"part{i}.jpg")
        self.assert_stays(*(f"{name}{i}.jpg" for name in ("collage", "part") for i in numbers))

    def test_a_picture_in_a_picture_whose_base_is_not_there(self):
        numbers = self.put_collages(lambda picture, other: inlaid(other, picture))
        self.find()
        self.assertEqual(self.groups(), [])
        self.assertIn({"collage"}, [self.kinds(f"collage{i}.jpg") for i in numbers])
        self.assert_stays(*(f"{name}{i}.jpg" for name in ("collage", "part") for i in numbers))

    def test_a_picture_in_a_picture_is_not_the_best(self):
        numbers = self.put_collages(lambda picture, other: inlaid(picture, other))
        for i, other in zip(numbers, self.photographs()[1]):
            self.put(f"other{i}.jpg", other)
        self.find()
        for i in numbers:
            self.assertIn(self.group_of(f"collage{i}.jpg"), ([], [f"part{i}.jpg", f"collage{i}.jpg"]))
        self.assertGreaterEqual(len(self.groups()), 0.7 * len(numbers))


class Album(CopiesTest):
    """All kinds in one folder."""

    def put_and_note(self, name, picture, shows, time=NEW, **how):
        self.put(name, picture, time, **how)
        self.shows[name] = set(shows)

    def test_what_a_script_moves_is_shown_whole_by_what_stays(self):
        self.shows = {}
        for seed in range(0, 40, 4):
            a, b, c, d = (photograph(seed + i, *size) for i, size in enumerate([(480, 360), (300, 420), (260, 260), (640, 480)]))
            for i, picture in enumerate((a, b, c, d)):
                self.put_and_note(f"{seed + i}.jpg", picture, {seed + i}, OLD)
            self.put_and_note(f"{seed}_collage.jpg", beside([a, b, c]), {seed, seed + 1, seed + 2}, quality=95)
            self.put_and_note(f"{seed}_pair.jpg", beside([c, d], 0), {seed + 2, seed + 3}, quality=95)
            self.put_and_note(f"{seed}_inlaid.jpg", inlaid(d, a), {seed}, quality=95)
            self.put_and_note(f"{seed}_caption.jpg", captioned(a, BIRTHDAY), (), quality=95)
            self.put_and_note(f"{seed}_other_caption.jpg", captioned(a, MONDAY, 0.7), (), quality=95)
            self.put_and_note(f"{seed}_crop.jpg", d.crop((60, 40, 500, 400)), (), quality=97)
            self.put_and_note(f"{seed}_large.jpg", scaled(c, 2), {seed + 2}, quality=95)
            self.put_and_note(f"{seed}_small.jpg", scaled(b, 0.5), {seed + 1})
            self.put_and_note(f"{seed}_grey.jpg", d.convert("L"), {seed + 3}, quality=97)
        for match in ("strict", "normal", "loose"):
            with self.subTest(match):
                self.find("--match", match)
                left = self.left_by_script()
                moved = self.shows.keys() - left
                for path in (self.folder / "away/photos").iterdir():
                    path.rename(self.photos / path.name)
                shown = set().union(*(self.shows[name] for name in left))
                self.assertEqual({name: self.shows[name] - shown for name in moved if self.shows[name] - shown}, {})
                self.assertEqual({name for name in moved if name.endswith(("_collage.jpg", "_pair.jpg"))}, set())
                self.assertEqual({name for name in moved if "_" not in name}, set())  # originals
                self.assertGreaterEqual(len(moved), 30)


class Captions(CopiesTest):
    NAMES = [f"{kind}{seed}.jpg" for kind in ("birthday", "monday") for seed in range(6)]

    def put_captions(self):
        for seed in range(6):
            picture = on_light_ground(seed, 195 + 8 * seed)
            self.put(f"birthday{seed}.jpg", captioned(picture, BIRTHDAY))
            self.put(f"monday{seed}.jpg", captioned(picture, MONDAY, 0.8 if seed == 5 else 0.05))

    def test_two_captions_over_one_photograph_are_no_copies(self):
        for match in ("normal", "strict"):
            with self.subTest(match):
                self.put_captions()
                self.find("--match", match)
                self.assertEqual(self.groups(), [])
                self.assert_stays(*self.NAMES)

    def test_a_third_file_joins_no_two_captions(self):
        self.put_captions()
        for seed in range(6):
            birthday = captioned(on_light_ground(seed, 195 + 8 * seed), BIRTHDAY)
            self.put(f"small{seed}.jpg", scaled(birthday, 0.5), NEW)
        self.find()
        for seed in range(6):
            self.assertEqual(self.group_of(f"birthday{seed}.jpg"), [f"birthday{seed}.jpg", f"small{seed}.jpg"])
        self.assert_stays(*self.NAMES)

    def test_with_the_photograph_both_are_copies_of_it(self):
        self.put_captions()
        for seed in range(6):
            self.put(f"bare{seed}.jpg", on_light_ground(seed, 195 + 8 * seed))
        self.find()
        for seed in range(6):
            self.assertEqual(self.group_of(f"bare{seed}.jpg"), [f"bare{seed}.jpg", f"birthday{seed}.jpg", f"monday{seed}.jpg"])
            for name in ("birthday", "monday"):
                self.assertIn("overlaid", self.kinds(f"{name}{seed}.jpg"))
                self.assertEqual(pathlib.Path(self.rows[f"{name}{seed}.jpg"]["with"]).name, f"bare{seed}.jpg")
        self.assertEqual(self.left_by_script(), {f"bare{seed}.jpg" for seed in range(6)})


@unittest.skipUnless(REPORTS.is_dir(), "BOWHIST_TEST_DATA names no folder with reports4/")
class Reports(CopiesTest):
    """The rows about copies of the folder's README.md."""

    def take(self, *names, time=OLD):
        for name in names:
            shutil.copy(REPORTS / name, self.photos / name)
            os.utime(self.photos / name, (time, time))

    def test_animations_with_one_first_frame(self):
        self.take("one.gif", "two.gif")
        with Image.open(REPORTS / "one.gif") as film:
            self.put("still.png", film.convert("RGB"))
        self.find()
        self.assertEqual(self.groups(), [])
        self.assertEqual(self.kinds("still.png"), {"frame"})
        self.assert_stays("one.gif", "two.gif", "still.png")

    def test_a_small_invoice_between_two(self):
        for match in ("normal", "strict"):
            with self.subTest(match):
                self.take("jan.png", "jan_small.jpg", "feb.png")
                self.find("--match", match)
                self.assertEqual(self.groups(), [["jan.png", "jan_small.jpg"]])
                self.assert_stays("jan.png", "feb.png")

    def test_invoices_of_75_dpi(self):
        self.take("jan_75dpi.jpg", "feb_75dpi.jpg")
        rows = self.find()
        self.assertEqual([row.get("compared", "") for row in rows.values() if not row.get("compared")], [])
        self.assert_stays("jan_75dpi.jpg", "feb_75dpi.jpg")

    def test_the_colored_one_is_the_best(self):
        self.take("home_color.jpg", "home_bw.jpg", "best_color.jpg", "best_gray.jpg")
        self.find()
        self.assertEqual(self.groups(), [["best_color.jpg", "best_gray.jpg"], ["home_color.jpg", "home_bw.jpg"]])

    def test_the_time_of_a_camera_that_was_never_set(self):
        self.take("original_2019.jpg", "copy_2002.jpg", time=NEW)  # of 2020: it counts where Exif says nothing
        self.find("--prefer", "oldest")
        self.assertEqual(self.groups(), [["original_2019.jpg", "copy_2002.jpg"]])

    def test_what_a_collage_shows_stays(self):
        self.take("collage_a.jpg", "collage_b.jpg", "collage_collage.jpg")
        self.find()
        left = self.left_by_script()
        self.assertTrue("collage_collage.jpg" in left or {"collage_a.jpg", "collage_b.jpg"} <= left, left)


if __name__ == "__main__":
    unittest.main()
