"""Prepared rows give the same histograms and codes everywhere: on the host, on a device that takes words from it, and on
one that extracts, prepares and counts (rusticl as a GPU)."""
import hashlib
import unittest

from implementations_test import RUSTICL, rusticl
from program import ProgramTest, levels, write_picture

STEPS = "root,whiten:20,position,scale,contrast,mirror"
LADDER = [f"gpu{number}" for number in range(1, 7)]


class PreparedLevels(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "in").mkdir()
        for seed in range(5):
            write_picture(self.folder / f"in/{seed}.pgm", seed, 50 + 10 * seed, 60)

    def made(self, model, *more, output, environment=None):
        done = self.run_program("--centroids", model, "-v", *more, "-o", output, "in", environment=environment or {})
        return hashlib.sha256((self.folder / output).read_bytes()).hexdigest(), done.stderr.decode()

    def assert_same(self, model, calls, output):
        """Each call gives the bytes of the simplest one. @return what they reported"""
        expected, _ = self.made(model, "--kernel", "simd", "-j", "1", output=output)
        reports = []
        for more, environment in calls:
            with self.subTest(more=more, environment=environment):
                found, report = self.made(model, *more, output=output, environment=environment)
                self.assertEqual(found, expected)
                reports.append(report)
        return reports

    def test_histograms(self):
        self.run_program("train", "-q", "--kernel", "simd", "--patches", "16", "--threshold", "0.1", "--prepare", STEPS, "-k", "30",
                         "--iterations", "1", "-o", "c.bin", "in")
        calls = [*((("--kernel", kernel), {}) for kernel in (*levels(), "auto")), (("--kernel", "gpu5", "-j", "2", "--batch", "100"), {})]
        self.assert_same("c.bin", calls, "h.csv")
        if not RUSTICL:
            return
        calls = [(("--kernel", kernel, "-j", "1" if kernel < "gpu3" else "2"), rusticl("gpu")) for kernel in LADDER]
        for report in self.assert_same("c.bin", calls, "h.csv"):
            self.assertIn("project ", report)  # among the kernels that ran there

    def test_codes(self):
        self.run_program("train", "-q", "--model", "vlad", "--kernel", "simd", "--patches", "16", "--prepare", STEPS, "-k", "6",
                         "--iterations", "1", "-o", "m.npz", "in")
        calls = [(("--kernel", kernel), {}) for kernel in ("serial", "gpu1", "gpu5", "gpu6")]
        if RUSTICL:  # whose words are held to the rule, level by level, by tests/rusticl
            calls += [(("--kernel", kernel, "-j", "2", "--batch", "100"), rusticl("gpu")) for kernel in ("gpu2", "gpu5")]
        self.assert_same("m.npz", calls, "c.npz")


if __name__ == "__main__":
    unittest.main()
