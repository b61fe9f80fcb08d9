"""Whatever implementation of OpenCL does the work, whatever groups it allows, the bytes are the same, or a line says what it lacks.

PoCL runs what the machine registers. Mesa's rusticl runs where BOWHIST_TEST_RUSTICL names the folder of its
.icd (tests/run.sh sets it), as a CPU and as a GPU; it ends loops early and has no fp64. Intel's runtime runs
where BOWHIST_TEST_INTEL names the folder of its .icd (tests/measure/implementations.py sets it).
"""
import hashlib
import os
import pathlib
import unittest

from program import ProgramTest, write_picture

RUSTICL = os.environ.get("BOWHIST_TEST_RUSTICL")
INTEL = os.environ.get("BOWHIST_TEST_INTEL")
WORDS = 999  # times 64 dimensions: more steps than rusticl's loops take


def rusticl(kind):
    return {"OCL_ICD_VENDORS": RUSTICL, "RUSTICL_ENABLE": "llvmpipe", "RUSTICL_DEVICE_TYPE": kind}


def intel():
    """Its library wants others, of its folder: newer ones than the system's."""
    library = next(pathlib.Path(INTEL).glob("*.icd")).read_text().strip()
    return {"OCL_ICD_VENDORS": INTEL, "LD_LIBRARY_PATH": os.path.dirname(library)}


IMPLEMENTATIONS = {"PoCL": {}, **({"rusticl as a CPU": rusticl("cpu"), "rusticl as a GPU": rusticl("gpu")} if RUSTICL else {}),
                   **({"Intel's runtime": intel()} if INTEL else {})}


class Implementations(ProgramTest):
    def prepare(self):
        (self.folder / "in").mkdir()
        for seed in range(4):
            write_picture(self.folder / f"in/{seed}.pgm", seed, 200 + 20 * seed, 180)

    def checksum(self, *call, output, environment):
        self.run_program(*call, "-q", "-o", output, environment=environment)
        return hashlib.sha256((self.folder / output).read_bytes()).hexdigest()

    def assert_same(self, *call, output, kernels=("gpu1", "gpu6")):
        """`call` writes the same bytes to `output` on the host and by these levels of each implementation."""
        seen = {("the host", "simd"): self.checksum(*call, "--kernel", "simd", output=output, environment={})}
        for name, environment in IMPLEMENTATIONS.items():
            for level in kernels:
                seen[name, level] = self.checksum(*call, "--kernel", level, output=output, environment=environment)
        self.assertEqual(len(set(seen.values())), 1, seen)

    def test_histograms(self):
        # the level makes words; every level there is held to the rule by tests/rusticl
        spread = ["--max-descriptors", "400", "--spread", "8", "--max-side", "280", "--enlarge"]
        for extractor, level, options in (("dense", "gpu6", []), ("surf", "gpu1", spread)):
            with self.subTest(extractor):
                self.run_program("train", "-q", "--extractor", extractor, *options, "-k", str(WORDS), "--iterations", "1", "-o",
                                 f"{extractor}.bin", "in")
                self.assert_same("--centroids", f"{extractor}.bin", "in", output="h.csv", kernels=[level])

    def test_vocabularies(self):
        self.assert_same("train", "-k", "50", "--iterations", "3", "in", output="c.bin")

    @unittest.skipUnless(INTEL, "BOWHIST_TEST_INTEL names no folder with the .icd of Intel's runtime")
    def test_intels_runtime_is_there(self):
        self.assertIn("Intel(R) OpenCL", self.run_program("devices", environment=intel()).stdout.decode())

    @unittest.skipUnless(RUSTICL, "BOWHIST_TEST_RUSTICL names no folder with rusticl's .icd")
    def test_the_other_implementation_is_there(self):
        for kind in ("cpu", "gpu"):
            listed = self.run_program("devices", environment=rusticl(kind)).stdout.decode()
            self.assertIn("rusticl", listed)
            self.assertIn(f"({kind})", listed)


class SmallGroups(ProgramTest):
    """Whatever a device allows of work-groups; PoCL takes its largest group from POCL_MAX_WORK_GROUP_SIZE."""

    def prepare(self):
        write_picture(self.folder / "a.pgm", 1, 160, 130)

    def allow(self, items):
        return {"POCL_MAX_WORK_GROUP_SIZE": str(items)}

    def written(self, *call, environment):
        self.run_program(*call, "-q", "-o", "out.csv", environment=environment)
        return (self.folder / "out.csv").read_bytes()

    def is_smaller_than(self, items):
        """Whether the device has taken the limit from the environment."""
        return f"at most {items} " in self.run_program("devices", environment=self.allow(items)).stdout.decode()

    def test_levels(self):
        self.run_program("train", "-q", "-k", "20", "--iterations", "1", "-o", "c.bin", "a.pgm")
        expected = self.written("--centroids", "c.bin", "--kernel", "simd", "a.pgm", environment={})
        for items in (4, 100):
            for level in ("gpu1", "gpu4", "gpu5", "gpu6", "auto"):
                with self.subTest(items=items, level=level):
                    call = ("--centroids", "c.bin", "--kernel", level, "a.pgm")
                    if items < 8 and level in ("gpu4", "gpu5") and self.is_smaller_than(items):
                        done = self.run_program(*call, "-q", environment=self.allow(items), status=3)
                        self.assert_one_line(done.stderr, level, "groups of 8", "allows 4", "--kernel")
                    else:
                        self.assertEqual(self.written(*call, environment=self.allow(items)), expected)

    def test_operations(self):
        def filtered(environment):
            self.run_program("filter", "-q", "a.pgm", "-o", "f.pgm", "--equalize", "--blur", "2", "--filter", "box:5",
                             "--histogram", "h.npy", "--integral", "s.npy", environment=environment)
            return [(self.folder / name).read_bytes() for name in ("f.pgm", "h.npy", "s.npy")]

        expected = filtered({})
        for items in (1, 100):
            with self.subTest(items=items):
                self.assertEqual(filtered(self.allow(items)), expected)

    def test_every_row_of_a_bench_is_measured_or_says_what_it_takes(self):
        # Rows of a training on a device are the ones with the largest groups.
        done = self.run_program("bench", "train-iteration", "--json", "-n", "2000", "-k", "20", "--rounds", "1", "--kernel",
                                "openmp,gpu6", environment=self.allow(16))
        self.assertNotIn(b"failed", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
