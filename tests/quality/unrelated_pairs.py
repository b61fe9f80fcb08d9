"""How many pairs of unrelated pictures `duplicates` finds, among all pairs of pictures of two sources.

    unrelated_pairs.py BOWHIST SOURCE... [--most 2000] [--keep DIR] [--match normal] [--scene] [--show DIR]

Needs Pillow. Each source is a folder of its own kind, such as an unpacked Debian package of pictures, so that two
pictures of two sources are surely unrelated. Of each at most N are taken, in the order of their contents' hashes;
pictures below 32 pixels a side, and contents that two sources have, are left out. DIR keeps the links and the
library, which are made where they are not there. --show writes each pair side by side: look at them, for sources do
share drawings.
"""
import argparse
import collections
import csv
import hashlib
import io
import itertools
import pathlib
import re
import tempfile

from PIL import Image

from duplicates import run
from edited_copies import opened, pictures_below


def large_enough(path):
    try:
        with Image.open(path) as picture:
            return min(picture.size) >= 32
    except Exception:  # what Pillow cannot read is left out
        return False


def linked(sources, most, folder):
    """Makes links FOLDER/SOURCE/NUMBER_NAME to the pictures that are taken."""
    of_hash = collections.defaultdict(dict)
    for number, source in enumerate(sources):
        for path in pictures_below([source]):
            of_hash[hashlib.md5(path.read_bytes()).hexdigest()].setdefault(number, path)
    taken = collections.Counter()
    for digest, paths in sorted(of_hash.items()):
        (number, path), *others = paths.items()
        if others or taken[number] == most or not large_enough(path):
            continue
        place = folder / f"{number}_{pathlib.Path(sources[number]).name}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{taken[number]:05d}_{re.sub('[^A-Za-z0-9.]', '_', path.name)[-60:]}").symlink_to(path.resolve())
        taken[number] += 1


def source_of(path):
    return pathlib.Path(path).parent.name


def shown(one, other, path):
    pictures = [opened(file) for file in (one, other)]
    for picture in pictures:
        picture.thumbnail((300, 300))
    both = Image.new("RGB", (610, 300), "gray")
    for i, picture in enumerate(pictures):
        both.paste(picture, (310 * i, 0))
    both.save(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--most", type=int, default=2000)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--match", default="normal")
    parser.add_argument("--scene", action="store_true", help="count pairs of a scene, too")
    parser.add_argument("--show", type=pathlib.Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (asked.keep or pathlib.Path(scratch)).resolve()
        pictures, library = folder / "pictures", folder / "pictures.bow"
        if not pictures.exists():
            linked(asked.sources, asked.most, pictures)
        if not library.exists():
            run(asked.program, "index", "-q", "--mirrored", "-o", library, pictures)
        done = run(asked.program, "duplicates", library, "--match", asked.match, *(["--scene"] if asked.scene else []))
        counts = [len(list(source.iterdir())) for source in sorted(pictures.iterdir())]
        pairs = sum(one * other for one, other in itertools.combinations(counts, 2))
        found = [row for row in csv.DictReader(io.StringIO(done.stdout.decode(errors="surrogateescape")))
                 if row["with"] and source_of(row["image"]) != source_of(row["with"])]
        print(done.stderr.decode(errors="replace").splitlines()[-1])
        print(f"{sum(counts)} pictures of {len(counts)} sources: {pairs} pairs of two sources, {len(found)} found;")
        print(f"if all of these are the same pictures, fewer than {3 / pairs:.1e} of unrelated pairs are found (95 %)")
        for number, row in enumerate(found):
            print(row["kind"], row["score"], row["agree"], row["overlap"], row["image"], row["with"], sep="\t")
            if asked.show:
                asked.show.mkdir(parents=True, exist_ok=True)
                shown(row["image"], row["with"], asked.show / f"{number:04d}.png")


if __name__ == "__main__":
    main()
