"""Every kernel of cl/ is clean under oclgrind: nothing read or written out of bounds, no data race.

Runs the test cases tagged [oclgrind], which are small, on oclgrind's simulated device. Each names the
files that it runs as tags ([scan_tree.cl]); a file that none names is a failure, so that a new kernel
cannot be forgotten. oclgrind's exit status does not say what it found: its log does. Each case has a
process of its own: in one that has made several devices oclgrind 21.10 no longer sees every race.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TESTS = pathlib.Path(os.environ["BOWHIST_TESTS"])
OCLGRIND = shutil.which("oclgrind")

KERNELS = {path.name: path for path in sorted((SOURCE / "cl").rglob("*")) if path.is_file()}

# Kernels that oclgrind cannot run, each with the reason.
EXCLUDED = {
    "gpu7.cl": "inline PTX",
    "gpu7_wgmma.cl": "inline PTX",
    "peak_matrix.cl": "inline PTX",
    "probe_wgmma.cl": "inline PTX",
}


def has_kernel(path):
    """Of its own, or one that it includes."""
    text = path.read_text()
    return bool(re.search(r"^(__)?kernel\b", text, re.M)) or any(
        has_kernel(KERNELS[name]) for name in re.findall(r'^#include "(.+)"', text, re.M))


def kernel_files():
    """The files of cl/ with a kernel in them; the others are only included."""
    return {name for name, path in KERNELS.items() if has_kernel(path)}


def tagged_files():
    listed = subprocess.run([TESTS, "--list-tags", "[oclgrind]"], capture_output=True, text=True)
    return set(re.findall(r"\[(\w+\.cl)\]", listed.stdout))


def cases():
    listed = subprocess.run([TESTS, "--list-test-names-only", "[oclgrind]"], capture_output=True,
                            text=True)
    return listed.stdout.splitlines()


def run_under_oclgrind(selection):
    """What the tests' exit status is, what they said, and what oclgrind found."""
    with tempfile.NamedTemporaryFile("r", suffix=".log") as log:
        command = [OCLGRIND, "--data-races", "--check-api", "--max-errors", "20",
                   "--log", log.name, TESTS, selection]
        ran = subprocess.run(command, capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr, log.read().strip()


@unittest.skipIf(OCLGRIND is None, "oclgrind is not here; install the package oclgrind")
class Oclgrind(unittest.TestCase):
    def test_every_kernel_is_run(self):
        self.assertEqual(kernel_files() - tagged_files(), set(EXCLUDED),
                         "tag a small test case with [oclgrind] and the file's name")
        self.assertEqual(tagged_files() - kernel_files(), set(), "tagged, but not in cl/")

    def test_every_kernel_is_clean(self):
        for case in cases():
            with self.subTest(case):
                status, said, found = run_under_oclgrind(case.replace(",", "\\,"))
                self.assertEqual(found, "")
                self.assertEqual(status, 0, said)
                self.assertIn("All tests passed", said)

    def test_a_planted_fault_of_each_kind_is_found(self):
        for fault, message in (("beyond the end", "Invalid write"), ("data race", "data race")):
            _, said, found = run_under_oclgrind(f"oclgrind finds: {fault}")
            self.assertIn(message, found, said)


if __name__ == "__main__":
    if OCLGRIND is None:
        print("skipped: oclgrind is not here; install the package oclgrind")
        sys.exit(77)
    unittest.main()
