"""Whatever implementation of OpenCL does the work, the bytes are the same.

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
    def setUp(self):
        super().setUp()
        (self.folder / "in").mkdir()
        for seed in range(4):
            write_picture(self.folder / f"in/{seed}.pgm", seed, 200 + 20 * seed, 180)

    def checksum(self, *call, output, environment):
        self.run_program(*call, "-q", "-o", output, environment=environment)
        return hashlib.sha256((self.folder / output).read_bytes()).hexdigest()

    def assert_same(self, *call, levels, output):
        """`call` writes the same bytes to `output` on the host and by each level of each implementation."""
        seen = {("the host", "simd"): self.checksum(*call, "--kernel", "simd", output=output, environment={})}
        for name, environment in IMPLEMENTATIONS.items():
            for level in levels:
                seen[name, level] = self.checksum(*call, "--kernel", level, output=output, environment=environment)
        self.assertEqual(len(set(seen.values())), 1, seen)

    def test_histograms(self):
        # the level makes words; the extractor is the same for all of them
        for extractor, levels in (("dense", ("gpu1", "gpu2", "gpu3", "gpu4", "gpu5", "gpu6")), ("surf", ("gpu1", "gpu6"))):
            with self.subTest(extractor):
                self.run_program("train", "-q", "--extractor", extractor, "-k", str(WORDS), "--iterations", "1", "-o",
                                 f"{extractor}.bin", "in")
                self.assert_same("--centroids", f"{extractor}.bin", "in", output="h.csv", levels=levels)

    def test_vocabularies(self):
        self.assert_same("train", "-k", "50", "--iterations", "3", "in", output="c.bin", levels=("gpu1", "gpu6"))

    @unittest.skipUnless(INTEL, "BOWHIST_TEST_INTEL names no folder with the .icd of Intel's runtime")
    def test_intels_runtime_is_there(self):
        self.assertIn("Intel(R) OpenCL", self.run_program("devices", environment=intel()).stdout.decode())

    @unittest.skipUnless(RUSTICL, "BOWHIST_TEST_RUSTICL names no folder with rusticl's .icd")
    def test_the_other_implementation_is_there(self):
        for kind in ("cpu", "gpu"):
            listed = self.run_program("devices", environment=rusticl(kind)).stdout.decode()
            self.assertIn("rusticl", listed)
            self.assertIn(f"({kind})", listed)


if __name__ == "__main__":
    unittest.main()
