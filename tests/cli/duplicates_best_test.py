"""Duplicates: which copy is the best. An edited copy never wins against its original, however large its file is."""
import csv
import io
import pathlib
import unittest

from duplicate_pictures import NEW, OLD, CopiesTest, captioned, exif_with_time, photograph
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

import edited_copies
from edited_copies import scaled


def framed(picture):
    return ImageOps.expand(picture, (30, 30, 30, 60), "white")


EDITS = {
    "grey": lambda p: p.convert("L"),
    "grey_in_color": lambda p: p.convert("L").convert("RGB"),
    "sepia": edited_copies.sepia,
    "mirrored": ImageOps.mirror,
    "upside_down": ImageOps.flip,
    "turned": lambda p: p.transpose(Image.Transpose.ROTATE_180),
    "quarter_turn": lambda p: p.transpose(Image.Transpose.ROTATE_90),
    "enlarged": lambda p: scaled(p, 2),
    "brighter": lambda p: ImageEnhance.Brightness(p).enhance(1.3),
    "darker": lambda p: ImageEnhance.Brightness(p).enhance(0.8),
    "more_color": lambda p: ImageEnhance.Color(p).enhance(1.5),
    "blurred": lambda p: p.filter(ImageFilter.GaussianBlur(2)),
    "dated": edited_copies.dated,
    "framed": framed,
    "captioned": lambda p: captioned(p, ["HAPPY BIRTHDAY"]),
    "screenshot": edited_copies.screenshot,
}
WITHOUT_TIME = ("grey", "grey_in_color", "sepia", "enlarged", "dated", "framed", "captioned", "screenshot")  # what is in the picture shows that it was edited


class Best(CopiesTest):
    def put_pairs(self, edits, old=OLD, new=NEW):
        """@return the names of the originals"""
        for seed, edit in enumerate(edits):
            self.put(f"original_{edit}.jpg", photograph(seed), old, quality=75)
            with Image.open(self.photos / f"original_{edit}.jpg") as picture:
                self.put(f"edited_{edit}.jpg", EDITS[edit](picture.convert("RGB")), new, quality=97)
        return [f"original_{edit}.jpg" for edit in edits]

    def assert_originals_are_the_best(self, edits):
        for edit in edits:
            with self.subTest(edit):
                self.assertEqual(self.group_of(f"original_{edit}.jpg"), [f"original_{edit}.jpg", f"edited_{edit}.jpg"])

    def test_the_original_is_better_than_a_newer_edited_copy(self):
        originals = self.put_pairs(EDITS)
        self.find()
        self.assert_originals_are_the_best(EDITS)
        left = self.left_by_script()
        self.assertLessEqual(set(originals), left)
        # a brighter copy has lost lights, and what a screen shows was enlarged: these may stay
        self.assertLessEqual(left - set(originals), {"edited_brighter.jpg", "edited_screenshot.jpg"})

    def test_what_the_picture_shows_decides_where_times_are_equal(self):
        self.put_pairs(WITHOUT_TIME, OLD, OLD)
        self.find()
        self.assert_originals_are_the_best(WITHOUT_TIME)

    def test_what_the_picture_shows_decides_even_where_the_copy_is_older(self):
        self.put_pairs(WITHOUT_TIME, NEW, OLD)
        self.find()
        self.assert_originals_are_the_best(WITHOUT_TIME)

    def test_the_majority_says_which_way_is_up(self):
        edits = ("mirrored", "upside_down", "turned", "quarter_turn")
        for seed, edit in enumerate(edits):
            self.put(f"plain_{edit}.jpg", photograph(seed), quality=75)
            self.put(f"small_{edit}.jpg", scaled(photograph(seed), 0.5))
            self.put(f"edited_{edit}.jpg", EDITS[edit](photograph(seed)), quality=97)
        self.find()
        for edit in edits:
            with self.subTest(edit):
                self.assertEqual(self.group_of(f"plain_{edit}.jpg"), [f"plain_{edit}.jpg", f"edited_{edit}.jpg", f"small_{edit}.jpg"])

    def test_a_png_of_a_jpeg_is_no_better(self):
        for seed, ending in enumerate(("png", "webp", "tif")):
            self.put(f"original{seed}.jpg", photograph(seed), quality=80)
            with Image.open(self.photos / f"original{seed}.jpg") as picture:
                self.put(f"copy{seed}.{ending}", picture.convert("RGB"), NEW, **({"lossless": True} if ending == "webp" else {}))
        self.find()
        self.assertEqual(self.groups(), [[f"original{seed}.jpg", f"copy{seed}.{ending}"] for seed, ending in enumerate(("png", "webp", "tif"))])

    def test_a_larger_original_is_the_best_even_if_it_is_newer(self):
        for seed in range(3):
            self.put(f"large{seed}.jpg", photograph(seed, 960, 720, 400), NEW)
            self.put(f"small{seed}.jpg", scaled(photograph(seed, 960, 720, 400), 0.5), OLD, quality=97)
        self.find()
        self.assertEqual(self.groups(), [[f"large{seed}.jpg", f"small{seed}.jpg"] for seed in range(3)])

    def test_the_most_of_the_picture_is_the_best_even_if_it_is_newer(self):
        for seed in range(3):
            self.put(f"whole{seed}.jpg", photograph(seed), NEW, quality=70)
            self.put(f"crop{seed}.jpg", scaled(photograph(seed).crop((40, 30, 440, 340)), 1.5), OLD, quality=97)
        self.find()
        self.assertEqual(self.groups(), [[f"whole{seed}.jpg", f"crop{seed}.jpg"] for seed in range(3)])


class Oldest(CopiesTest):
    # what cameras say whose clock was never set, or was reset and ran on
    DEFAULTS = ("0001:01:01 00:00:00", "1970:01:01 00:00:00", "1980:01:01 00:00:00", "2000:01:01 00:00:00", "2002:12:08 12:00:00",
                "1970:01:01 09:00:00", "1980:01:01 00:01:12", "2000:01:01 00:05:37", "2002:12:08 12:03:10")

    def test_times_of_clocks_that_were_never_set_are_ignored(self):
        for seed, time in enumerate(self.DEFAULTS):
            self.put(f"original{seed}.jpg", photograph(seed), NEW, exif=exif_with_time("2015:07:04 10:20:30"))
            self.put(f"copy{seed}.jpg", scaled(photograph(seed), 0.8), NEW, exif=exif_with_time(time))
        for order in ("oldest", "oldest,path"):
            self.find("--prefer", order)
            for seed, time in enumerate(self.DEFAULTS):
                with self.subTest(time, order=order):
                    self.assertEqual(self.group_of(f"original{seed}.jpg"), [f"original{seed}.jpg", f"copy{seed}.jpg"])

    def test_other_times_of_those_years_count(self):
        for seed, time in enumerate(("2002:12:08 13:05:00", "2000:01:01 18:30:00", "1999:12:31 23:59:59")):
            self.put(f"z{seed}.jpg", photograph(seed), NEW, exif=exif_with_time(time))
            self.put(f"a{seed}.jpg", photograph(seed), NEW, quality=95, exif=exif_with_time("2015:07:04 10:20:30"))
        self.find("--prefer", "oldest")
        for seed in range(3):
            self.assertEqual(self.group_of(f"z{seed}.jpg"), [f"z{seed}.jpg", f"a{seed}.jpg"])


    def test_offsets_of_times_count(self):
        for seed in range(3):
            self.put(f"z{seed}.jpg", photograph(seed), NEW, exif=exif_with_time("2015:07:04 10:00:00", "+02:00"))  # 8:00 UTC
            self.put(f"a{seed}.jpg", photograph(seed), OLD, quality=95, exif=exif_with_time("2015:07:04 09:30:00", "-01:00"))
        self.find("--prefer", "oldest")
        self.assertEqual(self.groups(), [[f"z{seed}.jpg", f"a{seed}.jpg"] for seed in range(3)])

    def test_less_than_a_day_is_a_tie_without_offsets(self):
        for seed in range(3):
            self.put(f"longer_name{seed}.jpg", photograph(seed), quality=95, exif=exif_with_time("2015:07:04 09:30:00"))
            self.put(f"a{seed}.jpg", photograph(seed), exif=exif_with_time("2015:07:04 19:30:00"))
        self.find("--prefer", "oldest,path")
        self.assertEqual(self.groups(), [[f"a{seed}.jpg", f"longer_name{seed}.jpg"] for seed in range(3)])


class Preferred(CopiesTest):
    """Each name of --prefer alone. What it prefers has the later path, which would else be the other one."""

    def put_both(self, name, wanted, other, wanted_time=OLD, other_time=OLD, **wanted_how):
        self.put(f"z_{name}.jpg", wanted, wanted_time, **wanted_how)
        self.put(f"a_{name}.jpg", other, other_time)

    def put_copies(self):
        """@return the name of the best one, by the preference"""
        photographs = [photograph(seed) for seed in range(11)]
        self.put_both("whole", photographs[0], photographs[0].crop((60, 40, 400, 280)))
        self.put_both("color", photographs[1], photographs[1].convert("L"))
        self.put_both("upright", photographs[2], ImageOps.mirror(photographs[2]))
        self.put("third_upright.jpg", scaled(photographs[2], 0.8))
        self.put_both("detail", photographs[3], scaled(photographs[3], 0.5))
        self.put_both("metadata", photographs[4], photographs[4], exif=exif_with_time("2015:07:04 10:20:30"))
        self.put_both("oldest", photographs[5], photographs[5], OLD, NEW)
        self.put_both("newest", photographs[6], photographs[6], NEW, OLD)
        self.put_both("bytes", photographs[7], photographs[7], quality=96)
        self.put("longer_path.jpg", photographs[8])
        self.put("z_path.jpg", photographs[8], quality=70)
        self.put_both("pixels", scaled(photographs[9], 1.5), photographs[9], OLD, NEW)
        self.put("z_format.png", photographs[10])
        self.put("a_format.jpg", photographs[10])
        names = ("whole", "color", "upright", "detail", "metadata", "oldest", "newest", "bytes", "path", "pixels")
        return {**{name: f"z_{name}.jpg" for name in names}, "format": "z_format.png"}

    def best(self, order):
        out = self.run_program("duplicates", "-q", "p.bow", "--prefer", order).stdout.decode()
        return {pathlib.Path(row["image"]).name for row in csv.DictReader(io.StringIO(out)) if row["best"] == "1"}

    def test_each_name_decides(self):
        wanted = self.put_copies()
        self.find()
        for name, best in wanted.items():
            with self.subTest(name):
                self.assertIn(best, self.best(name))

    def test_the_first_name_that_differs_decides(self):
        self.put_copies()
        self.find()
        self.assertIn("z_pixels.jpg", self.best("color,pixels,newest"))
        self.assertIn("a_pixels.jpg", self.best("color,newest,pixels"))

    def test_a_list_decides_what_bytes_or_names_alone_would(self):
        for seed in range(3):
            self.put(f"long_name{seed}.jpg", photograph(seed), quality=92)
            self.put(f"dark{seed}.jpg", ImageEnhance.Brightness(photograph(seed)).enhance(0.8))
        both = {path.name for path in self.photos.iterdir()}
        self.find()
        self.assertEqual([len(group) for group in self.groups()], [2, 2, 2])
        self.assertEqual(self.left_by_script(), both)  # nothing says which one was edited
        self.find("--prefer", "path")
        self.assertEqual(self.left_by_script(), {f"dark{seed}.jpg" for seed in range(3)})

    def test_an_unknown_name_is_answered_with_those_that_there_are(self):
        done = self.run_program("duplicates", "p.bow", "--prefer", "whole,beauty", status=2)
        self.assertIn('there is no "beauty"; choose of: whole, color, upright, detail, metadata, oldest, newest, bytes, path, pixels, format', done.stderr.decode())


class Recolored(CopiesTest):
    def test_plain_copies_are_not_called_recolored(self):
        for seed in range(9):
            picture = photograph(seed, 960, 720, 400)
            self.put(f"p{seed}.jpg", picture)
            self.put(f"p{seed}_again.jpg", picture, NEW, quality=40)
            self.put(f"p{seed}_half.jpg", scaled(picture, 0.5), NEW)
            self.put(f"p{seed}_quarter.jpg", scaled(picture, 0.25), NEW)
            self.put(f"p{seed}_nearest.jpg", picture.resize((240, 180), Image.Resampling.BILINEAR), NEW, quality=75)
        self.find()
        self.assertEqual(sum(map(len, self.groups())), 45)
        self.assertEqual([name for name in self.rows if "recolored" in self.kinds(name)], [])

    def test_other_tones_are_called_recolored(self):
        for seed, edit in enumerate(("grey", "sepia", "brighter", "darker")):
            self.put(f"p{seed}.jpg", photograph(seed))
            self.put(f"p{seed}_{edit}.jpg", EDITS[edit](photograph(seed)), NEW)
        self.find()
        for seed, edit in enumerate(("grey", "sepia", "brighter", "darker")):
            with self.subTest(edit):
                self.assertIn("recolored", self.kinds(f"p{seed}_{edit}.jpg"))


if __name__ == "__main__":
    unittest.main()
