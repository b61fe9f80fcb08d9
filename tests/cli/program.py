"""What the tests of the command line share: the program, a scratch folder, pictures and descriptors.

The program under test is named by the environment variable BOWHIST. What auto measures is kept in a
cache folder of the test run, not in the user's; PoCL keeps its compiled kernels where it always does.
"""
import atexit
import fcntl
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

import numpy

POCL_CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "pocl", "kcache")
if os.path.isdir(POCL_CACHE):
    os.environ.setdefault("POCL_CACHE_DIR", POCL_CACHE)
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="bowhist-test-cache-")
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)


def levels(everywhere=False):
    """The levels that the program lists: those that run here, or all."""
    listed = subprocess.run([os.environ["BOWHIST"], "kernels"], check=True, capture_output=True, text=True).stdout
    lines = [line for line in listed.splitlines() if not line.startswith("auto")]
    rows = [line.split()[0] for line, next_line in zip(lines, [*lines[1:], ""])
            if not line.startswith(" ") and (everywhere or "not here:" not in next_line)]
    assert "serial" in rows and "gpu1" in rows, listed
    return rows


def write_picture(path, seed, width=240, height=180):
    """A grey picture (PGM) with corners and edges enough for more than 50 keypoints."""
    random = numpy.random.default_rng(seed)
    pixels = numpy.full((height, width), 128, numpy.uint8)
    for _ in range(60):
        x, y = random.integers(0, width - 12), random.integers(0, height - 12)
        w, h = random.integers(8, 40, size=2)
        pixels[y : y + h, x : x + w] = random.integers(0, 256)
    pathlib.Path(os.fsdecode(path)).write_bytes(b"P5\n%d %d\n255\n" % (width, height) + pixels.tobytes())


def write_vocabulary(path, centroids):
    centroids = numpy.asarray(centroids, "<f4")
    pathlib.Path(path).write_bytes(struct.pack("<II", *centroids.shape) + centroids.tobytes())


def wait_until_it_listens(process):
    """Returns when the program catches interruptions, which it does from early on."""
    status = pathlib.Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt"))
        if int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1:
            return
        time.sleep(0.001)


def wait_until_it_reads_on(process):
    """Returns when the program has read all that its standard input, a pipe, holds, and waits for more."""
    stat = pathlib.Path(f"/proc/{process.pid}/stat")
    while process.poll() is None:
        unread = struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)))[0]
        if unread == 0 and stat.read_text().rpartition(")")[2].split()[0] == "S":  # sleeps
            return
        time.sleep(0.001)


# A driver without a device, that notes each process that loads it, and then does what it is asked for.
DRIVER = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int within(const char *program) { return strcmp(program_invocation_short_name, program) == 0; }
static void note(void) {
    int log = open(LOG, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (write(log, within("bowhist") ? "b" : "t", 1) < 0) _exit(99);
    close(log);
}
__attribute__((constructor)) static void start(void) {
    note();
    CONSTRUCTOR;
}
int clIcdGetPlatformIDsKHR(unsigned room, void **ids, unsigned *there) {
    ASKED;
    if (there) *there = 0;
    return -1001;
}
void *clGetExtensionFunctionAddress(const char *name) {
    return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *)clIcdGetPlatformIDsKHR : 0;
}
int clGetPlatformInfo(void) { return -30; }
"""

# What a run over INPUTs ends with, whatever happened to them.
LAST_LINE = re.compile(r"bowhist: (\d+) read, (\d+) skipped, (\d+) ignored(?:: [^\n]{,160})?, ([0-9.]+) s\n?")
# What it ends with where no input could be used.
NOTHING_USED = "bowhist: none of the inputs could be used, so nothing is written; the lines above say why\n"
# What cluster ends with.
GROUPED = re.compile(r"bowhist: (\d+) pictures? in (\d+) groups?, [0-9.]+ s\n?")


def complaints(stderr):
    """The lines of standard error but for what a run ends with."""
    lines = stderr.decode(errors="replace").splitlines(keepends=True)
    ended = lines and (LAST_LINE.fullmatch(lines[-1]) or GROUPED.fullmatch(lines[-1]) or lines[-1] == NOTHING_USED)
    return lines[:-1] if ended else lines


class ProgramTest(unittest.TestCase):
    def prepare(self):
        """Makes files and values, once for a class: each of its tests begins with copies of the files."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="bowhist-test-")
        cls.addClassCleanup(folder.cleanup)
        first = cls()
        cls.prepared = first.folder = pathlib.Path(folder.name)
        others = set(vars(first))
        first.prepare()
        cls.values = {name: value for name, value in vars(first).items() if name not in others}

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bowhist-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copytree(self.prepared, self.folder, symlinks=True, dirs_exist_ok=True)  # with the times of files
        vars(self).update(self.values)

    def run_program(self, *arguments, status=0, environment=None, **options):
        """Runs the program in the scratch folder; its exit status must be `status`."""
        done = subprocess.run(
            [os.environ["BOWHIST"], *arguments],
            cwd=self.folder,
            env={**os.environ, **(environment or {})},
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            timeout=300,
            **options,
        )
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr!r}")
        return done

    def run_with_gpu(self, *arguments, status=0, icd=None):
        """Runs the program where the kernel shows a GPU of NVIDIA's, with `icd` alone registered. @return what it says"""
        icds = self.folder / "icds"
        icds.mkdir(exist_ok=True)
        if icd:
            (icds / "nvidia.icd").write_text(icd)
        # a /dev of our own, with a GPU in it
        script = ("mkdir dev && mount -t tmpfs none dev || exit 77; touch dev/nvidia0; "
                  "for n in null zero urandom; do touch dev/$n && mount --bind /dev/$n dev/$n || exit 77; done; "
                  "mount --move dev /dev || mount --bind dev /dev || exit 77; exec \"$@\"")
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", os.environ["BOWHIST"], *arguments], cwd=self.folder,
                              env={**os.environ, "OCL_ICD_VENDORS": str(icds),
                                   "XDG_CACHE_HOME": tempfile.mkdtemp(dir=self.folder)}, capture_output=True)
        (self.folder / "dev").rmdir()
        if done.returncode == 77 or done.stderr.startswith(b"unshare"):
            self.skipTest("no file system may be mounted here")
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr.decode()

    def build_driver(self, name, log, constructor="", asked=""):
        """@return its library"""
        library, source = self.folder / f"lib{name}.so", self.folder / f"{name}.c"
        source.write_text(DRIVER)
        subprocess.run(["cc", "-w", "-shared", "-fPIC", f'-DLOG="{log}"', f"-DCONSTRUCTOR={constructor}", f"-DASKED={asked}", "-o",
                        library, source], check=True)
        return str(library)

    def peak(self, *call):
        """The most MiB that the program holds at a time."""
        program = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)")
        return float(subprocess.run([sys.executable, "-c", program, os.environ["BOWHIST"], *call], cwd=self.folder, check=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)

    def assert_one_line(self, stderr, *words):
        """Standard error complains in one line that holds each of `words`."""
        text = "".join(complaints(stderr))
        self.assertEqual(text.count("\n"), 1, text)
        self.assertTrue(text.startswith("bowhist: "), text)
        for word in words:
            self.assertIn(word, text)

    def write_pictures(self, names, *size):
        for seed, name in enumerate(names):
            write_picture(self.folder / name, seed, *size)

    def write_descriptors(self, name, n, dimensions=64, seed=0):
        values = numpy.random.default_rng(seed).standard_normal((n, dimensions)).astype("<f4")
        numpy.save(self.folder / name, values)
        return values

    def write_centroids(self, name="c.bin", k=32, dimensions=64, seed=1):
        values = numpy.random.default_rng(seed).standard_normal((k, dimensions)).astype("<f4")
        write_vocabulary(self.folder / name, values)
        return values
