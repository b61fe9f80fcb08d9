#!/usr/bin/env python3
"""Updates a library while the machine fails, and compares what an undisturbed run ends in with a fresh library.

    tests/measure/library_failures.py BOWHIST FOLDER [UPDATES [SEED]]

FOLDER is emptied. Draws pictures of many kinds, some of them damaged, into three roots. Files are added, changed,
touched, moved and deleted before and during each of UPDATES (200), which one or two failures meet: decoders killed, the
codecs' library hidden, little memory, few open files, a full disk, a file that may not grow, a disk that is away, EIO
from photos, folders or the library, the program killed or ended. After every tenth an undisturbed run must end in the
exports, answers, contents and reasons of a fresh library. Prints a line for each update. Fills a disk only as root.
"""
import collections
import contextlib
import hashlib
import io
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

from PIL import Image, ImageFilter

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from isolation_test import running_in  # noqa: E402
from program import write_picture  # noqa: E402

ROOTS = ("a", "b", "disk")
AT_ONCE = 10  # updates before an undisturbed one
LONGEST = 120  # seconds of a run
ROOM = 64 << 20  # bytes of the disk that holds the library

# Fails each EVERY-th call on average whose file lies in PLACE.
SHIM = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int fails(int file) {
    static __thread unsigned state = 0;
    char link[64], path[4096];
    int was = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = was;
    if (length < 0) return 0;
    path[length] = 0;
    if (!strstr(path, getenv("PLACE"))) return 0;
    if (!state) state = (unsigned)atoi(getenv("SEED")) + (unsigned)gettid();
    return rand_r(&state) % (unsigned)atoi(getenv("EVERY")) == 0;
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILING(type, name, file, failed, given, ...) \
    type name given { if (fails(file)) { errno = EIO; return failed; } return REAL(name)(__VA_ARGS__); }
FAILING(ssize_t, read, f, -1, (int f, void *to, size_t n), f, to, n)
FAILING(ssize_t, pread, f, -1, (int f, void *to, size_t n, off_t at), f, to, n, at)
FAILING(ssize_t, pread64, f, -1, (int f, void *to, size_t n, off64_t at), f, to, n, at)
FAILING(ssize_t, write, f, -1, (int f, const void *from, size_t n), f, from, n)
FAILING(ssize_t, pwrite, f, -1, (int f, const void *from, size_t n, off_t at), f, from, n, at)
FAILING(ssize_t, pwrite64, f, -1, (int f, const void *from, size_t n, off64_t at), f, from, n, at)
FAILING(int, fsync, f, -1, (int f), f)
FAILING(int, fdatasync, f, -1, (int f), f)
FAILING(int, ftruncate, f, -1, (int f, off_t n), f, n)
FAILING(int, ftruncate64, f, -1, (int f, off64_t n), f, n)
FAILING(struct dirent *, readdir, dirfd(d), NULL, (DIR *d), d)
FAILING(struct dirent64 *, readdir64, dirfd(d), NULL, (DIR *d), d)
static size_t fails_stream(FILE *from) {
    if (!fails(fileno(from))) return 0;
    from->_flags |= 0x20; /* _IO_ERR_SEEN, as ferror tells */
    errno = EIO;
    return 1;
}
size_t fread(void *to, size_t size, size_t n, FILE *from) {
    return fails_stream(from) ? 0 : REAL(fread)(to, size, n, from);
}
size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *from) {
    return fails_stream(from) ? 0 : REAL(fread)(to, size, n, from);
}
"""


class Files:
    """The pictures of all roots, and what befalls them."""

    def __init__(self, live, draws):
        self.live, self.draws, self.made = live, draws, 0
        for root in ROOTS:
            (live / root / "trip").mkdir(parents=True)
        for _ in range(90):
            self.add()

    def drawn(self):
        """The bytes of a new picture, sometimes of a damaged one, and its ending."""
        draws = self.draws
        self.made += 1
        ending = draws.choice((".png", ".jpg", ".jpg", ".gif", ".webp", ".tif", ".pgm"))
        plain = self.live / ".drawn.pgm"
        write_picture(plain, self.made, draws.randrange(120, 480), draws.randrange(90, 360))
        picture = Image.open(plain).filter(ImageFilter.GaussianBlur(draws.random()))
        if ending in (".png", ".jpg", ".webp", ".tif") and draws.random() < 0.5:
            picture = Image.merge("RGB", (picture, picture.rotate(180), picture))
        plain.unlink()
        saved = io.BytesIO()
        picture.save(saved, {".jpg": "JPEG", ".tif": "TIFF", ".pgm": "PPM"}.get(ending, ending[1:]))
        whole = saved.getvalue()
        half = len(whole) // 2
        fault = draws.random()
        if fault < 0.04:
            whole = whole[:half]
        elif fault < 0.08:
            whole = whole[:half] + bytes(64) + whole[half + 64:]
        elif fault < 0.10:
            whole = draws.choice((b"", b"no picture"))
        return whole, ending

    def all(self):
        return sorted(path for path in self.live.glob("*/**/*") if path.is_file())

    def place(self, ending):
        folder = self.live / self.draws.choice(ROOTS) / self.draws.choice(("", "trip"))
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{self.draws.randrange(10**6)}{ending}"

    def add(self):
        whole, ending = self.drawn()
        self.place(ending).write_bytes(whole)

    def copy(self, path):
        shutil.copy2(path, self.place(path.suffix))

    def link(self, path):
        os.link(path, self.place(path.suffix))

    def change(self, path):
        path.write_bytes(self.drawn()[0])

    def edit(self, path):
        """As exiftool -P does: size and time stay."""
        before, whole = path.stat(), path.read_bytes()
        path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]) if whole else whole)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def touch(self, path):
        path.touch()

    def move(self, path):
        path.rename(self.place(path.suffix))

    def swap(self, path):
        other, between = self.draws.choice(self.all()), path.with_name("between")
        path.rename(between)
        with contextlib.suppress(FileNotFoundError):  # it may be the same
            other.rename(path)
        between.rename(other)

    def delete(self, path):
        if len(list(path.parent.iterdir())) > 2:  # an empty folder keeps its pictures
            path.unlink()

    def befall(self, count):
        for _ in range(count):
            what = self.draws.choice((self.copy, self.link, self.change, self.edit, self.touch, self.move, self.swap, self.delete, self.delete))
            self.add() if self.draws.random() < 0.3 else what(self.draws.choice(self.all()))


class Failures:
    """What can befall a run: each gives its environment, limits, and what works while it does."""

    def __init__(self, folder, draws):
        self.folder, self.draws = folder, draws
        self.live, self.library = folder / "live", folder / "library"
        (folder / "hidden").mkdir()
        (folder / "hidden" / "libheif.so.1").touch()  # the module of all codecs loads it
        (folder / "shim.c").write_text(SHIM)
        subprocess.run(["cc", "-w", "-O1", "-shared", "-fPIC", "-o", folder / "shim.so", folder / "shim.c"], check=True)
        self.kinds = [self.decoders_killed, self.codecs_hidden, self.little_memory, self.few_files, self.may_not_grow, self.disk_away,
                      self.photos_fail, self.library_fails, self.killed, self.killed]
        if os.geteuid() == 0:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "none", self.library], check=True)
            self.kinds.append(self.full_disk)

    def decoders_killed(self, run):
        pauses = [self.draws.uniform(0, 0.05) for _ in range(self.draws.randrange(1, 20))]

        def kill(process):
            for pause in pauses:
                time.sleep(pause)
                for worker in set(running_in(process.pid)) - {str(process.pid)}:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(worker), signal.SIGKILL)

        run.meanwhile.append(kill)

    def codecs_hidden(self, run):
        run.environment["LD_LIBRARY_PATH"] = str(self.folder / "hidden")

    def little_memory(self, run):
        run.limits[resource.RLIMIT_AS] = self.draws.randrange(150, 400) << 20

    def few_files(self, run):
        run.limits[resource.RLIMIT_NOFILE] = self.draws.randrange(5, 40)

    def may_not_grow(self, run):
        run.limits[resource.RLIMIT_FSIZE] = self.draws.randrange(1, 2 * (self.library / "p.bow").stat().st_size)

    def full_disk(self, run):
        filler = self.library / "filler"
        room = os.statvfs(self.library)
        with filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(room.f_bavail * room.f_frsize - self.draws.randrange(400) * 1024, 1))
        if self.draws.random() < 0.5:
            run.environment["TMPDIR"] = str(self.library)
        run.after.append(filler.unlink)

    def disk_away(self, run):
        disk, away = self.live / "disk", self.folder / "away"
        instead = self.draws.choice(("nothing", "an empty folder", "a stray file"))

        def go():
            disk.rename(away)
            if instead != "nothing":
                disk.mkdir()
            if instead == "a stray file":
                (disk / "readme.txt").write_text("mount here")

        def come_back():
            shutil.rmtree(disk, ignore_errors=True)
            away.rename(disk)

        if self.draws.random() < 0.5:
            go()
        else:
            pause = self.draws.uniform(0, 0.2)
            run.meanwhile.append(lambda process: (time.sleep(pause), go()))
        run.after.append(come_back)

    def fail_in(self, run, place, every):
        run.environment.update({"LD_PRELOAD": str(self.folder / "shim.so"), "PLACE": str(place), "EVERY": str(every),
                                "SEED": str(self.draws.randrange(10**6))})

    def photos_fail(self, run):
        self.fail_in(run, self.live, self.draws.choice((1, 3, 30, 300)))

    def library_fails(self, run):
        self.fail_in(run, self.library, self.draws.choice((1, 30, 300, 3000)))

    def killed(self, run):
        number = self.draws.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
        pause = self.draws.uniform(0, run.usual)

        def kill(process):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(pause)
            process.send_signal(number)

        run.meanwhile.append(kill)


class Run:
    """One update, and what befalls it."""

    def __init__(self, usual):
        self.usual = usual
        self.environment, self.limits, self.meanwhile, self.after = {}, {}, [], []

    def limit(self):
        for kind, most in self.limits.items():
            resource.setrlimit(kind, (most, most))

    def start(self, command, folder):
        """@return its status, and what it said"""
        process = subprocess.Popen(command, cwd=folder, preexec_fn=self.limit, env={**os.environ, **self.environment},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        threads = [threading.Thread(target=work, args=(process,)) for work in self.meanwhile]
        for thread in threads:
            thread.start()
        try:
            said = process.communicate(timeout=LONGEST)[1]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise SystemExit(f"endless: {command}")
        for thread in threads:
            thread.join()
        for end in self.after:
            end()
        return process.returncode, said.decode(errors="replace")


class Updates:
    def __init__(self, program, folder, seed):
        self.program, self.folder, self.draws = program, folder, random.Random(seed)
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "library").mkdir(parents=True)
        self.files = Files(folder / "live", self.draws)
        self.failures = Failures(folder, self.draws)
        self.counts, self.statuses = collections.Counter(), collections.Counter()
        self.roots = [f"live/{root}" for root in ROOTS]
        self.run("index", "-q", "-o", "models.bow", "--kernel", "simd", "--words-k", "300", "--code-k", "32", *self.roots)
        self.make("library/p.bow")
        self.usual = 1.0  # seconds of an update

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True, timeout=LONGEST, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{arguments}: {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout

    def make(self, library):
        self.run("index", "-q", "-o", library, "--kernel", "simd", "--centroids", "models.bow", *self.roots)

    def held(self, library):
        """What a library says of the files that are there."""
        found = {"answers": self.run("search", "-q", library, "--all", "--check", "--kernel", "simd")}
        for what in ("words", "code"):
            for ending in ("csv", "npz", "jsonl"):
                out = self.folder / f"e.{ending}"
                self.run("export", "-q", library, "--what", what, "-o", str(out))
                found[f"{what}.{ending}"] = out.read_bytes()
        found = {name: [hashlib.sha256(all_).hexdigest()[:12]] for name, all_ in found.items()}
        status = json.loads(self.run("status", "--json", "--integrity", library))
        found["skips"] = sorted((skip["path"], skip["reason"]) for skip in status["skips"])
        found["counts"] = [f"{name} {status[name]}" for name in ("images", "paths", "damages")]
        with contextlib.closing(sqlite3.connect(f"file:{self.folder / library}?mode=ro", uri=True)) as opened:
            found["contents"] = opened.execute(
                "SELECT hex(hash), width, height, captured, skipped, frames, color, orientation, metadata FROM contents "
                "WHERE id IN (SELECT content FROM files WHERE gone IS NULL) ORDER BY hash").fetchall()
        return found

    def disturbed(self, number):
        run = Run(self.usual)
        self.files.befall(self.draws.randrange(12))
        failures = self.draws.sample(self.failures.kinds, self.draws.choice((1, 1, 2)))
        names = sorted({failure.__name__ for failure in failures})
        for failure in failures if len(names) == len(failures) else failures[:1]:
            failure(run)
        if self.draws.random() < 0.5 and "disk_away" not in names:
            count, pause = self.draws.randrange(1, 6), self.draws.uniform(0, self.usual / 2)
            run.meanwhile.append(lambda process: (time.sleep(pause), self.files.befall(count)))
            names.append("files change")
        command = [self.program, "index", "-o", "library/p.bow", "--kernel", "simd"]
        command += self.draws.choice(([], [], [], ["--forget"], ["--retry"], self.draws.sample(self.roots, 1)))
        start = time.monotonic()
        status, said = run.start(command, self.folder)
        if status in (0, 1):
            self.usual = time.monotonic() - start
        self.counts.update(names)
        self.statuses[status] += 1
        last = said.splitlines()[-1:] or [""]
        print(f"{number}: {', '.join(names)}: status {status}, {last[0][:150]}", flush=True)
        if status not in (0, 1, 3, 127, 130, 143, -signal.SIGKILL, -signal.SIGTERM):
            raise SystemExit(f"{command}: {status}: {said}")

    def is_as_fresh(self):
        self.make("library/p.bow")
        (self.folder / "fresh.bow").unlink(missing_ok=True)
        self.make("fresh.bow")
        left = [path.name for path in (self.folder / "library").iterdir() if path.name != "p.bow"]
        found, expected = self.held("library/p.bow"), self.held("fresh.bow")
        for name, value in expected.items():
            if found[name] != value:
                print(f"DIFFERENT {name}: {set(found[name]) - set(value)} for {set(value) - set(found[name])}", flush=True)
        print(f"undisturbed: {', '.join(expected['counts'])}, {len(expected['skips'])} skipped, left {left}", flush=True)
        return found == expected and not left


def main():
    program, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    count, seed = (int(sys.argv[i]) if len(sys.argv) > i else given for i, given in ((3, 200), (4, 65)))
    updates = Updates(program, folder, seed)
    different = compared = 0
    for number in range(1, count + 1):
        updates.disturbed(number)
        if number % AT_ONCE == 0 or number == count:
            compared += 1
            different += not updates.is_as_fresh()
    print("failures: " + ", ".join(f"{name} {times}" for name, times in updates.counts.most_common()))
    print("statuses: " + ", ".join(f"{status} {times}" for status, times in updates.statuses.most_common()))
    print(f"{different} of {compared} undisturbed runs, after {count} updates, ended in other bytes")
    return different > 0


if __name__ == "__main__":
    if os.geteuid() == 0 and "BOWHIST_OWN_MOUNTS" not in os.environ:  # the disk that is filled goes with them
        os.execvpe("unshare", ["unshare", "-m", sys.executable, *sys.argv], {**os.environ, "BOWHIST_OWN_MOUNTS": "1"})
    sys.exit(main())
