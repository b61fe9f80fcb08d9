"""Duplicates: pictures that are made of others, such as a picture beside its mirror image. They show nothing more, and
are never the best copy."""
import os
import pathlib
import unittest

from duplicate_pictures import NEW, OLD, CopiesTest, photograph
from PIL import Image, ImageOps

from edited_copies import beside, opened, scaled

RETRIEVAL = pathlib.Path(os.environ.get("BOWHIST_TEST_DATA") or "/nowhere") / "retrieval"


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


@unittest.skipUnless(RETRIEVAL.is_dir(), "BOWHIST_TEST_DATA names no folder with retrieval/")
class Grids(CopiesTest):
    """Four photographs, each cut to its cell. Drawn things would have as many edges everywhere."""

    def test_a_grid_of_cut_pictures_is_a_collage(self):
        pictures = [scaled(picture, 600 / max(picture.size)) for picture in map(opened, sorted(RETRIEVAL.glob("*/*.jpg"))[::9])][:16]
        grids = [pictures[i:i + 4] for i in range(0, 16, 4)]
        for i, parts in enumerate(grids):
            cells = [ImageOps.fit(part, (400, 300)) for part in parts]
            self.put(f"grid{i}.jpg", above([beside(cells[:2], 0), beside(cells[2:], 0)]), OLD, quality=95)
            self.put(f"part{i}.jpg", parts[0], NEW)
        self.find()
        kinds = [self.kinds(f"grid{i}.jpg") for i in range(4)]
        self.assertEqual([(i, group) for i in range(4) if (group := self.group_of(f"grid{i}.jpg"))], [], kinds)
        self.assertIn({"collage"}, kinds)
        self.assert_stays(*(f"{name}{i}.jpg" for name in ("grid", "part") for i in range(4)))


if __name__ == "__main__":
    unittest.main()
