"""Duplicates: a copy that shows a picture less well never takes its place, however old its file is."""
import unittest

from duplicate_pictures import NEW, OLD, CopiesTest, photograph
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from edited_copies import again, scaled


def large(seed):
    return photograph(seed, 960, 720, 400)


class Soft(CopiesTest):
    """Photographs out of focus show little detail for their pixels, as enlarged copies do."""

    def test_a_half_does_not_take_the_place_of_a_soft_photograph(self):
        softness = (0.7, 1, 1.5)
        for seed, sigma in enumerate(softness):
            soft = large(seed).filter(ImageFilter.GaussianBlur(sigma))
            for quality in (60, 97):
                self.put(f"soft{seed}_{quality}.jpg", soft, NEW, quality=97)
                self.put(f"half{seed}_{quality}.jpg", scaled(soft, 0.5), OLD, quality=quality)
                soft = ImageOps.mirror(soft).rotate(180)  # another picture
        self.find()
        self.assert_stays(*(f"soft{seed}_{quality}.jpg" for seed in range(len(softness)) for quality in (60, 97)))

    def test_an_enlarged_copy_does_not_win(self):
        names = []
        for i, (time, scale, quality) in enumerate([(OLD, 2, 60), (NEW, 2, 80), (OLD, 2, 97), (NEW, 1.5, 60), (NEW, 1.5, 80), (NEW, 1.5, 97)]):
            self.put(f"original{i}.jpg", photograph(i), OLD if time == NEW else NEW)
            self.put(f"enlarged{i}.jpg", scaled(photograph(i), scale), time, quality=quality)
            names.append(f"original{i}.jpg")
        self.find()
        self.assertEqual([self.group_of(name)[0] for name in names], names)
        self.assert_stays(*names)


class Coarse(CopiesTest):
    COARSE = {
        "quality_15": lambda p: again(p, 15),
        "quality_5": lambda p: again(p, 5),
        "quality_15_again": lambda p: again(again(p, 15), 95),
    }
    FEW = {
        "posterized": lambda p: ImageOps.posterize(p, 2),
        "sixteen_colors": lambda p: p.quantize(16).convert("RGB"),
    }
    COLORS = {
        "swapped": lambda p: Image.merge("RGB", [p.getchannel(c) for c in "BRG"]),
        "faded": lambda p: ImageEnhance.Color(p).enhance(0.15),
    }

    def put_pairs(self, edits, original=NEW, edited=OLD):
        for seed, (name, edit) in enumerate(edits.items()):
            picture = large(seed).filter(ImageFilter.GaussianBlur(0.8))
            self.put(f"{name}_original.png", picture, original)
            self.put(f"{name}.png", edit(picture), edited)
        self.find()

    def test_a_coarse_encoding_is_worse_than_any_date(self):
        self.put_pairs(self.COARSE)
        for name in self.COARSE:
            self.assertEqual(self.group_of(f"{name}.png"), [f"{name}_original.png", f"{name}.png"])
        self.assert_stays(*(f"{name}_original.png" for name in self.COARSE))

    def test_a_copy_of_a_coarse_original_is_no_better(self):
        for seed in range(3):
            self.put(f"original{seed}.jpg", large(seed), OLD, quality=15)
            with Image.open(self.photos / f"original{seed}.jpg") as coarse:
                self.put(f"copy{seed}.png", coarse.convert("RGB"), NEW)
                self.put(f"turned{seed}.jpg", coarse.convert("RGB").rotate(3, expand=True), NEW)
        self.find()
        for seed in range(3):
            self.assertEqual(self.group_of(f"copy{seed}.png")[0], f"original{seed}.jpg")

    def test_few_levels_or_other_colors_and_an_older_file_leave_a_doubt(self):
        edits = {**self.FEW, **self.COLORS}
        self.put_pairs(edits)
        self.assert_stays(*(f"{name}_original.png" for name in edits))

    def test_the_older_original_wins(self):
        self.put_pairs(self.COARSE, OLD, NEW)
        for name in self.COARSE:
            self.assertEqual(self.group_of(f"{name}.png"), [f"{name}_original.png", f"{name}.png"])


if __name__ == "__main__":
    unittest.main()
