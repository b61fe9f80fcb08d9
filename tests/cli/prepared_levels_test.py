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

    def learn_codes(self, *more, output="m.npz"):
        self.run_program("train", "-q", "--model", "vlad", "--kernel", "simd", "--patches", "16", "-k", "6", "--iterations", "1", *more,
                         "-o", output, "in")

    def test_codes(self):
        self.learn_codes("--prepare", STEPS)
        calls = [*((("--kernel", kernel), {}) for kernel in ("serial", *LADDER)),
                 (("--kernel", "gpu6", "-j", "1", "--batch", "100"), {}), (("--kernel", "gpu1", "-j", "2", "--batch", "1000"), {})]
        for call, report in zip(calls, self.assert_same("m.npz", calls, "c.npz")):
            self.assertEqual("add_rows " in report, call[0][1] != "serial", report)  # among the kernels that ran there
        if RUSTICL:  # whose words are held to the rule, level by level, by tests/rusticl
            calls = [(("--kernel", kernel, "-j", "2", "--batch", "100"), rusticl("gpu")) for kernel in ("gpu2", "gpu5")]
            for report in self.assert_same("m.npz", calls, "c.npz"):
                for kernel in ("describe", "project", "add_rows"):
                    self.assertIn(kernel + " ", report)

    def test_cells(self):
        self.learn_codes("--prepare", STEPS, "--reduce", "0")
        self.run_program("train", "-q", "--kernel", "simd", "--patches", "16", "-k", "30", "--iterations", "1", "-o", "c.bin", "in")
        calls = [(("--kernel", "gpu6", "-j", "1"), {}), (("--kernel", "gpu5", "-j", "2", "--batch", "100"), {})]
        if RUSTICL:
            calls.append((("--kernel", "gpu5", "-j", "2"), rusticl("gpu")))
        cells = ("--cells", "1x1,3x2,1x4")
        for model in ("m.npz", "c.bin"):
            expected, _ = self.made(model, *cells, "--kernel", "simd", "-j", "1", output="r.npz")
            for more, environment in calls:
                with self.subTest(model=model, more=more, environment=environment):
                    self.assertEqual(self.made(model, *cells, *more, output="r.npz", environment=environment)[0], expected)

    def test_soft_words(self):
        self.run_program("train", "-q", "--kernel", "simd", "--patches", "16", "--threshold", "0.1", "--prepare", STEPS, "-k", "30",
                         "--iterations", "1", "-o", "c.bin", "in")
        soft = ("--encode", "soft", "--nearest", "3", "--cells", "1x1,3x2")
        expected, _ = self.made("c.bin", *soft, "--kernel", "simd", "-j", "1", output="s.npz")
        calls = [(("--kernel", "gpu1"), {}), (("--kernel", "gpu5", "-j", "1", "--batch", "100"), {})]
        if RUSTICL:
            calls.append((("--kernel", "gpu2"), rusticl("gpu")))
        for more, environment in calls:
            with self.subTest(more=more, environment=environment):
                found, report = self.made("c.bin", *soft, *more, output="s.npz", environment=environment)
                self.assertEqual(found, expected)
                for kernel in ("project", "find_nearest", "count_rows"):
                    self.assertIn(kernel + " ", report)

    def test_descriptor_files(self):
        """Files of another kind, and those without what the steps read, are left out with the same words."""
        self.learn_codes("--prepare", "root,whiten:18,scale,contrast,mirror")
        for seed in range(3):
            self.run_program("extract", "-q", "--patches", "16", "-o", f"{seed}.npz", f"in/{seed}.pgm")
        self.run_program("extract", "-q", "--patches", "16", "-o", "bare.npy", "in/4.pgm")
        self.run_program("extract", "-q", "--patches", "8", "-o", "other.npz", "in/4.pgm")
        inputs = ["0.npz", "bare.npy", "in/3.pgm", "other.npz", "1.npz", "2.npz", "in/4.pgm"]
        made = {}
        for kernel in ("simd", "gpu1", "gpu6"):
            done = self.run_program("--centroids", "m.npz", "-q", "-o", "c.npz", "--kernel", kernel, *inputs, status=1)
            made[kernel] = ((self.folder / "c.npz").read_bytes(), done.stderr)
        self.assertIn(b"bare.npy: its descriptors have no keypoints", made["simd"][1])
        self.assertEqual(len(set(made.values())), 1, {kernel: said for kernel, (_, said) in made.items()})


if __name__ == "__main__":
    unittest.main()
