"""Duplicates: pixels that look equal in 8 bits over a ground may hold alpha, or more bits, that only one file has."""
import unittest

import numpy
from duplicate_pictures import CopiesTest, NEW, OLD, photograph
from PIL import Image, ImageDraw


def cut_out(picture, hidden=(0, 0, 0), alpha=0):
    """A hole, and what is hidden in it."""
    mask = Image.new("L", picture.size, 255)
    ImageDraw.Draw(mask).ellipse((150, 100, 300, 250), alpha)
    below = picture.copy()
    below.paste(hidden, mask=mask.point(lambda level: 255 if level < 255 else 0))
    below.putalpha(mask)
    return below


def flat(picture):
    ground = Image.new("RGB", picture.size, "white")
    ground.paste(picture.convert("RGB"), mask=picture.getchannel("A"))
    return ground


class Held(CopiesTest):
    def test_transparency_stays_and_the_flat_copy_goes(self):
        cut = cut_out(photograph(61))
        self.put("cut.png", cut, NEW)
        self.put("flat.png", flat(cut), OLD)
        self.put("large_flat.jpg", flat(cut).resize((960, 720), Image.Resampling.LANCZOS), OLD, quality=95)
        self.find()
        self.assertNotEqual(self.rows["flat.png"]["kind"], "pixels")
        left = self.left_by_script()
        self.assertIn("cut.png", left)
        self.assertNotIn("flat.png", left)

    def test_other_things_hidden_in_a_hole(self):
        picture = photograph(62)
        self.put("one.png", cut_out(picture), OLD)
        self.put("other.png", cut_out(picture, (200, 30, 90)), NEW)
        self.put("same.png", cut_out(picture), NEW, compress_level=1)
        self.find()
        left = self.left_by_script()
        self.assertIn("other.png", left)
        self.assertEqual(len({"one.png", "same.png"} & left), 1)

    def test_sixteen_bits_stay_and_their_copy_goes(self):
        grey = numpy.asarray(photograph(63).convert("L"), numpy.uint16)
        deep = grey * 256 + numpy.random.default_rng(1).integers(0, 256, grey.shape, numpy.uint16)
        for name in ("deep.png", "deep.tif"):
            self.put(name, Image.fromarray(deep), NEW)
        self.put("shallow.png", Image.fromarray(grey.astype(numpy.uint8)), OLD)
        self.find()
        left = self.left_by_script()
        self.assertEqual(len({"deep.png", "deep.tif"} & left), 1)
        self.assertNotIn("shallow.png", left)

    def test_room_that_is_not_used_counts_for_nothing(self):
        picture = photograph(64)
        grey = numpy.asarray(photograph(65).convert("L"), numpy.uint16)
        opaque = picture.copy()
        opaque.putalpha(255)
        self.put("camera.png", picture, OLD)
        self.put("opaque.png", opaque, NEW)
        self.put("grey.png", Image.fromarray(grey.astype(numpy.uint8)), OLD)
        self.put("wide.png", Image.fromarray(grey * 257), NEW)
        self.find()
        self.assertEqual((self.kinds("opaque.png"), self.kinds("wide.png")), ({"pixels"}, {"pixels"}))
        self.assertEqual(self.left_by_script(), {"camera.png", "grey.png"})


if __name__ == "__main__":
    unittest.main()
