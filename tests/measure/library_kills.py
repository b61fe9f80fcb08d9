"""Kills `index` at random moments, and compares what the next run ends in with an undisturbed run.

    tests/measure/library_kills.py BOWHIST PHOTOS FOLDER [KILLS]

PHOTOS is a folder of some hundred images; FOLDER is emptied. KILLS (100) are spread over three
kinds of work: learning and the first indexing; an update with new, changed, moved and gone files;
learning again. After each kill the library must open whole, and the next run must end in the bytes
of every export that an undisturbed run ends in. Prints a line for each kill.
"""
import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

QUICK = ["--kernel", "simd", "--words-k", "500", "--code-k", "32"]


class Kills:
    def __init__(self, program, photos, folder):
        self.program, self.folder = program, folder
        self.draws = random.Random(45)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.before, self.after, self.live = folder / "before", folder / "after", folder / "live"
        images = sorted(path for path in photos.rglob("*") if path.suffix in (".jpg", ".png"))[:240]
        self.before.mkdir()
        for i, path in enumerate(images):
            place = self.before / str(i % 4) / f"{i}{path.suffix}"
            place.parent.mkdir(exist_ok=True)
            if i % 6:
                shutil.copy(path, place)
        shutil.copytree(self.before, self.after)
        for i, path in enumerate(images):
            place = self.after / str(i % 4) / f"{i}{path.suffix}"
            if i % 6 == 0:
                shutil.copy(path, place)  # new
            elif i % 6 == 1:
                place.unlink()  # gone
            elif i % 6 == 2:
                place.rename(self.after / str((i + 1) % 4) / f"moved{i}{path.suffix}")
            elif i % 6 == 3:
                shutil.copy(images[(i + 1) % len(images)], place)  # changed
        self.live.symlink_to(self.before)

    def show(self, folder):
        self.live.unlink()
        self.live.symlink_to(folder)

    def index(self, library, *arguments):
        return [self.program, "index", "-o", str(library), "--kernel", "simd", *arguments]

    def run(self, command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{command}: {done.stderr}")
        return done

    def exports(self, library):
        sums = []
        for what in ("words", "code"):
            for ending in ("npz", "csv"):
                out = self.folder / f"e.{ending}"
                self.run([self.program, "export", str(library), "--what", what, "-o", str(out)])
                sums.append(hashlib.sha256(out.read_bytes()).hexdigest()[:12])
        return sums

    def kill(self, command, most):
        process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.DEVNULL)
        seconds = self.draws.uniform(0, most)
        try:
            process.wait(seconds)
            ended = f"ended by itself in {seconds:.3f} s"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            ended = f"killed after {seconds:.3f} s"
        return ended

    def whole_run(self, prepare, command, library):
        prepare()
        start = time.monotonic()
        self.run(command)
        return time.monotonic() - start, self.exports(library)

    def series(self, name, kills, prepare, command, library):
        """Kills the command some times in a row, from the same beginning; then lets it end."""
        seconds, expected = self.whole_run(prepare, command, library)
        print(f"{name}: undisturbed {seconds:.2f} s, exports {' '.join(expected)}", flush=True)
        failures = done = 0
        while done < kills:
            prepare()
            for _ in range(self.draws.randrange(1, 4)):
                done += 1
                ended = self.kill(command, seconds)
                if library.exists():
                    self.run([self.program, "status", "--integrity", str(library)])
                print(f"{name}: kill {done}, {ended}", flush=True)
            self.run(command)
            found = self.exports(library)
            left = [path.name for path in self.folder.glob(f"{library.name}-*")]
            if found != expected or left:
                failures += 1
                print(f"{name}: DIFFERENT {found} {left}", flush=True)
        return failures


def main():
    kills = Kills(sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve())
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    first, library = kills.folder / "first.bow", kills.folder / "p.bow"

    def nothing():
        kills.show(kills.before)
        for path in kills.folder.glob("p.bow*"):
            path.unlink()

    def indexed():
        kills.show(kills.after)
        for path in kills.folder.glob("p.bow*"):
            path.unlink()
        shutil.copy(first, library)

    failures = kills.series("learn and index", count * 2 // 5, nothing, kills.index(library, *QUICK[2:], "live"), library)
    shutil.copy(library, first)
    failures += kills.series("update", count * 2 // 5, indexed, kills.index(library), library)
    failures += kills.series("learn again", count - 2 * (count * 2 // 5), indexed,
                             kills.index(library, "--relearn", *QUICK[2:], "--seed", "2"), library)
    print(f"{failures} of {count} kills ended in other bytes")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
