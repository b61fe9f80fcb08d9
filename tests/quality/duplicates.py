"""How many edited copies `duplicates` finds, kind by kind, beside perceptual hashes.

    duplicates.py BOWHIST FOLDER... [--bases 150] [--skip 80] [--distractors FOLDER...] [--keep DIR]

Needs Pillow; pillow-heif for HEIC and imagehash for the hashes, where they are installed. Copies are
made of pictures below the folders (edited_copies.py). The library that they are held against has the
originals, all pictures of the folders and the distractors. The limits were chosen on the first 80
bases: so the figures are of others.

False pairs are pairs of pictures that are not copies of one base, of all that could be one. Look at
them: folders hold copies of their own.
"""
import argparse
import collections
import csv
import hashlib
import io
import pathlib
import subprocess
import tempfile

import edited_copies

HASHES = {"phash": 8, "dhash": 8}  # of 64 bits


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    return done


class Bases:
    """Which base a picture shows: by its name in the folder of copies, elsewhere by what it was made of."""

    def __init__(self, copies):
        self.copies = copies
        sources = [line.split("\t") for line in (copies / "sources.tsv").read_text().splitlines()]
        self.by_bytes = {hashlib.md5(pathlib.Path(path).read_bytes()).digest(): stem for stem, path in sources}
        self.known = {}

    def of(self, path):
        if path not in self.known:
            inside = pathlib.Path(path).is_relative_to(self.copies)
            self.known[path] = pathlib.Path(path).stem if inside else self.by_bytes.get(
                hashlib.md5(pathlib.Path(path).read_bytes()).digest(), path)
        return self.known[path]

    def edit(self, path):
        return pathlib.Path(path).parent.name if pathlib.Path(path).is_relative_to(self.copies) else ""


def found_by_program(program, copies, reference, bases, match):
    """@return for each edit the bases whose copy is in a group with the original; pairs that are false"""
    done = run(program, "duplicates", copies, "--against", reference, "--match", match)
    found, false = collections.defaultdict(set), []
    for row in csv.DictReader(io.StringIO(done.stdout.decode(errors="surrogateescape"))):
        if not row["with"] or row["kind"] == "bytes":
            continue
        if bases.of(row["image"]) == bases.of(row["with"]):
            found[bases.edit(row["image"])].add(bases.of(row["image"]))
        else:
            false.append((row["image"], row["with"], row["kind"], row["score"]))
    return found, false, done.stderr.decode().splitlines()[-1]


def found_by_hash(folder, name, limit):
    import imagehash
    function = getattr(imagehash, name)
    hashes = {path: function(edited_copies.opened(path)) for path in sorted(folder.glob("*/*"))}
    originals = {path.stem: value for path, value in hashes.items() if path.parent.name == "original"}
    found = collections.defaultdict(set)
    for path, value in hashes.items():
        if value - originals[path.stem] <= limit:
            found[path.parent.name].add(path.stem)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--bases", type=int, default=150)
    parser.add_argument("--skip", type=int, default=80)
    parser.add_argument("--distractors", nargs="*", default=[])
    parser.add_argument("--keep", type=pathlib.Path, help="folder of copies and libraries, which are made where they are not there")
    parser.add_argument("--match", nargs="+", default=["normal"])
    asked = parser.parse_args()
    edited_copies.heif_is_here()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (asked.keep or pathlib.Path(scratch)).resolve()
        copies, reference, library = folder / "copies", folder / "reference.bow", folder / "copies.bow"
        if not copies.exists():
            edited_copies.make(copies, edited_copies.drawn(asked.folders, 1)[asked.skip :][: asked.bases])
        if not library.exists():
            run(asked.program, "index", "-q", "--mirrored", "-o", reference, copies / "original", *asked.folders, *asked.distractors)
            run(asked.program, "index", "-q", "--mirrored", "-o", library, "--centroids", reference, copies)
        bases = Bases(copies)
        count = len(list((copies / "original").iterdir()))
        columns = {}
        for match in asked.match:
            columns[match], false, line = found_by_program(asked.program, library, reference, bases, match)
            print(f"{match}: {line}\n{match}: {len(false)} pairs of different bases", *false, sep="\n  ")
        try:
            columns.update({f"{name} {limit}": found_by_hash(copies, name, limit) for name, limit in HASHES.items()})
        except ImportError:
            print("without imagehash there are no hashes")
        print(f"{count} bases\n{'edit':24}", *[f"{name:>9}" for name in columns])
        for edit in edited_copies.EDITS:
            if (copies / edit).exists():
                print(f"{edit:24}", *[f"{len(found[edit]) / count:9.3f}" for found in columns.values()])


if __name__ == "__main__":
    main()
