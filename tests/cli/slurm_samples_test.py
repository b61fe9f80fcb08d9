"""The scripts of samples/slurm: what they call, by commands that stand for Slurm's and the program.

tests/slurm/run.sh runs them on a cluster.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples/slurm"
SCRIPTS = sorted([*SAMPLES.glob("*.sh"), *SAMPLES.parents[1].glob("tests/slurm/*.sh")])

# Notes its call, and prints and returns what is asked for.
STAND_IN = """#!/bin/bash
printf '%s' "$(basename "$0")" >> "$CALLS"
printf '|%s' "$@" >> "$CALLS"
echo >> "$CALLS"
[ "$(basename "$0")" != sbatch ] || echo "7;cluster"
exit "${STATUS:-0}"
"""


class Samples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="bowhist-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("srun", "sbatch", "bowhist"):
            path = self.folder / name
            path.write_text(STAND_IN)
            path.chmod(0o755)

    def calls(self, script, *arguments, status=0, **environment):
        record = self.folder / "calls"
        record.write_text("")
        done = subprocess.run([SAMPLES / script, *arguments], capture_output=True, env={
            **os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "CALLS": str(record), "SLURM_CPUS_PER_TASK": "4",
            "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "5", **environment})
        self.assertEqual(done.returncode, status, done.stderr)
        return [line.split("|") for line in record.read_text().splitlines()]

    def test_they_parse(self):
        self.assertGreater(len(SCRIPTS), 4)
        for script in SCRIPTS:
            subprocess.run(["bash", "-n", script], check=True)
            self.assertTrue(os.access(script, os.X_OK), script)

    @unittest.skipUnless(shutil.which("shellcheck"), "shellcheck is not installed")
    def test_shellcheck_finds_nothing(self):
        done = subprocess.run(["shellcheck", *SCRIPTS], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_what_they_call(self):
        self.assertEqual(self.calls("train.sh", "c.bin", "my photos", K="64"),
                         [["srun", "--mpi=pmix", "bowhist", "train", "-k", "64", "-j", "4", "-o", "c.bin", "my photos"]])
        self.assertEqual(self.calls("index.sh", "p", "c.bin", "list"),
                         [["bowhist", "index", "--shard", "3/5", "-j", "4", "--centroids", "c.bin", "-o", "p.3.bow", "--files-from", "list"]])
        self.assertEqual(self.calls("merge.sh", "p", "3"), [["bowhist", "merge", "-o", "p.bow", "p.1.bow", "p.2.bow", "p.3.bow"]])
        submitted = self.calls("submit.sh", "p", "c.bin", "list", "3")
        self.assertEqual([call[1:3] for call in submitted], [["--parsable", "--array=1-3"], ["--dependency=afterok:7", "--kill-on-invalid-dep=yes"]])

    def test_skipped_pictures_do_not_hold_the_merge_up_and_failures_do(self):
        for script, arguments in (("train.sh", ["c.bin", "p"]), ("index.sh", ["p", "c.bin", "list"]), ("merge.sh", ["p", "2"])):
            self.calls(script, *arguments, STATUS="1")
            self.calls(script, *arguments, STATUS="3", status=1)


if __name__ == "__main__":
    unittest.main()
