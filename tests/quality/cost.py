"""CPU seconds that programs take for an image: `index` of a folder, and `duplicates` of its library.

    cost.py BOWHIST... --folder FOLDER [--rounds 5] [--index-rounds 3]
    cost.py BOWHIST... --libraries FILE... [--rounds 5]

Each round runs the programs by turns, so that a busy machine slows all of them alike. `duplicates` gets a fresh copy of
the program's own library in each round, without what was compared before. --libraries names one for each
program, made from where this runs.

Prints for each program and command the median of user and system seconds, the least and the most of them, milliseconds
an image, and the median's share of the first program's.
"""
import argparse
import contextlib
import pathlib
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import tempfile


def seconds_of(program, *arguments):
    """@return user and system seconds, and what standard error says"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr.decode(errors="replace")


def fresh_copy(library, folder):
    """A copy that keeps nothing that was compared before."""
    fresh = pathlib.Path(shutil.copy(library, folder / "fresh.bow"))
    with contextlib.closing(sqlite3.connect(fresh)) as database, database:
        if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'compared'").fetchone():
            database.execute("DELETE FROM compared")
    return fresh


def print_line(program, command, seconds, images, first):
    median = statistics.median(seconds)
    print(f"{command:10} {median:8.2f} {min(seconds):8.2f} {max(seconds):8.2f} {1000 * median / images:8.2f} {median / first:6.3f}  {program}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+")
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--folder", type=pathlib.Path)
    given.add_argument("--libraries", type=pathlib.Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--index-rounds", type=int, default=3)
    asked = parser.parse_args()
    times = {(command, program): [] for command in ("index", "duplicates") for program in asked.programs}
    with tempfile.TemporaryDirectory() as scratch:
        made = [pathlib.Path(scratch) / f"{i}.bow" for i in range(len(asked.programs))]
        libraries = dict(zip(asked.programs, asked.libraries or made))
        for _ in range(asked.index_rounds if asked.folder else 0):
            for program, library in libraries.items():
                library.unlink(missing_ok=True)
                times["index", program].append(seconds_of(program, "index", "-o", library, asked.folder)[0])
        for _ in range(asked.rounds):
            for program, library in libraries.items():
                fresh = fresh_copy(library, pathlib.Path(scratch))
                seconds, said = seconds_of(program, "duplicates", fresh, "-o", fresh.with_suffix(".csv"))
                times["duplicates", program].append(seconds)
                images = int(re.search(r"among (\d+) pictures", said)[1])
                for left in fresh.parent.glob("fresh.*"):
                    left.unlink()
    print("command      median    least     most ms/image  share  program")
    for (command, program), seconds in times.items():
        if seconds:
            print_line(program, command, seconds, images, statistics.median(times[command, asked.programs[0]]))


if __name__ == "__main__":
    main()
