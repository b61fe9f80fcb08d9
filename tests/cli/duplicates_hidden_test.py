"""Duplicates: pictures that are no pages and differ in a small thing alone. No script moves one of them for the other."""
import os
import pathlib
import unittest

import numpy
from duplicate_pictures import NEW, OLD, CopiesTest, captioned, photograph
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

from edited_copies import font, inlaid, opened, scaled

RETRIEVAL = pathlib.Path(os.environ.get("BOWHIST_TEST_DATA") or "/nowhere") / "retrieval"
WIDTH, HEIGHT = 1600, 1200


def large(seed, width=WIDTH, height=HEIGHT):
    """Things everywhere, under clouds of all sizes, a little out of focus: no plain ground, as pages have one."""
    noise = numpy.fft.rfft2(numpy.random.default_rng(seed).normal(size=(height, width)))
    frequency = numpy.hypot(numpy.fft.fftfreq(height)[:, None], numpy.fft.rfftfreq(width))
    clouds = numpy.fft.irfft2(noise / numpy.maximum(frequency, 1 / width) ** 0.9, (height, width))
    pixels = numpy.asarray(photograph(seed, width, height, width * height // 480)) + 50 * (clouds / clouds.std())[:, :, None]
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8)).filter(ImageFilter.GaussianBlur(1.5))


def with_text(picture, place, text, size, color="white"):
    copy = picture.copy()
    ImageDraw.Draw(copy).text(place, text, color, font(size))
    return copy


def webcam(seed, clock):
    """A clock in a narrow black strip."""
    picture = large(seed)
    ImageDraw.Draw(picture).rectangle((0, HEIGHT - 30, WIDTH, HEIGHT), "black")
    return with_text(picture, (10, HEIGHT - 28), f"Harbour {clock}", 22)


def with_bird(seed, place, share):
    picture = large(seed)
    x, y = place
    width = share * WIDTH
    ImageDraw.Draw(picture).ellipse((x, y, x + width, y + 0.6 * width), (20, 20, 20))
    return picture


def with_plate(seed, number, size):
    picture = large(seed)
    ImageDraw.Draw(picture).rectangle((500, 450, 500 + 6 * size, 450 + 1.4 * size), "white")
    return with_text(picture, (500 + size / 3, 450), number, size, "black")


def chat(lines):
    """Messages over a wallpaper."""
    picture = large(7, 900, 1600)
    for i, line in enumerate(lines):
        left, top = 30 if i % 2 else 200, 140 + 90 * i
        ImageDraw.Draw(picture).rounded_rectangle((left, top, left + 600, top + 66), 14, "white" if i % 2 else (220, 248, 198))
        picture = with_text(picture, (left + 18, top + 20), line, 22, "black")
    return picture


def slide(lines):
    """Lines over a ground whose levels rise from the left to the right."""
    ground = numpy.linspace(40, 160, 1600)[None, :, None] + numpy.zeros((900, 1, 3)) + (0, 0, 60)
    picture = with_text(Image.fromarray(ground.astype(numpy.uint8)), (80, 60), "Quarterly report of the company", 60)
    for i, line in enumerate(lines):
        picture = with_text(picture, (100, 300 + 72 * i), line, 36)
    return with_text(picture, (80, 820), "Confidential - Board of Directors", 24)


def pixelated(picture):
    """A face that was hidden."""
    box = (500, 300, 620, 420)
    copy = picture.copy()
    copy.paste(picture.crop(box).resize((8, 8), Image.Resampling.BOX).resize((120, 120), Image.Resampling.NEAREST), box)
    return copy


def watermarked(picture):
    """Letters that let most of the picture through."""
    layer = Image.new("RGBA", picture.size)
    ImageDraw.Draw(layer).text((400, 400), "STUDIO NORTH", (255, 255, 255, 90), font(60))
    return Image.alpha_composite(picture.convert("RGBA"), layer).convert("RGB")


class Hidden(CopiesTest):
    CHAT = ["See you at eight tonight?", "Yes, at the station", "Bring the tickets please", "I have them here"] * 3

    def put_two(self, name, one, other):
        for i, picture in enumerate((one, other)):
            self.put(f"{name}_{i}.jpg", picture, (OLD, NEW)[i], quality=93)

    def assert_all_stay(self):
        names = sorted(os.listdir(self.photos))
        self.find()
        self.assert_stays(*names)

    def test_clocks(self):
        self.put_two("morning", webcam(1, "2024-01-02 08:30"), webcam(1, "2024-03-14 17:55"))
        self.put_two("minute", webcam(2, "2024-01-02 08:30"), webcam(2, "2024-01-02 08:31"))
        self.assert_all_stay()

    def test_birds(self):
        for i, share in enumerate((0.02, 0.03, 0.05)):
            self.put_two(f"bird{i}", with_bird(10 + i, (210, 150), share), with_bird(10 + i, (850, 300), share))
        self.assert_all_stay()

    def test_number_plates(self):
        for size in (24, 32, 40):
            self.put_two(f"plate{size}", with_plate(size, "B-KX 1832", size), with_plate(size, "M-TZ 5097", size))
        self.assert_all_stay()

    def test_messages_over_a_wallpaper(self):
        self.put_two("chat", chat(self.CHAT), chat([*self.CHAT[:5], "No, I lost them all", *self.CHAT[6:]]))
        self.assert_all_stay()

    def test_lines_of_a_slide(self):
        self.put_two("slide", slide(["Revenue grew by 12 % in the first quarter", "of 2019, and costs fell by 3 %."]),
                     slide(["Revenue fell by 47 % in the third quarter", "of 2021, and costs rose by 9 %."]))
        self.assert_all_stay()

    def test_small_captions(self):
        for size in (24, 36):
            self.put_two(f"caption{size}", *(with_text(large(50 + size), (60, 800), text, size)
                                             for text in ("Summer holidays in Norway 2014", "Grandmother's birthday, May 2019")))
        self.assert_all_stay()

    def test_an_edit_of_higher_quality(self):
        edits = {"face": pixelated, "mark": watermarked, "date": lambda picture: with_text(picture, (1000, 860), "2019-07-14 15:02", 18, "orange")}
        for i, (name, edit) in enumerate(edits.items()):
            self.put(f"{name}.jpg", large(60 + i), quality=85, time=NEW)
            self.put(f"{name}_edit.jpg", edit(large(60 + i)), quality=95, time=OLD)
        self.find()
        self.assert_stays(*(f"{name}.jpg" for name in edits))


def beach(seed):
    """Clouds above and sand below: much the same if it is mirrored at any edge."""
    random = numpy.random.default_rng(seed)
    soft = numpy.kron(random.normal(0, 6, (10, 16)), numpy.ones((60, 50)))
    pixels = numpy.where(numpy.arange(600) < 360, 150, 190)[:, None] + soft + 0.03 * numpy.arange(800)
    pixels[360:] += numpy.kron(random.normal(0, 9, (120, 400)), numpy.ones((2, 2)))
    blue = numpy.where(numpy.arange(600) < 360, 60, -60)[:, None, None] * numpy.array([-0.5, 0, 0.5])
    return Image.fromarray((pixels[:, :, None] + blue).clip(0, 255).astype(numpy.uint8)).filter(ImageFilter.GaussianBlur(1))


def sharp(seed):
    return photograph(seed, 800, 600, 500)


def shaped(picture, other, shape):
    """A picture in a picture, but no upright rectangle: round, with round corners, turned, or two in a row."""
    copy, small = picture.copy(), other.copy()
    small.thumbnail([round(side * (0.25 if shape == "two" else 0.35)) for side in picture.size])
    mask = Image.new("L", small.size, 255 if shape in ("turned", "two") else 0)
    if shape == "round":
        ImageDraw.Draw(mask).ellipse((0, 0, *small.size), 255)
    elif shape == "corners":
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, *small.size), small.width // 6, 255)
    elif shape == "turned":
        small, mask = (layer.rotate(14, Image.Resampling.BICUBIC, expand=True) for layer in (small, mask))
    copy.paste(small, (round(picture.width * 0.55), round(picture.height * 0.05)), mask)
    if shape == "two":
        copy.paste(small.transpose(Image.Transpose.FLIP_LEFT_RIGHT), (round(picture.width * 0.1), round(picture.height * 0.05)))
    return copy


class LaidOver(CopiesTest):
    """Something laid over a copy lets it go, but only if nothing else is lost."""

    @unittest.skipUnless(RETRIEVAL.is_dir(), "BOWHIST_TEST_DATA has no folder retrieval")
    def test_a_picture_in_a_picture_stays_unless_another_file_shows_it(self):
        files = sorted(RETRIEVAL.glob("*/*.jpg"))[::2]
        alone, shown = set(), set()
        for i, (ground, inset) in enumerate(zip(files[0::2], files[1::2])):
            self.put(f"{i}.jpg", opened(ground), quality=93)
            self.put(f"{i}_inlaid.jpg", inlaid(opened(ground), opened(inset)), NEW, quality=90)
            (shown if i % 2 else alone).add(f"{i}_inlaid.jpg")
            if i % 2:
                self.put(f"{i}_inset.jpg", opened(inset), quality=93)
            elif i % 4:
                self.put(f"{i}_inset.jpg", scaled(opened(inset), 0.2), quality=93)  # less than the inlaid one shows
        self.find()
        moved = alone | shown
        moved -= self.left_by_script()
        # 4 of 34 are laid over a ground of their own levels, so that no rectangle is seen (docs/duplicates.md)
        self.assertLessEqual(len(moved & alone), len(alone) // 6, self.groups())
        self.assertNotEqual(moved & shown, set(), self.groups())

    @unittest.skipUnless(RETRIEVAL.is_dir(), "BOWHIST_TEST_DATA has no folder retrieval")
    def test_pictures_of_other_shapes_stay(self):
        files = sorted(RETRIEVAL.glob("*/*.jpg"))[::2]
        shapes = ("round", "corners", "turned", "two")
        for i, (ground, inset) in enumerate(zip(files[0::2], files[1::2])):
            shape = shapes[i % len(shapes)]
            self.put(f"{i}.jpg", opened(ground), quality=93)
            self.put(f"{i}_{shape}.jpg", shaped(opened(ground), opened(inset), shape), NEW, quality=90)
            if shape == "two":  # which shows one of the two alone
                self.put(f"{i}_inset.jpg", opened(inset), quality=93)
        self.find()
        left = self.left_by_script()
        moved = [name for name in self.rows if any(shape in name for shape in shapes) and name not in left]
        self.assertLessEqual(len(moved), 3, moved)  # of 34: laid over a ground of their own levels

    def test_a_text_over_a_copy_that_lacks_a_bird(self):
        self.put("text.jpg", captioned(sharp(101), ["HOLIDAYS"]), NEW, quality=90)
        seagull = sharp(101)
        ImageDraw.Draw(seagull).ellipse((400, 400, 430, 418), (250, 250, 250))
        self.put("seagull.jpg", seagull, quality=93)
        self.put("greeting.jpg", captioned(sharp(102), ["HOLIDAYS"]), NEW, quality=90)
        self.put("original.jpg", sharp(102), quality=93)
        self.find()
        self.assertEqual(sorted(self.left_by_script()), ["original.jpg", "seagull.jpg", "text.jpg"])


    @unittest.skipUnless(RETRIEVAL.is_dir(), "BOWHIST_TEST_DATA has no folder retrieval")
    def test_a_small_text_under_another_one(self):
        files = sorted(RETRIEVAL.glob("*/*.jpg"))[1::9]
        for i, file in enumerate(files):
            picture = opened(file)
            small = picture.copy()
            ImageDraw.Draw(small).text((picture.width // 9, picture.height * 0.85), "us shop grandma\nsale hello price", "white",
                                       font(max(12, picture.height // 28)), stroke_width=1, stroke_fill="black")
            self.put(f"{i}.jpg", small, (OLD, NEW)[i % 2], quality=93)
            self.put(f"{i}_other.jpg", captioned(picture, ["HOLIDAYS 2014"]), NEW, quality=90)
        self.find()
        left = self.left_by_script()
        self.assertEqual([name for name in self.rows if name not in left], [])


class Clipped(CopiesTest):
    def test_a_brighter_copy_goes_and_its_original_stays(self):
        for seed in range(3):
            pale = ImageEnhance.Color(large(110 + seed)).enhance(0.2)
            self.put(f"{seed}.jpg", pale, NEW, quality=85)
            self.put(f"{seed}_copy.jpg", ImageEnhance.Brightness(pale).enhance(1.5), NEW + 900_000, quality=88)
        self.find()
        self.assertEqual(sorted(self.left_by_script()), ["0.jpg", "1.jpg", "2.jpg"])

    def test_a_bird_in_the_light_stays(self):
        self.put("bird.jpg", ImageEnhance.Brightness(with_bird(120, (850, 500), 0.03)).enhance(1.5), NEW, quality=88)
        self.put("none.jpg", large(120), quality=93)
        self.put("dim_bird.jpg", with_bird(121, (850, 500), 0.03), quality=93)
        self.put("bright.jpg", ImageEnhance.Brightness(large(121)).enhance(1.5), NEW, quality=88)
        self.find()
        self.assert_stays("bird.jpg", "none.jpg", "dim_bird.jpg", "bright.jpg")


class TrueCopies(CopiesTest):
    def test_a_part_of_sky_and_sand_is_no_mirrored_double(self):
        self.put("beach.jpg", beach(1), quality=93)
        self.put("part.jpg", beach(1).crop((60, 40, 760, 560)), NEW, quality=90)
        self.assertEqual(self.find()["part.jpg"]["kind"], "cropped")

    EDITS = {"jpeg40": lambda picture: picture, "bright": lambda picture: ImageEnhance.Brightness(picture).enhance(1.15), "gray": lambda picture: picture.convert("L"),
             "turned": lambda picture: picture.transpose(Image.Transpose.ROTATE_90), "part": lambda picture: picture.crop((60, 40, 1140, 870)),
             "sharp": lambda picture: picture.filter(ImageFilter.UnsharpMask(1, 60, 0))}

    def test_they_still_go(self):
        for i, (name, edit) in enumerate(self.EDITS.items()):
            self.put(f"{name}.png", large(80 + i))
            self.put(f"{name}_copy.jpg", edit(large(80 + i)), NEW, quality=40 if name == "jpeg40" else 85)
        self.find()
        self.assertEqual(sorted(name for name in self.left_by_script() if "_copy" in name), [])

    def test_blurred_ones_go(self):
        for seed in range(3):
            self.put(f"{seed}.jpg", photograph(130 + seed, 640, 480), quality=93)
            self.put(f"{seed}_copy.jpg", photograph(130 + seed, 640, 480).filter(ImageFilter.GaussianBlur(1.6)), NEW, quality=88)
        self.find()
        self.assertEqual([name for name in self.left_by_script() if "_copy" in name], [])

    def test_a_later_run_does_not_read_the_files_again(self):
        self.put("one.jpg", webcam(1, "2024-01-02 08:30"), quality=93)
        self.put("two.jpg", webcam(1, "2024-03-14 17:55"), NEW, quality=93)
        first = self.find()
        self.assertEqual(first["two.jpg"]["with"], "photos/one.jpg")
        self.assert_stays("one.jpg", "two.jpg")
        for file in self.photos.iterdir():
            times = file.stat()
            file.write_bytes(b"x" * times.st_size)
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        again = self.run_program("duplicates", "p.bow", "-o", "-").stdout.decode()
        self.assertEqual(again, (self.folder / "g.csv").read_text())


if __name__ == "__main__":
    unittest.main()
