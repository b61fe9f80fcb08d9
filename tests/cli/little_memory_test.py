"""Where memory is short, by a limit of the process or of a control group, less is taken at a time."""
import os
import pathlib
import re
import resource
import subprocess
import unittest

import numpy
from PIL import Image

from program import ProgramTest, complaints

MIB = 1 << 20


def group_of_memory():
    """Where the control group of memory is mounted, its path below, and whether it is of version 2."""
    groups = dict(line.split(":", 2)[1:] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines())
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, kind = line.partition(" - ")
        kind, _, options = kind.split()[:3]
        root, point = mount.split()[3:5]
        controllers = next((c for c in groups if "memory" in c.split(",")), None)
        if kind == "cgroup" and controllers is not None and "memory" in options.split(","):
            return point, os.path.relpath(groups[controllers], root), False
        if kind == "cgroup2" and controllers is None:
            return point, os.path.relpath(groups[""], root), True
    return None


class LittleMemory(ProgramTest):
    def prepare(self):
        rows = numpy.random.default_rng(1).standard_normal((40000, 64), "f4")
        numpy.save(self.folder / "d.npy", rows)  # 10 MiB
        self.write_pictures([f"{i}.pgm" for i in range(8)], 1000, 800)
        Image.new("L", (64, 64)).save(self.folder / "0.gif")

    def within_process(self, mebibytes, *call, status=0):
        return self.run_program(*call, status=status, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (mebibytes * MIB,) * 2))

    def within_group(self, mebibytes, *call, status=0):
        """With a control group that says it has so much. @return what is said, and the most MiB that the program held"""
        found = group_of_memory()
        if not found:
            self.skipTest("no control group of memory is mounted here")
        point, path, is_v2 = found
        folder = self.folder / "group" / path
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ("memory.max" if is_v2 else "memory.limit_in_bytes")).write_text(f"{mebibytes * MIB}\n")
        program = ("import resource, subprocess, sys; done = subprocess.run(sys.argv[1:]); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024); sys.exit(done.returncode)")
        done = subprocess.run(["unshare", "-m", "sh", "-c", f"mount --bind '{self.folder}/group' '{point}' || exit 77; exec \"$@\"", "sh",
                               "/usr/bin/python3", "-c", program, os.environ["BOWHIST"], *call], cwd=self.folder, capture_output=True)
        if done.returncode == 77 or done.stderr.startswith(b"unshare"):
            self.skipTest("no file system may be mounted here")
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr, int(done.stdout.split()[-1])

    def test_a_training_takes_a_smaller_sample(self):
        call = ["train", "-k", "64", "--kernel", "simd", "--iterations", "3", "-o", "c.bin"]
        said, peak = self.within_group(120, *call, *["d.npy"] * 50)
        self.assert_one_line(said, "warning: learning from ", " of 2000000 descriptors")
        self.assertLess(peak, 150)
        drawn = int(re.search(rb"from (\d+) of", said)[1])
        self.assertTrue(50000 < drawn < 400000, drawn)
        self.assertEqual((self.folder / "c.bin").stat().st_size, 8 + 64 * 256)
        learned = (self.folder / "c.bin").read_bytes()
        self.run_program(*call, "--sample", str(drawn), *["d.npy"] * 50)
        self.assertEqual((self.folder / "c.bin").read_bytes(), learned)  # as if it had been asked for

    def test_what_fits_is_not_lessened(self):
        call = ["train", "-k", "8", "--kernel", "simd", "--iterations", "1", "-o", "c.bin", *[f"{i}.pgm" for i in range(2)]]
        self.run_program(*call)
        learned = (self.folder / "c.bin").read_bytes()
        said, _ = self.within_group(200, *call)
        self.assertEqual(complaints(said), [])
        self.assertEqual((self.folder / "c.bin").read_bytes(), learned)

    def test_too_little_is_one_line(self):
        said, _ = self.within_group(20, "train", "-k", "20000", "--kernel", "simd", "-o", "c.bin", "d.npy", status=3)
        self.assert_one_line(said, "to learn 20000 words takes ", "M of memory", "give it more memory")

    def test_rows_are_the_same(self):
        self.run_program("train", "-k", "64", "--kernel", "simd", "--iterations", "2", "-o", "c.bin", "0.pgm")
        pictures = [f"{i}.pgm" for i in range(8)] * 4
        for kernel, mebibytes in (("simd", 30), ("gpu4", 150)):
            call = ["--centroids", "c.bin", "--kernel", kernel, *pictures]
            ample = self.run_program(*call, "-o", "ample.csv")
            said, _ = self.within_group(mebibytes, *call, "-o", "little.csv")
            self.assertEqual((self.folder / "little.csv").read_bytes(), (self.folder / "ample.csv").read_bytes())
            self.assertEqual(complaints(said), [])
        said, _ = self.within_group(60, *call, "--device", "cpu", "-o", "little.csv", status=3)
        self.assert_one_line(said, "compiling kernels takes some 128 MiB of memory, and ", "--kernel simd")

    def test_a_limit_of_the_process_holds(self):
        said = self.within_process(250, "train", "-k", "64", "--kernel", "simd", "--iterations", "2", "-o", "c.bin", *["d.npy"] * 50).stderr
        self.assert_one_line(said, "warning: learning from ", " of 2000000 descriptors")

    def test_nothing_is_to_be_installed_for_want_of_memory(self):
        for mebibytes in range(40, 200, 10):
            limit = (mebibytes * MIB, mebibytes * MIB)
            with self.subTest(mebibytes):
                for call in (["status", "none.bow"], ["extract", "-o", "d", "0.gif"]):
                    done = subprocess.run([os.environ["BOWHIST"], *call], cwd=self.folder, capture_output=True,
                                          preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, limit))
                    self.assertNotIn(b"install", done.stderr)


if __name__ == "__main__":
    unittest.main()
