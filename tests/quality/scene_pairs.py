"""How many pairs of photographs of one scene `duplicates` groups as copies, and how many as a scene.

    scene_pairs.py BOWHIST FOLDER [--library FILE]

Needs Pillow, as duplicates.py. FOLDER has a folder for each scene; those whose names begin with _ are distractors. Pairs count where
both stand in one group. The library is made where it is not there.
"""
import argparse
import collections
import csv
import io
import itertools
import pathlib
import tempfile

from duplicates import run


def counted(program, library, folder, match, pairs):
    done = run(program, "duplicates", "-q", library, "--within", folder, "--scene", "--match", match)
    groups, scenes = collections.defaultdict(list), set()
    for row in csv.DictReader(io.StringIO(done.stdout.decode(errors="surrogateescape"))):
        groups[row["group"]].append(row["image"])
        if row["kind"] == "scene":
            scenes.add(row["group"])
    found = {True: set(), False: set()}
    for group, images in groups.items():
        found[group in scenes].update(pairs.intersection(itertools.combinations(sorted(images), 2)))
    print(f"{match:8} {len(found[False]):6} copies {len(found[True] - found[False]):6} scenes, of {len(pairs)} pairs")
    for one, other in sorted(found[False]):
        print("   ", one, other)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path)
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    pairs = set()
    for scene in folder.iterdir():
        if scene.is_dir() and not scene.name.startswith("_"):
            pairs.update(itertools.combinations(sorted(map(str, scene.iterdir())), 2))
    with tempfile.TemporaryDirectory() as scratch:
        library = (asked.library or pathlib.Path(scratch) / "scenes.bow").resolve()
        if not library.exists():
            run(asked.program, "index", "-q", "--mirrored", "-o", library, folder)
        for match in ("strict", "normal", "loose"):
            counted(asked.program, library, folder, match, pairs)


if __name__ == "__main__":
    main()
