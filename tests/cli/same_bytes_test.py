"""The measurement that compares the bytes of all ways sees ways that are alike, and finds one that is not."""
import os
import pathlib
import shlex
import subprocess
import sys
import unittest

from program import ProgramTest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "measure/same_bytes.py"

FAULTY = """#!/bin/sh
case "$*" in
    merge*w.npy*) echo "planted" >&2; exit 3;;
esac
{program} "$@"
status=$?
case "$*" in
    *"-o h.csv --kernel simd"*) echo >> h.csv;;
esac
exit $status
"""


class SameBytesTest(ProgramTest):
    def compared(self, program):
        """By a process, simd and two shards, without devices. @return status, cells of each artefact's row, the lines below"""
        (self.folder / "none").mkdir(exist_ok=True)
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--quick", "--ranks", "--shards", "1", "2"], capture_output=True, text=True,
                              env={**os.environ, "BOWHIST": str(program), "OCL_ICD_VENDORS": str(self.folder / "none")}, timeout=600)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:1], ["| artefact | 1 process | simd | 2 shards | |"], done.stderr)
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:] if line.startswith("|")]
        return done.returncode, {name: cells for name, *cells in rows}, [line for line in lines if line.startswith("- failed")]

    def test_all_ways_are_alike(self):
        status, rows, failed = self.compared(os.environ["BOWHIST"])
        self.assertEqual((status, failed), (0, []))
        self.assertGreater(len(rows), 30)
        for artefact, (one, simd, shards, verdict) in rows.items():
            self.assertRegex(one, "^[0-9a-f]{12}$")
            learned = artefact in ("vocabulary", "vocabulary, tree", "model of codes", "groups of pictures")
            self.assertEqual((simd, shards, verdict), (one, "" if learned else one, "equal"), artefact)

    def test_another_byte_and_a_failed_command_are_found(self):
        program = self.folder / "faulty.sh"
        program.write_text(FAULTY.format(program=shlex.quote(str(pathlib.Path(os.environ["BOWHIST"]).resolve()))))
        program.chmod(0o755)
        status, rows, failed = self.compared(program)
        self.assertEqual(status, 1)
        self.assertEqual([artefact for artefact, cells in rows.items() if cells[-1] == "DIFFERS"], ["histograms .csv"])
        self.assertNotEqual(*rows["histograms .csv"][:2])
        self.assertEqual(len(failed), 1, failed)
        self.assertRegex(failed[0], "2 shards: .* status 3: planted$")


if __name__ == "__main__":
    unittest.main()
