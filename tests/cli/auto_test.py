"""auto counts the work: little stays on the host, more loads a GPU's driver, much measures."""
import json
import os
import pathlib
import shutil
import unittest

import numpy
from program import ProgramTest, write_picture

CC = shutil.which("cc")
POCL = pathlib.Path("/etc/OpenCL/vendors/pocl.icd")


class Auto(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write_centroids()
        self.environment = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        self.cache = self.folder / "cache/bowhist/auto.json"
        self.call = ["assign", "--centroids", "c.bin", "-o", "w.npy", "-v", "d.npy"]

    def kernels(self, *options):
        return self.run_program("kernels", *options, environment=self.environment).stdout.decode()

    def auto_line(self, *options):
        return [line for line in self.kernels(*options).splitlines() if line.startswith("auto")][0]

    def test_kernels_measures_and_remembers(self):
        values = self.write_descriptors("d.npy", 100)
        self.assertIn("not measured yet", self.auto_line("-k", "32"))
        self.assertFalse(self.cache.exists())
        measured = self.kernels("-k", "32", "--measure").splitlines()
        for line in measured[:-1]:
            self.assertRegex(line, r"^\w+ +\S+ GFLOP/s$")
        self.assertRegex(measured[-1], r"^auto is \w+ on .*, measured \d{4}-\d\d-\d\d at \S+ GFLOP/s( on a busy machine)?$")
        self.assertEqual(measured[-1], self.auto_line("-k", "32"))
        self.assertTrue(measured[0].startswith(measured[-1].split()[2] + " "), measured)
        self.assertIn("not measured yet", self.auto_line("-k", "33"))
        cache = json.loads(self.cache.read_text())
        (entry,) = cache["choices"]
        words = None
        for level in entry["for"]["candidates"].split():  # whichever is taken, the words are the same
            entry["level"] = level
            self.cache.write_text(json.dumps(cache))
            self.assertRegex(self.run_program(*self.call, environment=self.environment).stderr.decode(),
                             rf"(?m)^bowhist: {level} on ")
            words = numpy.load(self.folder / "w.npy") if words is None else words
            numpy.testing.assert_array_equal(numpy.load(self.folder / "w.npy"), words)
        self.assertEqual(len(words), len(values))
        entry["measured"] = "1999-12-31"
        self.cache.write_text(json.dumps(cache))
        self.kernels("-k", "32", "--measure")
        self.assertNotIn("1999", self.cache.read_text())

    def test_little_work_measures_nothing_and_needs_no_cache(self):
        self.write_descriptors("d.npy", 100)
        (self.folder / "file").write_text("")
        for environment in (self.environment, {"XDG_CACHE_HOME": str(self.folder / "file")}, {"XDG_CACHE_HOME": "", "HOME": ""}):
            done = self.run_program(*self.call, environment=environment)
            self.assertNotIn(b"measured", done.stderr)
            self.assertRegex(done.stderr.decode(), r"(?m)^bowhist: simd on ")
        self.assertFalse(self.cache.exists())

    def test_no_driver_is_loaded_where_only_pocl_is_registered(self):
        if not POCL.is_file():
            self.skipTest("needs PoCL")
        self.write_descriptors("d.npy", 100)
        environment = {**self.environment, "OCL_ICD_VENDORS": str(POCL), "LD_DEBUG": "files",
                       "LD_DEBUG_OUTPUT": str(self.folder / "loaded")}

        def loads_drivers(*call, **more):
            self.run_program(*call, environment={**environment, **more})
            libraries = ""
            for log in self.folder.glob("loaded.*"):  # one a process
                libraries += log.read_text()
                log.unlink()
            self.assertIn("/libOpenCL", libraries)
            return "libpocl" in libraries

        self.assertFalse(loads_drivers(*self.call))
        self.assertTrue(loads_drivers(*self.call, POCL_DEVICES="cpu"))
        self.assertTrue(loads_drivers(*self.call, "--device", "cpu"))
        for verb in ("kernels", "devices"):
            self.assertTrue(loads_drivers(verb))
        (self.folder / "vendors").mkdir()
        shutil.copy(POCL, self.folder / "vendors")
        (self.folder / "vendors/other.icd").write_text("/nowhere/libother.so\n")
        self.assertTrue(loads_drivers(*self.call, OCL_ICD_VENDORS=str(self.folder / "vendors")))


@unittest.skipUnless(CC, "needs a C compiler")
class BesideAGpu(ProgramTest):
    """The kernel shows a GPU; its driver notes that it is loaded."""

    def setUp(self):
        super().setUp()
        self.log = self.folder / "loaded"
        self.driver = self.build_driver("driver", self.log)
        self.write_centroids(k=256)
        (self.folder / "in").mkdir()

    def picture(self, name, side):
        write_picture(self.folder / "in" / name, 1, side, side)

    def run_here(self, *arguments):
        return self.run_with_gpu(*arguments, icd=f"{self.driver}\n")

    def loads(self, *options):
        call = ["--centroids", "c.bin", "--extractor", "surf", "-v", *options, "in"]
        lines = self.run_here(*call, "-o", "auto.csv", "-j", "1")
        self.run_here(*call, "-o", "simd.csv", "--kernel", "simd")
        self.assertEqual((self.folder / "auto.csv").read_bytes(), (self.folder / "simd.csv").read_bytes())
        loaded = self.log.exists()
        self.log.unlink(missing_ok=True)
        return loaded, lines

    def test_few_pictures_are_done_before_its_driver_would_start(self):
        for side in range(3):
            self.picture(f"{side}.pgm", 100)
        loaded, _ = self.loads()
        self.assertFalse(loaded)

    def test_many_pictures_are_worth_its_start(self):
        self.picture("0.pgm", 1000)
        for other in range(1, 60):
            os.link(self.folder / "in/0.pgm", self.folder / f"in/{other}.pgm")
        loaded, lines = self.loads()
        self.assertTrue(loaded)
        self.assertIn("60 read", lines)
        loaded, _ = self.loads("--device", "")
        self.assertTrue(loaded)

    def test_descriptors_are_counted(self):
        call = ["assign", "--centroids", "c.bin", "-o", "w.npy", "d.npy", "-v"]
        self.write_descriptors("d.npy", 100)
        self.assertIn("auto takes the host", self.run_here(*call))
        self.assertFalse(self.log.exists())
        call[2] = "large.bin"
        self.write_centroids("large.bin", k=60000)
        self.write_descriptors("d.npy", 60000)
        lines = self.run_here(*call)
        self.assertNotIn("auto takes the host", lines)
        self.assertTrue(self.log.exists())


if __name__ == "__main__":
    unittest.main()
