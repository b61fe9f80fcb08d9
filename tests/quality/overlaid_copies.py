"""How many copies with something laid over them `duplicates` finds, and which pictures it calls copies
because the same lies over both.

    overlaid_copies.py BOWHIST FOLDER... [--half 0|1] [--bases N] [--keep DIR] [--match normal]

Needs Pillow, as duplicates.py. Each overlay is laid over every picture, in the same words: so each copy
has one picture that it must be found with, and many that share no more than the overlay. --half takes the
pictures whose names have an even or odd checksum: what one half chooses, the other one tests.

Prints for each overlay the share of copies that stand in the group of their original, and the pairs of
different pictures that are called copies.
"""
import argparse
import collections
import csv
import pathlib
import random
import tempfile
import zlib

from PIL import Image, ImageDraw, ImageOps

import edited_copies
from duplicates import run
from edited_copies import font


def below(picture, share):
    return picture.height - round(picture.height * share)


def plain_text(picture, draw):
    """Of any color, without an edge."""
    copy = picture.copy()
    color = tuple(draw.randrange(256) for _ in range(3))
    size = max(12, picture.width // 11)
    where = (picture.width // 15, draw.randint(0, picture.height * 7 // 10))
    ImageDraw.Draw(copy).text(where, "summer sale\nall must go", color, font(size))
    return copy


def meme(picture, _):
    """Text above and below."""
    copy = picture.copy()
    size = max(12, picture.width // 10)
    for line, top in (("ONE DOES NOT SIMPLY", 0.02), ("FIND ALL THE COPIES", 0.84)):
        ImageDraw.Draw(copy).text((picture.width // 20, round(picture.height * top)), line, "white", font(size),
                                  stroke_width=max(1, size // 10), stroke_fill="black")
    return copy


def box(picture, _):
    """A box that shines through, with text."""
    layer = Image.new("RGBA", picture.size)
    draw = ImageDraw.Draw(layer)
    top = below(picture, 0.3)
    draw.rectangle((0, top, picture.width, below(picture, 0.08)), (0, 0, 0, 150))
    size = max(12, picture.width // 14)
    draw.text((picture.width // 20, top + size // 3), "as seen on the news\nwith a second line", "white", font(size))
    return Image.alpha_composite(picture.convert("RGBA"), layer).convert("RGB")


def sticker(picture, draw):
    copy = picture.copy()
    side = min(picture.size) // 3
    left, top = draw.randint(0, picture.width - side), draw.randint(0, picture.height - side)
    at = lambda *shares: [(left if i % 2 == 0 else top) + round(side * share) for i, share in enumerate(shares)]
    pen = ImageDraw.Draw(copy)
    pen.ellipse(at(0, 0, 1, 1), (250, 205, 40), "black", max(1, side // 25))
    for x in (0.3, 0.6):
        pen.ellipse(at(x, 0.28, x + 0.12, 0.42), "black")
    pen.arc(at(0.22, 0.3, 0.78, 0.82), 20, 160, "black", max(2, side // 15))
    return copy


def watermark(picture, _):
    """A line in each third that shines through."""
    layer = Image.new("RGBA", picture.size)
    for third in range(3):
        ImageDraw.Draw(layer).text((picture.width // 12, picture.height * (2 * third + 1) // 7), "(c) pictures for sale",
                                   (255, 255, 255, 130), font(max(12, picture.width // 11)))
    return Image.alpha_composite(picture.convert("RGBA"), layer).convert("RGB")


def instant(picture, _):
    """White paper around it, with words below."""
    rim = max(picture.size) // 14
    copy = ImageOps.expand(picture, (rim, rim, rim, 3 * rim), "white")
    ImageDraw.Draw(copy).text((rim, copy.height - 2 * rim), "holidays by the sea", (40, 40, 60), font(max(10, rim)))
    return copy


OVERLAYS = {
    "text": edited_copies.with_text,
    "plain_text": plain_text,
    "meme": meme,
    "banner": lambda picture, _: edited_copies.with_banner(picture),
    "box": box,
    "sticker": sticker,
    "watermark": watermark,
    "instant": instant,
    "screenshot": lambda picture, _: edited_copies.screenshot(picture),
}


def make(out, paths):
    (out / "original").mkdir(parents=True)
    for path in paths:
        try:
            picture = edited_copies.opened(path)
        except OSError:
            continue
        if min(picture.size) < 200:
            continue
        picture.thumbnail((1200, 1200))
        name = f"{zlib.crc32(str(path).encode()):08x}_{path.stem}.jpg"
        picture.save(out / "original" / name, quality=92)
        for kind, overlay in OVERLAYS.items():
            (out / kind).mkdir(exist_ok=True)
            overlay(picture, random.Random(zlib.crc32(f"{kind}/{name}".encode()))).save(out / kind / name, quality=90)


def grouped(program, library, match):
    """@return pairs of paths that stand in one group, each copy with what it is held against"""
    pairs, groups = [], collections.defaultdict(list)
    for row in csv.DictReader(run(program, "duplicates", library, "--match", match).stdout.decode().splitlines()):
        groups[row["group"]].append(row["image"])
        if row["with"]:
            pairs.append((row["image"], row["with"]))
    return pairs, groups.values()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--bases", type=int, help="at most so many, drawn")
    parser.add_argument("--keep", type=pathlib.Path, help="folder of copies and their library, made where it is not there")
    parser.add_argument("--match", nargs="+", default=["normal"])
    asked = parser.parse_args()
    paths = [path for path in edited_copies.drawn(asked.folders, 1)
             if asked.half is None or zlib.crc32(path.name.encode()) % 2 == asked.half][: asked.bases]
    with tempfile.TemporaryDirectory() as scratch:
        folder = (asked.keep or pathlib.Path(scratch)).resolve()
        library = folder / "copies.bow"
        if not (folder / "copies").exists():
            make(folder / "copies", paths)
        if not library.exists():
            run(asked.program, "index", "-q", "--mirrored", "-o", library, folder / "copies")
        count = len(list((folder / "copies" / "original").iterdir()))
        for match in asked.match:
            pairs, groups = grouped(asked.program, library, match)
            found = collections.Counter()
            for group in groups:
                names = {pathlib.Path(path).name for path in group if pathlib.Path(path).parent.name == "original"}
                found.update(pathlib.Path(path).parent.name for path in group if pathlib.Path(path).name in names)
            false = [(pathlib.Path(one), pathlib.Path(other)) for one, other in pairs
                     if pathlib.Path(one).name != pathlib.Path(other).name]
            alike = collections.Counter(one.parent.name if one.parent.name == other.parent.name else "of two kinds" for one, other in false)
            print(f"--match {match}, {count} pictures\n{'laid over':14}    found   false pairs")
            for kind in ["original", *OVERLAYS, "of two kinds"]:
                share = f"{found[kind] / count:9.3f}" if kind in OVERLAYS else " " * 9
                print(f"{kind:14}{share}{alike[kind]:14}")
            for one, other in sorted(false):
                print("   ", one.relative_to(folder / "copies"), other.relative_to(folder / "copies"))


if __name__ == "__main__":
    main()
