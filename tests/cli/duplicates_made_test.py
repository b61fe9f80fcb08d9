"""Duplicates: pictures that are made of others, such as a picture beside its mirror image. They show nothing more, and
are nobody's best copy."""
import unittest

from duplicate_pictures import NEW, OLD, CopiesTest, photograph
from PIL import Image, ImageOps

from edited_copies import beside, scaled


def above(pictures):
    return beside([picture.transpose(Image.Transpose.ROTATE_90) for picture in pictures], 0).transpose(Image.Transpose.ROTATE_270)


class Mirrored(CopiesTest):
    """A picture and its mirror image, which has no seam where they meet."""
    DOUBLES = {
        "right": lambda p: beside([p, ImageOps.mirror(p)], 0),
        "left": lambda p: beside([ImageOps.mirror(p), p], 0),
        "above": lambda p: above([ImageOps.flip(p), p]),
        "four": lambda p: above([beside([part, ImageOps.mirror(part)], 0) for part in (p, ImageOps.flip(p))]),
    }

    def test_a_double_is_a_collage(self):
        for seed, (name, double) in enumerate(self.DOUBLES.items()):
            self.put(f"{name}.jpg", photograph(seed), NEW)
            self.put(f"{name}_double.jpg", double(photograph(seed)), OLD, quality=95)
            self.put(f"{name}_small.jpg", scaled(photograph(seed), 0.7), NEW)
        self.find()
        for name in self.DOUBLES:
            with self.subTest(name):
                self.assert_apart(f"{name}_double.jpg", "collage", f"{name}.jpg")
                self.assertEqual(self.group_of(f"{name}.jpg"), [f"{name}.jpg", f"{name}_small.jpg"])
        self.assert_stays(*(f"{name}{end}.jpg" for name in self.DOUBLES for end in ("", "_double")))


if __name__ == "__main__":
    unittest.main()
