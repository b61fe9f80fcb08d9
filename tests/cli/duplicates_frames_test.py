"""Duplicates: files of several frames are copies only if all frames agree. What was read of them is kept."""
import csv
import io
import os
import sqlite3
import unittest

from duplicate_pictures import CopiesTest, NEW, OLD, photograph
from duplicates_lost_test import frames
from PIL import Image, ImageDraw

from edited_copies import font, scaled

SLOW = {"duration": 100, "loop": 0}


def few_words(count=3, start=0):
    """Plain frames, each of its own color: nothing that words describe."""
    return [Image.new("RGB", (120, 90), (40 * i + 20, 90, 160)) for i in range(start, start + count)]


class Copies(CopiesTest):
    def test_other_encodings_and_sizes(self):
        film = frames(1)
        self.put("film.gif", film, **SLOW)
        self.put("lossless.webp", film, lossless=True, duration=100)
        self.put("lossy.webp", film, quality=60, duration=100)
        self.put("half.webp", [scaled(frame, 0.5) for frame in film], lossless=True, duration=100)
        self.put("pages.tif", film, compression="tiff_deflate")
        self.find()
        self.assertEqual([sorted(group) for group in self.groups()],
                         [["film.gif", "half.webp", "lossless.webp", "lossy.webp", "pages.tif"]])

    def test_one_other_frame_is_enough(self):
        film = frames(1)
        for place in range(1, 4):
            other = list(film)
            other[place] = film[place - 1]
            self.put(f"other{place}.webp", other, quality=80, duration=100)
            self.put(f"small{place}.webp", [scaled(frame, 0.5) for frame in other], quality=80, duration=100)
        self.put("film.gif", film, **SLOW)
        self.find()
        self.assertEqual(self.group_of("film.gif"), [])
        for place in range(1, 4):
            self.assertEqual(sorted(self.group_of(f"other{place}.webp")), [f"other{place}.webp", f"small{place}.webp"])

    def test_pages_that_differ_in_a_letter(self):
        letters = [Image.new("RGB", (620, 877), "white") for _ in range(3)]
        for page, letter in enumerate(letters):
            letter.paste(photograph(70 + page, 400, 300), (100, 60))
            for line in range(20):
                ImageDraw.Draw(letter).text((60, 400 + 20 * line), f"Page {page}, line {line}: nothing to be seen here", "black")
        changed = [letter.copy() for letter in letters]
        ImageDraw.Draw(changed[2]).rectangle((60, 400, 400, 415), "white")
        ImageDraw.Draw(changed[2]).text((60, 400), "Page 2, line 8: nothing to be seen here", "black")
        for name, pages in (("one", letters), ("two", changed)):
            self.put(f"{name}.tif", pages, compression="tiff_deflate")
            self.put(f"{name}_packed.tif", pages, compression="tiff_lzw")
        self.find()
        self.assertEqual([sorted(group) for group in self.groups()], [["one.tif", "one_packed.tif"], ["two.tif", "two_packed.tif"]])

    def test_an_animated_png_is_a_copy_by_its_bytes_alone(self):
        self.put("film.png", frames(1), **SLOW)
        self.put("slower.png", frames(1), duration=300, loop=0)
        (self.photos / "same.png").write_bytes((self.photos / "film.png").read_bytes())
        self.put("first.jpg", frames(1)[0], quality=95)
        self.find()
        self.assertEqual([sorted(group) for group in self.groups()], [["film.png", "same.png"]])
        self.assert_apart("first.jpg", "frame", "film.png", "slower.png")

    def test_scans_that_differ_in_a_number_or_a_line(self):
        lines = [f"{line:02d}   {line * 37 % 91} pieces of {line % 7 + 1} things at {line * 13 % 100}.{line * 7 % 90 + 10}" for line in range(25)]
        other_number, other_line = list(lines), list(lines)
        other_number[12] = lines[12].replace("56", "58")
        other_line[20] = "20   Something else that was not asked for"

        def letter(*pages):
            found = []
            for page in pages:
                found.append(Image.new("L", (1240, 1754), 245))
                for i, line in enumerate(page):
                    ImageDraw.Draw(found[-1]).text((100, 160 + 44 * i), line, 20, font=font(26))
            return found

        jpeg = {"compression": "jpeg", "quality": 80}
        self.put("one.tif", letter(lines[:20], lines, lines[3:]), compression="tiff_lzw")
        self.put("one_again.tif", letter(lines[:20], lines, lines[3:]), **jpeg)
        self.put("number.tif", letter(lines[:20], other_number, lines[3:]), **jpeg)
        self.put("line.tif", letter(lines[:20], other_line, lines[3:]), **jpeg)
        self.put("last.tif", letter(lines[:20], lines, other_number[3:]), compression="tiff_lzw")
        self.find()
        self.assertEqual([sorted(group) for group in self.groups()], [["one.tif", "one_again.tif"]])
        self.assert_stays("number.tif", "line.tif", "last.tif")

    def test_a_small_thing_in_a_middle_frame(self):
        picture = photograph(81)

        def film(where=None):
            found = []
            for i in range(6):
                found.append(picture.copy())
                ImageDraw.Draw(found[-1]).rectangle((20 + 60 * i, 30, 50 + 60 * i, 60), "yellow", "black")
                if where and i == 3:
                    ImageDraw.Draw(found[-1]).ellipse((*where, where[0] + 12, where[1] + 12), "white", "red", 3)
            return found

        for name, where in (("left", (100, 200)), ("right", (300, 250)), ("none", None)):
            self.put(f"{name}.webp", film(where), quality=80, duration=100)
            self.put(f"{name}.gif", film(where), **SLOW)
        self.find()
        self.assertEqual(sorted(sorted(group) for group in self.groups()),
                         [[f"{name}.gif", f"{name}.webp"] for name in ("left", "none", "right")])

    def test_pictures_of_a_stereo_camera(self):
        left, right, other = (photograph(seed, 400, 300) for seed in (91, 92, 93))
        self.put("stereo.mpo", [left, right])
        (self.photos / "stereo_too.jpg").write_bytes((self.photos / "stereo.mpo").read_bytes())
        self.put("again.mpo", [left, right], quality=80)
        self.put("elsewhere.mpo", [left, other])
        self.put("odd.mpo", [left, photograph(95, 360, 340)])
        self.put("left.jpg", left, OLD - 5, quality=95)
        self.find()
        self.assertEqual([sorted(group) for group in self.groups()], [["again.mpo", "stereo.mpo", "stereo_too.jpg"]])
        self.assert_apart("left.jpg", "frame", "stereo.mpo")
        self.assert_stays("elsewhere.mpo", "odd.mpo", "left.jpg")

    def test_previews_and_gain_maps_are_no_pictures(self):
        picture = photograph(94, 400, 300)
        self.put("phone.mpo", [picture, scaled(picture, 0.25)], quality=90)
        (self.photos / "phone.mpo").rename(self.photos / "phone.jpg")
        self.put("sent.jpg", scaled(picture, 0.5), NEW)
        self.find()
        self.assertEqual(self.groups(), [["phone.jpg", "sent.jpg"]])
        self.assertEqual(self.left_by_script(), {"phone.jpg"})

    def test_few_words(self):
        self.put("film.gif", few_words(), **SLOW)
        self.put("slower.gif", few_words(), duration=300, loop=0)
        self.put("other.gif", few_words(1) + few_words(2, 2), **SLOW)
        self.put("longer.gif", few_words(4), **SLOW)
        with Image.open(self.photos / "film.gif") as film:
            self.put("still.png", film.convert("RGB"))
            self.put("still.bmp", film.convert("RGB"))
        self.find()
        self.assertEqual([sorted(group) for group in self.groups()], [["film.gif", "slower.gif"], ["still.bmp", "still.png"]])
        self.assertEqual(self.rows["slower.gif" if self.rows["film.gif"]["best"] == "1" else "film.gif"]["kind"], "pixels")
        self.assert_stays("other.gif", "longer.gif")

    def test_a_still_of_few_words_is_a_frame(self):
        self.put("film.gif", few_words(), **SLOW)
        with Image.open(self.photos / "film.gif") as film:
            self.put("still.png", film.convert("RGB"))
        self.find()
        self.assertEqual(self.groups(), [])
        self.assert_apart("still.png", "frame", "film.gif")


class Stills(CopiesTest):
    def test_a_still_of_a_later_frame_is_listed(self):
        self.put("film.webp", frames(1), lossless=True, duration=100)
        self.put("third.jpg", scaled(frames(1)[2], 0.75), quality=90)
        self.put("none.png", frames(1, 1, 5)[0])  # the ring where no frame has it
        self.find()
        self.assertEqual(self.groups(), [])
        self.assert_apart("third.jpg", "frame", "film.webp")
        self.assertEqual(self.rows["third.jpg"]["compared"], "135")
        self.assertNotIn("none.png", self.rows)

    def test_stills_are_copies_of_each_other(self):
        self.put("film.webp", frames(1), lossless=True, duration=100)
        self.put("first.png", frames(1)[0])
        self.put("first_small.jpg", scaled(frames(1)[0], 0.5))
        self.find("--keep", "photos/film.webp")
        self.assertEqual(self.groups(), [["first.png", "first_small.jpg"]])
        self.assert_stays("film.webp", "first.png")


class Kept(CopiesTest):
    def put_all(self):
        film = frames(1)
        self.put("film.gif", film, **SLOW)
        self.put("film.webp", film, lossless=True, duration=100)
        self.put("other.webp", film[:1] + film[2:] + film[1:2], lossless=True, duration=100)
        self.put("third.png", film[2])
        self.put("plain.gif", few_words(), **SLOW)
        self.put("plain_too.gif", few_words(), duration=300, loop=0)

    def again(self):
        self.run_program("duplicates", "-q", "p.bow", "-o", "again.csv")
        return (self.folder / "again.csv").read_text()

    def without_kept(self):
        database = sqlite3.connect(self.folder / "p.bow")
        database.execute("DROP TABLE compared")
        database.execute("DELETE FROM about WHERE name = 'compared by'")
        database.commit()
        database.close()
        return self.again()

    def test_a_later_run_reads_no_frame_and_ends_in_the_same_bytes(self):
        self.put_all()
        self.find()
        first = (self.folder / "g.csv").read_text()
        self.assertIn("frame", first)
        self.assertEqual(self.again(), first)
        for name in ("film.gif", "film.webp", "other.webp", "plain.gif", "plain_too.gif"):  # of their sizes and times
            (self.photos / name).write_bytes(b"x" * (self.photos / name).stat().st_size)
            os.utime(self.photos / name, (OLD, OLD))
        self.assertEqual(self.again(), first)
        self.assertNotEqual(self.without_kept(), first)

    def test_new_frames_are_read_again(self):
        self.put_all()
        self.find()
        self.assertIn("film.gif", self.group_of("film.webp"))
        film = frames(1)
        self.put("film.gif", film[:3] + film[:1], OLD + 5, **SLOW)
        self.put("plain_too.gif", few_words(2) + few_words(1), OLD + 5, **SLOW)
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", "--mirrored", "photos", "others")
        later = self.again()
        self.assertEqual([row["image"] for row in csv.DictReader(io.StringIO(later))], ["photos/third.png"])
        self.assertEqual(self.without_kept(), later)


if __name__ == "__main__":
    unittest.main()
