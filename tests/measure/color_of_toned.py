"""How much color a library records of photographs and of their toned versions.

    color_of_toned.py BOWHIST PHOTOS FOLDER [COUNT]

Writes COUNT (100) photographs of PHOTOS, at most 1000 pixels a side, and versions of each into FOLDER, indexes them and
prints the distribution of `contents.color` of each version, in levels of chroma. Needs Pillow.
"""
import contextlib
import pathlib
import random
import sqlite3
import subprocess
import sys

import numpy
from PIL import Image, ImageEnhance, ImageOps


def by_curve(image):
    grey = numpy.asarray(image.convert("L")).astype(float)
    tones = numpy.stack([grey * 1.07 + 10, grey * 0.95 + 4, grey * 0.75], -1)
    return Image.fromarray(numpy.clip(tones, 0, 255).astype(numpy.uint8))


def by_matrix(image):
    """As style sheets and editors do it: no function of luma alone where it clips."""
    sepia = numpy.array([[.393, .769, .189], [.349, .686, .168], [.272, .534, .131]])
    return Image.fromarray(numpy.clip(numpy.asarray(image).astype(float) @ sepia.T, 0, 255).astype(numpy.uint8))


def two_inks(image):
    grey = numpy.asarray(image.convert("L")).astype(float)[..., None] / 255
    dark, light = numpy.array([20, 10, 120.]), numpy.array([255, 240, 90.])
    return Image.fromarray((dark + (light - dark) * grey).astype(numpy.uint8))


VERSIONS = {
    "original": (lambda image: image, 92),
    "inverted": (ImageOps.invert, 92),
    "saturation 0.3": (lambda image: ImageEnhance.Color(image).enhance(0.3), 92),
    "grey": (lambda image: image.convert("L"), 92),
    "grey in color": (lambda image: image.convert("L").convert("RGB"), 60),
    "sepia by a curve": (by_curve, 92),
    "sepia by a curve, JPEG 60": (by_curve, 60),
    "sepia by a curve, JPEG 20": (by_curve, 20),
    "sepia by a matrix": (by_matrix, 92),
    "sepia by a matrix, JPEG 60": (by_matrix, 60),
    "two inks": (two_inks, 92),
    "two inks, JPEG 60": (two_inks, 60),
}


def photographs(folder, count):
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    for path in random.Random(3).sample(files, min(count, len(files))):
        image = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
        image.thumbnail((1000, 1000))
        yield image


def main():
    program, photos, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    for number, image in enumerate(photographs(photos, count)):
        for version, (change, quality) in VERSIONS.items():
            (folder / "pictures" / version).mkdir(parents=True, exist_ok=True)
            change(image).save(folder / "pictures" / version / f"{number}.jpg", quality=quality)
    subprocess.run([program, "index", "-o", folder / "p.bow", folder / "pictures", "--words-k", "64", "--code-k", "8"], check=True)
    with contextlib.closing(sqlite3.connect(folder / "p.bow")) as library:
        rows = library.execute("SELECT CAST(path AS TEXT), color FROM paths JOIN contents ON contents.id = content").fetchall()
    colors = {version: [] for version in VERSIONS}
    for path, color in rows:
        if color is not None:
            colors[pathlib.Path(path).parent.name].append(color / 1000)
    print(f"{'':28s}{'least':>8s}{'5 %':>8s}{'median':>8s}{'95 %':>8s}{'most':>8s}")
    for version, found in colors.items():
        shares = numpy.quantile(found, [0, .05, .5, .95, 1])
        print(f"{version:28s}" + "".join(f"{share:8.2f}" for share in shares))


if __name__ == "__main__":
    main()
