"""How ranks begin. One test takes the minute that ranks wait for one that never starts."""
import os
import subprocess
import unittest

from mpi_test import HAS_MPI, LAUNCHED, MPIRUN, PROGRAM
from program import ProgramTest


@unittest.skipUnless(MPIRUN, "mpirun is not installed (openmpi-bin)")
@unittest.skipUnless(HAS_MPI, "this build has no MPI (libopenmpi-dev)")
class MpiStartTest(ProgramTest):
    def test_a_file_of_open_mpi_chooses_how_messages_go(self):
        self.write_descriptors("d.npy", 100)
        (self.folder / ".openmpi").mkdir()
        for chosen, works in (("pml = ob1\n", True), ("  pml=none_of_this_name\n", False)):
            (self.folder / ".openmpi/mca-params.conf").write_text("# of this machine\n" + chosen)
            done = subprocess.run([MPIRUN, "-n", "2", PROGRAM, "train", "-k", "4", "-o", "v.bin", "d.npy"], cwd=self.folder,
                                  env={**os.environ, **LAUNCHED, "HOME": str(self.folder)}, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=120)
            self.assertEqual(done.returncode == 0, works, done.stderr)

    def test_ranks_that_wait_for_one_that_never_starts(self):
        self.write_descriptors("d.npy", 100)
        launches = []
        for missing in (0, 1):
            script = self.folder / f"{missing}.sh"
            script.write_text(f'#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = {missing} ] || exec {PROGRAM} train -k 4 -o v.bin d.npy\n')
            script.chmod(0o755)
            launches.append(subprocess.Popen([MPIRUN, "-n", "2", script], cwd=self.folder, env={**os.environ, **LAUNCHED},
                                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
        for launch, seconds in zip(launches, (63, 60)):
            said = launch.communicate(timeout=120)[1].decode()
            self.assertEqual(launch.returncode, 3, said)
            self.assertIn(f"bowhist: mpirun started 2 processes, and after {seconds} s some of them have not begun to work; start bowhist "
                          "in all of them, once\n", said)
        self.assertFalse((self.folder / "v.bin").exists())


if __name__ == "__main__":
    unittest.main()
