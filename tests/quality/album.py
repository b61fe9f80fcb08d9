"""What becomes of an album after `duplicates` and its script: a truth table by kind of edit.

    album.py BOWHIST FOLDER... [--bases 300] [--each 9] [--seed 1] [--equal-times] [--match normal] [--keep DIR]

Needs Pillow. Takes pictures below the folders as originals (edited_copies.py) and makes --each copies of
every kind of edit, each of another original: those of edited_copies.py, and what albums hold beside them, collages,
pictures in pictures and animations among them. Two captions lie over photographs that are not in the album. Copies are
newer than their originals, unless --equal-times gives one time to all.

Prints for each kind of edit how many there are, how many are found (in one group with their original), moved by the
script, and how often the original yields: it is moved, and the edited copy stays. Then come the names of what is gone
(no file that stays shows it; a collage or a picture in a picture does not count) and the groups that join two
originals. DIR keeps the album, its truth.tsv and the script.
"""
import argparse
import collections
import csv
import os
import pathlib
import random
import subprocess
import tempfile

from PIL import ImageEnhance, ImageOps

import edited_copies
from duplicates import run
from edited_copies import EDITS, JPEG, SUFFIXES

ORIGINAL_TIME, COPY_TIME = 1_500_000_000, 1_620_000_000


MORE_EDITS = {
    "upscale_2": lambda p, d: (edited_copies.scaled(p, 2), JPEG),
    "png": lambda p, d: (p, {"format": "PNG"}),
    "flip": lambda p, d: (ImageOps.flip(p), JPEG),
    "darker": lambda p, d: (ImageEnhance.Brightness(p).enhance(0.9), JPEG),
    "sepia": lambda p, d: (edited_copies.sepia(p), JPEG),
    "dated": lambda p, d: (edited_copies.dated(p), JPEG),
    "frame_95": lambda p, d: (ImageOps.expand(p, max(p.size) // 12, "white"), {"format": "JPEG", "quality": 95}),
    "grey_95": lambda p, d: (p.convert("L"), {"format": "JPEG", "quality": 95}),
}
OF_TWO = {"collage": lambda one, other: edited_copies.beside([one, other]), "pip": edited_copies.inlaid}


def fit(path):
    try:
        return path.suffix.lower() != ".gif" and min(edited_copies.opened(path).size) >= 200
    except OSError:
        return False


def saved(path, picture, time, **how):
    picture.save(path, **how)
    os.utime(path, (time, time))
    return path.name


class Album:
    """FOLDER/originals and FOLDER/edited. `copies` names the original and the edit of each copy."""

    def __init__(self, folder, asked):
        self.folder, self.copies, self.originals, self.others = folder, {}, {}, []
        self.copy_time = ORIGINAL_TIME if asked.equal_times else COPY_TIME
        paths = [path for path in edited_copies.drawn(asked.folders, asked.seed) if fit(path)][:asked.bases + asked.each]
        (folder / "edited").mkdir(parents=True)
        (folder / "originals").mkdir()
        for path in paths[asked.each:]:
            self.take(path)
        for path in paths[:asked.each]:
            self.caption(path)
        names = sorted(self.originals)
        for edit in [*EDITS, *MORE_EDITS, *OF_TWO, "bytes", "animation"]:
            if edit != "heic" or edited_copies.heif_is_here():
                draw = random.Random(f"{asked.seed} {edit}")
                for name in draw.sample(names, min(asked.each, len(names))):
                    self.edit(name, edit, draw)
        with open(folder.parent / "truth.tsv", "w") as file:
            for copy, (name, edit) in self.copies.items():
                print(copy, name, edit, sep="\t", file=file)

    def take(self, path):
        name = f"{len(self.originals):04}_{path.name}"
        self.originals[name] = self.folder / "originals" / name
        self.originals[name].write_bytes(path.read_bytes())
        os.utime(self.originals[name], (ORIGINAL_TIME, ORIGINAL_TIME))

    def caption(self, path):
        picture, draw = edited_copies.opened(path), random.Random(path.name)
        for i, copy in enumerate((edited_copies.with_text(picture, draw), edited_copies.with_banner(picture))):
            self.others.append(saved(self.folder / f"edited/{path.stem}_caption_{i}.jpg", copy, self.copy_time, quality=90))

    def edit(self, name, edit, draw):
        picture, below, stem = edited_copies.opened(self.originals[name]), self.folder / "edited", f"{pathlib.Path(name).stem}_{edit}"
        if edit == "bytes":
            (below / f"again_{name}").write_bytes(self.originals[name].read_bytes())
            os.utime(below / f"again_{name}", (self.copy_time, self.copy_time))
            self.copies[f"again_{name}"] = (name, edit)
        elif edit in OF_TWO:
            other = edited_copies.opened(self.originals[draw.choice([other for other in self.originals if other != name])])
            self.copies[saved(below / f"{stem}.jpg", OF_TWO[edit](picture, other), self.copy_time, quality=90)] = (name, edit)
        elif edit == "animation":  # each begins with the original's picture, small
            picture.thumbnail((240, 240))
            for i in range(2):
                frames = [edited_copies.turned(picture, 90 * i + 8 * k) for k in range(1, 4)]
                self.others.append(saved(below / f"{stem}_{i}.gif", picture, self.copy_time, save_all=True, append_images=frames, duration=200))
        else:
            copy, how = {**EDITS, **MORE_EDITS}[edit](picture, draw)
            self.copies[saved(below / (stem + SUFFIXES[how["format"]]), copy, self.copy_time, **how)] = (name, edit)

    def stays(self, name):
        return any((self.folder / below / name).exists() for below in ("originals", "edited"))

    def owner(self, name):
        return self.copies.get(name, (name,))[0]


def judged(album, groups):
    """@return for each edit: made, found, moved, originals that yield; what is gone; groups that join two originals"""
    table, gone = collections.defaultdict(lambda: dict.fromkeys(("made", "found", "moved", "yields"), 0)), []
    group_of = {name: group for group, names in groups.items() for name in names}
    staying = collections.defaultdict(set)
    for copy, (name, edit) in album.copies.items():
        row = table[edit]
        row["made"] += 1
        row["found"] += group_of.get(copy) is not None and group_of.get(copy) == group_of.get(name)
        row["moved"] += not album.stays(copy)
        if album.stays(copy):
            staying[name].add(edit)
    for name in album.originals:
        edits = staying[name] - OF_TWO.keys()
        if not album.stays(name) and not edits:
            gone.append(name)
        elif not album.stays(name) and "bytes" not in edits:
            for edit in edits:
                table[edit]["yields"] += 1
    gone += [name for name in album.others if not album.stays(name)]
    joined = [names for names in groups.values()
              if len({album.owner(name) for name in names if album.copies.get(name, ("", ""))[1] not in OF_TWO}) > 1]
    return table, gone, joined


def measure(program, folder, asked):
    album = Album(folder / "album", asked)
    run(program, "index", "-q", "-o", folder / "album.bow", folder / "album")
    run(program, "duplicates", "-q", folder / "album.bow", "--match", asked.match, "-o", folder / "groups.csv",
        "--script", folder / "moves.sh", "--to", folder / "away")
    groups = collections.defaultdict(list)
    with open(folder / "groups.csv", newline="", errors="surrogateescape") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["group"]:
            groups[row["group"]].append(pathlib.Path(row["image"]).name)
    if (folder / "moves.sh").exists():
        print(subprocess.run(["sh", folder / "moves.sh"], capture_output=True, text=True).stderr.strip().splitlines()[-1])
    table, gone, joined = judged(album, groups)
    print(f"{len(album.originals)} originals, {len(album.copies)} copies, {len(album.others)} others\n{'edit':24}  made found moved yields")
    for edit, row in table.items():
        print(f"{edit:24} {row['made']:5} {row['found']:5} {row['moved']:5} {row['yields']:6}")
    print(f"{'all but collages':24}", *(f"{sum(row[column] for edit, row in table.items() if edit != 'collage'):5}"
                                       for column in ("made", "found", "moved", "yields")))
    print("rows without a group:", dict(collections.Counter(row["kind"] for row in rows if not row["group"])))
    print(f"{len(gone)} gone", *gone, sep="\n    ")
    print(f"{len(joined)} groups join two originals", *(" ".join(names[:4]) for names in joined), sep="\n    ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--bases", type=int, default=300)
    parser.add_argument("--each", type=int, default=9, help="copies of every kind of edit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--equal-times", action="store_true")
    parser.add_argument("--match", default="normal")
    parser.add_argument("--keep", type=pathlib.Path, help="an empty folder for the album")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        measure(asked.program, (asked.keep or pathlib.Path(scratch)).resolve(), asked)


if __name__ == "__main__":
    main()
