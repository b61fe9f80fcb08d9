"""Kills `index` at random moments while the index of search is appended and merged, and compares answers.

    tests/measure/search_kills.py BOWHIST PHOTOS FOLDER [KILLS]

PHOTOS is a folder of some hundred images; FOLDER is emptied. The images come in ten portions, each an `index` of its
own that is killed some times, KILLS (50) in all; some portions go again. After each kill the library must be whole, and
`search --all` must work; when the run has ended, its answers must be those of a library that was made at once. Prints a
line for each kill.
"""
import hashlib
import pathlib
import random
import shutil
import subprocess
import sys
import time

PORTIONS = 10


class Kills:
    def __init__(self, program, photos, folder):
        self.program, self.folder, self.draws = program, folder, random.Random(46)
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "live").mkdir(parents=True)
        self.images = sorted(path for path in photos.rglob("*") if path.suffix in (".jpg", ".png"))[:200]

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, check=False)
        is_empty = b"holds no picture" in done.stderr  # killed before the first
        if done.returncode not in (0, 1) and not is_empty:
            raise SystemExit(f"{arguments}: {done.stderr.decode()}")
        return done.stdout

    def index(self, library, *arguments):
        return ["index", "-q", "-o", library, "--kernel", "simd", "--forget", "--yes", "--centroids", "models.bow", *arguments, "live"]

    def answers(self, library):
        found = self.run("search", "-q", library, "--all", "--check", "--kernel", "simd")
        return hashlib.sha256(found).hexdigest()[:12]

    def portion(self, number):
        return self.images[number::PORTIONS]

    def show(self, number):
        for path in self.portion(number):
            shutil.copy(path, self.folder / "live" / f"{self.images.index(path)}{path.suffix}")
        if number % 4 == 3:  # an earlier one goes again
            for path in self.portion(number - 2):
                (self.folder / "live" / f"{self.images.index(path)}{path.suffix}").unlink()

    def kill(self, most):
        process = subprocess.Popen([self.program, *self.index("p.bow")], cwd=self.folder, stderr=subprocess.DEVNULL)
        seconds = self.draws.uniform(0, most)
        try:
            process.wait(seconds)
            return f"ended by itself in {seconds:.3f} s"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return f"killed after {seconds:.3f} s"


def main():
    kills = Kills(sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve())
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 50
    library, fresh = kills.folder / "p.bow", kills.folder / "fresh.bow"
    for path in kills.images[:40]:
        shutil.copy(path, kills.folder / "live")
    kills.run("index", "-q", "-o", "models.bow", "--kernel", "simd", "--words-k", "2000", "--code-k", "32", "live")
    for path in kills.images[:40]:
        (kills.folder / "live" / path.name).unlink()
    failures = done = 0
    for number in range(PORTIONS):
        kills.show(number)
        fresh.unlink(missing_ok=True)
        begin = time.monotonic()
        kills.run(*kills.index("fresh.bow"))
        seconds = (time.monotonic() - begin) / (1 + number / 3)
        expected = kills.answers("fresh.bow")
        for _ in range(count * (number + 1) // PORTIONS - done):
            done += 1
            ended = kills.kill(seconds)
            if library.exists():
                kills.answers("p.bow")
                kills.run("status", "--integrity", "p.bow")
            print(f"kill {done}, {ended}", flush=True)
        kills.run(*kills.index("p.bow"))
        found = kills.answers("p.bow")
        left = [path.name for path in kills.folder.glob("p.bow-*")]
        kills.run("status", "--integrity", "p.bow")
        print(f"portion {number}: expected {expected}, found {found}", flush=True)
        if found != expected or left:
            failures += 1
            print("DIFFERENT", left, flush=True)
    print(f"{failures} of {PORTIONS} portions, after {done} kills, ended in other answers")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
