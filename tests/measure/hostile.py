#!/usr/bin/python3
"""What files that were made to do harm cost: outcome, memory and work of the program and its workers.

    tests/measure/hostile.py [--build build/ci] FOLDER_OR_ARCHIVE...

Extracts descriptors of each file in a run of its own, prints a table of kinds, and names every file
that ended the program, hung it, or took more than 5 s of CPU time or 1 GiB. Then mixes all of them
with 2000 good pictures in one run: the rows of the good ones must be those of a run without.
"""
import argparse
import collections
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from program import write_picture, write_vocabulary

MOST_SECONDS = 5
MOST_BYTES = 1 << 30
PAGE = os.sysconf("SC_PAGESIZE")


def resident_bytes(session):
    """Of all processes of the session."""
    total = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = pathlib.Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                total += int(fields[21]) * PAGE
    return total


def run_alone(command):
    """Status, most bytes, CPU seconds, and whether it had to be killed."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    begin, most, hung = time.monotonic(), 0, False
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), most, usage.ru_utime + usage.ru_stime, hung
        most = max(most, resident_bytes(process.pid))
        if time.monotonic() - begin > 60:
            hung = True
            os.killpg(process.pid, 9)
        time.sleep(0.002)


def outcome(status, hung):
    if hung:
        return "hung"
    return {0: "read", 1: "skipped"}.get(status, f"status {status}")


def table(program, files):
    kinds = collections.defaultdict(lambda: [0, collections.Counter(), 0, 0.0])
    bad = []
    with tempfile.TemporaryDirectory() as scratch:
        for path in files:
            status, memory, seconds, hung = run_alone([program, "extract", "-q", "-o", f"{scratch}/d", path])
            row = kinds[path.suffix.lower() or "none"]
            row[0] += 1
            row[1][outcome(status, hung)] += 1
            row[2] = max(row[2], memory)
            row[3] = max(row[3], seconds)
            if status not in (0, 1) or hung or seconds > MOST_SECONDS or memory > MOST_BYTES:
                bad.append(f"{path.name}: {outcome(status, hung)}, {memory >> 20} MiB, {seconds:.1f} s")
    print(f"{'kind':8} {'files':>5}  {'outcome':34} {'most MiB':>8} {'most CPU s':>10}")
    for kind, (count, outcomes, memory, seconds) in sorted(kinds.items()):
        printed = ", ".join(f"{n} {what}" for what, n in outcomes.most_common())
        print(f"{kind:8} {count:5}  {printed:34} {memory >> 20:8} {seconds:10.2f}")
    print(f"beyond the limits: {len(bad)} of {len(files)}")
    for line in bad:
        print("  " + line)


def mixed(program, files, good_count):
    with tempfile.TemporaryDirectory() as scratch:
        good = [f"{scratch}/good{i}.pgm" for i in range(good_count)]
        for i, path in enumerate(good):
            if i < 20:
                write_picture(path, i, 500, 400)
            else:
                os.link(good[i % 20], path)
        write_vocabulary(f"{scratch}/c.bin", numpy.random.default_rng(1).standard_normal((64, 64)))
        together = list(good)
        for i, path in enumerate(files):
            together.insert((i * 2654435761) % len(together), str(path))

        def rows(names):
            done = subprocess.run([program, "--centroids", f"{scratch}/c.bin", "-q", "--files-from", "-", "-0"],
                                  input=b"\0".join(os.fsencode(name) for name in names), capture_output=True)
            return done.returncode, [row for row in done.stdout.splitlines() if b"/good" in row]

        alone, both = rows(good), rows(together)
        same = alone[1] == both[1] and len(alone[1]) == good_count
        print(f"{good_count} good pictures among {len(files)}: status {both[0]}, "
              f"rows {'byte for byte the same' if same else 'DIFFERENT'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/ci")
    parser.add_argument("--good", type=int, default=2000)
    parser.add_argument("given", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    program = os.path.abspath(f"{options.build}/bin/bowhist")
    with tempfile.TemporaryDirectory() as scratch:
        folders = []
        for given in options.given:
            if given.is_file():
                folder = pathlib.Path(scratch, str(len(folders)))
                shutil.unpack_archive(given, folder)
                given = folder
            folders.append(given)
        for folder in folders:
            for packed in list(folder.rglob("*.gz")):
                pathlib.Path(scratch, packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
                folders.append(pathlib.Path(scratch, packed.stem))
        files = sorted(path for folder in folders for path in (folder.rglob("*") if folder.is_dir() else [folder]) if path.is_file() and path.suffix != ".gz")
        table(program, files)
        mixed(program, files, options.good)


if __name__ == "__main__":
    main()
