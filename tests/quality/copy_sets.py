"""How well `duplicates` and `search` find what Copydays and UKBench hold, for those who have these sets.

    copy_sets.py BOWHIST copydays FOLDER [--distractors FOLDER...] [--library FILE]
    copy_sets.py BOWHIST ukbench FOLDER [--library FILE]

Copydays (Jégou, Douze and Schmid 2008): FOLDER has original/200000.jpg, jpeg/QUALITY/200000.jpg,
crops/PERCENT/200000.jpg and strong/200001.jpg, where the first four digits name the original. Prints for each kind
of copy the share that stands in one group with its original, the copies that stand with another one, and the mean
average precision of the search, with each copy as the query and its original alone as the answer.

UKBench (Nistér and Stewénius 2006): FOLDER has ukbench00000.jpg and on; four in a row show one thing. Prints how
many of a thing are among the first four found, the image itself with them (N-S, 4 at most), the mean average
precision of the other three, and the pairs of a thing that stand in one group of copies, or of a scene.

All images are searched as they lie in the library: by words and codes, without and with --check.
"""
import argparse
import collections
import csv
import io
import itertools
import pathlib
import tempfile

from duplicates import run
from edited_copies import pictures_below


def groups_of(program, library, *more):
    """@return the paths of each group, and whether it is a scene"""
    done = run(program, "duplicates", library, *more)
    groups, scenes = collections.defaultdict(list), set()
    for row in csv.DictReader(io.StringIO(done.stdout.decode(errors="surrogateescape"))):
        groups[row["group"]].append(row["image"])
        if row["kind"] == "scene":
            scenes.add(row["group"])
    return [(paths, group in scenes) for group, paths in groups.items()]


def found_by_search(program, library, queries, count, *more):
    """@return for each query the paths that are found, the likest first, without the query"""
    found = {}
    for at in range(0, len(queries), 500):
        some = queries[at : at + 500]
        done = run(program, "search", library, *some, "--top", count, *more)
        for row in csv.DictReader(io.StringIO(done.stdout.decode(errors="surrogateescape"))):
            if row["image"] != row["query"]:
                found.setdefault(row["query"], []).append(row["image"])
    return found


def average_precision(ranking, wanted):
    hits, precision = 0, 0.0
    for place, path in enumerate(ranking, 1):
        if path in wanted:
            hits += 1
            precision += hits / place
    return precision / len(wanted)


def kind_in_copydays(path):
    """crops/10, jpeg/75, strong, original"""
    return "/".join(path.parent.parts[-2:]) if path.parent.parent.name in ("crops", "jpeg") else path.parent.name


def copydays(program, library, folder):
    base = lambda path: pathlib.Path(path).name[:4]
    kinds = {str(path): kind_in_copydays(path) for path in pictures_below([folder])}
    originals = {base(path): path for path, kind in kinds.items() if kind == "original"}
    copies = [path for path, kind in kinds.items() if kind != "original" and base(path) in originals]
    found, wrong = collections.Counter(), 0
    for paths, _ in groups_of(program, library):
        bases = {base(path) for path in paths if kinds.get(path) == "original"}
        for path in paths:
            if kinds.get(path, "original") != "original":
                found[kinds[path]] += base(path) in bases
                wrong += bool(bases - {base(path)})
    print(f"{len(originals)} originals, {len(copies)} copies; {wrong} stand in a group with another original")
    precisions = []
    for more in ([], ["--check"]):
        rankings = found_by_search(program, library, copies, len(copies) + 1, *more)
        of_kind = collections.defaultdict(list)
        for path in copies:
            others = [other for other in rankings.get(path, []) if kinds.get(other, "original") == "original"]
            of_kind[kinds[path]].append(average_precision(others, {originals[base(path)]}))
        precisions.append(of_kind)
    print(f"{'kind':12} {'copies':>7} {'in group':>9} {'mAP':>7} {'checked':>8}")
    for kind in sorted(precisions[0]):
        count = len(precisions[0][kind])
        plain, checked = (sum(of_kind[kind]) / count for of_kind in precisions)
        print(f"{kind:12} {count:7} {found[kind] / count:9.3f} {plain:7.3f} {checked:8.3f}")


def ukbench(program, library, folder):
    thing = lambda path: int(pathlib.Path(path).stem[len("ukbench"):]) // 4
    things = collections.defaultdict(list)
    for path in pictures_below([folder]):
        things[thing(path)].append(str(path))
    of_path = {path: number for number, paths in things.items() for path in paths}
    for name, more in (("search", []), ("search --check", ["--check"])):
        rankings = found_by_search(program, library, list(of_path), 100, *more)
        score = sum(1 + sum(of_path.get(other) == number for other in rankings.get(path, [])[:3])
                    for path, number in of_path.items()) / len(of_path)
        precision = sum(average_precision(rankings.get(path, []), set(things[number]) - {path})
                        for path, number in of_path.items()) / len(of_path)
        print(f"{name:15} N-S {score:.3f}, mAP of the first hundred {precision:.3f}")
    pairs = {pair for paths in things.values() for pair in itertools.combinations(sorted(paths), 2)}
    together = {False: set(), True: set()}
    strange = 0
    for paths, is_scene in groups_of(program, library, "--scene"):
        for pair in itertools.combinations(sorted(paths), 2):
            if pair in pairs:
                together[is_scene].add(pair)
            elif pair[0] in of_path and pair[1] in of_path:
                strange += 1
    print(f"of {len(pairs)} pairs {len(together[False])} stand in a group of copies, {len(together[True] - together[False])} of a scene;")
    print(f"{strange} pairs of two things stand in a group")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("layout", choices=["copydays", "ukbench"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--distractors", nargs="*", default=[])
    parser.add_argument("--library", type=pathlib.Path)
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        library = (asked.library or pathlib.Path(scratch) / "set.bow").resolve()
        if not library.exists():
            run(asked.program, "index", "-q", "--mirrored", "-o", library, folder, *asked.distractors)
        {"copydays": copydays, "ukbench": ukbench}[asked.layout](asked.program, library, folder)


if __name__ == "__main__":
    main()
