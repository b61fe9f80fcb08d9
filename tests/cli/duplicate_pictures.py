"""What the tests of duplicates share: photographs that are drawn, and what a script leaves. Needs Pillow and the
fonts of DejaVu; edited copies are those of tests/quality/edited_copies.py, which is found once this is imported."""
import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys

import numpy
from PIL import Image, ImageDraw

from program import ProgramTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "quality"))
import edited_copies

OLD, NEW = 1_300_000_000, 1_600_000_000  # times of originals and of their copies


def photograph(seed, width=480, height=360, things=140):
    """Colored things with texture and fine grain: detail at every size, as a sharp photograph has."""
    random = numpy.random.default_rng(seed)
    pixels = numpy.full((height, width, 3), random.integers(90, 160, 3), float)
    for _ in range(things):
        x, y = random.integers(0, width - 10), random.integers(0, height - 10)
        w, h = random.integers(8, 60, size=2)
        pixels[y:y + h, x:x + w] = random.integers(0, 256, 3)
    grain = numpy.kron(random.normal(0, 8, (height // 4 + 1, width // 4 + 1)), numpy.ones((4, 4)))[:height, :width, None]
    pixels += grain + random.normal(0, 3, (height, width, 1))
    for axis in (0, 1):
        pixels = (numpy.roll(pixels, 1, axis) + 4 * pixels + numpy.roll(pixels, -1, axis)) / 6
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))


def on_light_ground(seed, level, width=400, height=533):
    """A thing in the middle of a plain ground, as things for sale are photographed."""
    random = numpy.random.default_rng(seed)
    ground = random.integers(level - 8, level + 8, 3) + random.normal(0, 3, (height, width, 1))
    picture = Image.fromarray(ground.clip(0, 255).astype(numpy.uint8))
    picture.paste(photograph(seed, width * 3 // 5, height // 2), (width // 5, height * 3 // 10))
    return picture


def captioned(picture, lines, top=0.05):
    """Each line is a share of the height of its own, from `top` on: white, with black around it."""
    copy = picture.copy()
    size = picture.width // 11
    for i, line in enumerate(lines):
        ImageDraw.Draw(copy).text((picture.width // 25, picture.height * top + 1.25 * size * i), line, "white", edited_copies.font(size),
                                  stroke_width=max(1, size // 10), stroke_fill="black")
    return copy


def grid(pictures, gap=6, cell=(300, 225)):
    """A collage of four."""
    sheet = Image.new("RGB", (2 * cell[0] + gap, 2 * cell[1] + gap), "black")
    for i, picture in enumerate(pictures):
        sheet.paste(picture.resize(cell, Image.Resampling.LANCZOS), (i % 2 * (cell[0] + gap), i // 2 * (cell[1] + gap)))
    return sheet


def exif_with_time(time, offset=None):
    """@param offset  from UTC, such as "+02:00" """
    exif = Image.Exif()
    exif[0x8769] = {0x9003: time, 0x9004: time, **({0x9010: offset, 0x9011: offset, 0x9012: offset} if offset else {})}
    return exif


class CopiesTest(ProgramTest):
    """A folder of pictures, what `duplicates` says about it, and what its script leaves there.

    find() fills `rows`: by the name of each picture, its row of the CSV.
    """

    def setUp(self):
        super().setUp()
        self.photos = self.folder / "photos"
        self.photos.mkdir()

    def put(self, name, picture, time=OLD, **how):
        """Writes a picture, or several as frames."""
        frames = picture if isinstance(picture, list) else [picture]
        if name.endswith(".jpg"):
            how = {"quality": 88, **how}
        if len(frames) > 1:
            how = {"save_all": True, "append_images": frames[1:], **how}
        frames[0].save(self.photos / name, **how)
        os.utime(self.photos / name, (time, time))

    def find(self, *arguments):
        """Makes a library of the folder and asks for its copies. A few other photographs are learned with them."""
        (self.folder / "others").mkdir(exist_ok=True)
        for i in range(5):
            photograph(900 + i).save(self.folder / f"others/{i}.png")
        for left in ("p.bow", "g.csv", "moves.sh", "moves.sh.undo"):
            (self.folder / left).unlink(missing_ok=True)
        shutil.rmtree(self.folder / "away", ignore_errors=True)  # of a script before
        self.run_program("index", "-q", "-o", "p.bow", "--words-k", "500", "--code-k", "8", "--kernel", "simd", "--mirrored", "photos", "others")
        self.run_program("duplicates", "-q", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away", *arguments)
        rows = list(csv.DictReader(io.StringIO((self.folder / "g.csv").read_text())))
        self.rows = {pathlib.Path(row["image"]).name: row for row in rows}
        return self.rows

    def groups(self):
        """The names in each group, the best first."""
        found = {}
        for name, row in self.rows.items():
            if row["group"]:
                found.setdefault(row["group"], []).append(name)
        return list(found.values())

    def group_of(self, name):
        return next((group for group in self.groups() if name in group), [])

    def kinds(self, name):
        return set(self.rows[name]["kind"].split("+")) if name in self.rows else set()

    def assert_apart(self, name, kind, *shown):
        """The row has the kind, no group, and names what the picture shows."""
        self.assertIn(name, self.rows)
        row = self.rows[name]
        self.assertEqual((row["group"], row["kind"]), ("", kind))
        for other in shown:
            self.assertIn(other, row["with"])

    def left_by_script(self):
        """Runs the script. @return the names that stay"""
        if (self.folder / "moves.sh").exists():
            done = subprocess.run(["sh", "moves.sh"], cwd=self.folder, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        return {path.name for path in self.photos.iterdir()}

    def assert_stays(self, *names):
        left = self.left_by_script()
        self.assertEqual([name for name in names if name not in left], [], self.groups())
