"""Drivers as they are: none of them ends a run without a word, and what PoCL lacks is named."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time
import unittest

from program import ProgramTest, complaints

CC = shutil.which("cc")
POCL = pathlib.Path("/etc/OpenCL/vendors/pocl.icd")

SAY = 'fprintf(stderr, "firmware of 1998\\n"); '


@unittest.skipUnless(CC, "needs a C compiler")
class Drivers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.icds = self.folder / "icds"
        self.icds.mkdir()
        self.log = self.folder / "log"
        self.write_centroids()
        self.write_descriptors("d.npy", 500)

    def add(self, name, constructor="", asked=""):
        """A driver in the folder of drivers. @return its library"""
        library = self.build_driver(name, self.log, constructor, asked)
        (self.icds / f"{name}.icd").write_text(f"{library}\n")
        return library

    def add_pocl(self):
        if not POCL.is_file():
            self.skipTest("needs PoCL")
        shutil.copy(POCL, self.icds)

    def run_here(self, *arguments, status=0, **variables):
        environment = {"OCL_ICD_VENDORS": str(self.icds), "XDG_CACHE_HOME": str(self.cache), **variables}
        return self.run_program(*arguments, status=status, environment=environment)

    def assign(self, *options, status=0, **variables):
        """What is written to standard output, and the complaints."""
        done = self.run_here("assign", "--centroids", "c.bin", "-o", "-", *options, "d.npy", status=status, **variables)
        return done.stdout, complaints(done.stderr)

    def loads(self):
        """A letter for each process that loaded a driver: t in a trial, b in the program itself."""
        return self.log.read_text() if self.log.exists() else ""

    def test_no_end_of_a_driver_is_the_end_of_the_run(self):
        expected = self.assign("--kernel", "simd")
        self.assertEqual(expected[1], [])
        self.assertEqual(self.loads(), "")
        endings = {"aborter": ("abort()", "aborts"), "leaver": ("_exit(3)", "exits with status 3"),
                   "leaver0": ("exit(0)", "exits with status 0"), "crasher": ("*(volatile int *)8 = 1", "crashes (SIGSEGV)"),
                   "sleeper": ("sleep(60)", "does not answer within 0.5 s"), "killer": ("raise(9)", "crashes (SIGKILL)")}
        for name, (constructor, end) in endings.items():
            with self.subTest(name):
                library = self.add(name, SAY + constructor)
                rows, lines = self.assign(BOWHIST_DRIVER_SECONDS="0.5")
                self.assertEqual(rows, expected[0])
                self.assertEqual(len(lines), 2, lines)
                for word in ("warning: the OpenCL driver " + library, f"named in {self.icds}/{name}.icd", end, "--kernel simd",
                             "level of the host"):
                    self.assertIn(word, lines[0])
                self.assertIn("firmware of 1998", lines[1])
                _, lines = self.assign("--kernel", "gpu1", status=3, BOWHIST_DRIVER_SECONDS="0.5")
                for word in ("bowhist: no OpenCL device is left", library, end, "--kernel simd"):
                    self.assertIn(word, lines[0])
                for verb in ("devices", "kernels"):
                    done = self.run_here(verb, BOWHIST_DRIVER_SECONDS="0.5")
                    for word in (library, end, "--kernel simd", "firmware of 1998"):
                        self.assertIn(word, done.stderr.decode())
                self.assertEqual(set(self.loads()), {"t"})
                (self.icds / f"{name}.icd").unlink()

    def test_a_good_driver_is_used_beside_bad_ones(self):
        self.add_pocl()
        expected = self.assign("--kernel", "gpu1")
        self.assertEqual(expected[1], [])
        crasher = self.add("crasher", "*(volatile int *)8 = 1")
        asked = self.add("z_asked", asked="abort()")  # loaded well, and no culprit by that
        rows, lines = self.assign("--kernel", "gpu1")
        self.assertEqual(rows, expected[0])
        self.assertEqual(len(lines), 2, lines)
        self.assertIn(crasher, lines[0])
        self.assertIn("crashes (SIGSEGV)", lines[0])
        self.assertIn(asked, lines[1])
        self.assertIn("aborts", lines[1])
        self.assertNotIn("b", self.loads())

    def test_a_driver_without_a_library_or_a_device_costs_no_word(self):
        self.add("empty")
        (self.icds / "gone.icd").write_text("/nowhere/libgone.so\n")
        (self.icds / "blank.icd").write_text("")
        (self.icds / "readme.txt").write_text("/nowhere/libreadme.so\n")
        self.assertEqual(self.assign()[1], [])
        lines = complaints(self.run_here("devices").stderr)
        self.assertEqual(len(lines), 1, lines)
        self.assertIn("/nowhere/libgone.so", lines[0])
        self.assertIn("cannot be loaded", lines[0])
        self.assertTrue(lines[0].endswith("; install it, or name another\n"), lines)

    def test_a_single_icd_and_a_library_can_be_named_too(self):
        library = self.add("aborter", "abort()")
        for named in (self.icds / "aborter.icd", library):
            _, lines = self.assign(OCL_ICD_VENDORS=str(named))
            self.assertIn(library, lines[0])
        _, lines = self.assign(OCL_ICD_VENDORS="", OPENCL_VENDOR_PATH=str(self.icds))
        self.assertIn(library, lines[0])

    def test_a_verdict_is_remembered_until_the_driver_changes(self):
        library = self.add("changing")
        for _ in range(3):
            self.assign("--device", "gpu", status=3)
        self.assertEqual(self.loads().count("t"), 1)
        self.assertEqual(self.loads().count("b"), 3)
        self.add("changing", "abort()")
        for _ in range(3):
            self.assertIn(library, self.assign()[1][0])
        self.assertEqual(self.loads().count("t"), 2)
        self.add("changing", "if (0) abort()")
        self.assertEqual(self.assign()[1], [])
        for path in self.cache.glob("bowhist/drivers/*"):  # what is no verdict is as good as none
            path.write_text('{"bad": 7}')
        self.assertEqual(self.assign("--device", "gpu", status=3)[1][0][:30], "bowhist: no OpenCL device here")
        self.assertEqual(self.loads().count("t"), 4)

    def test_a_driver_that_lacks_memory_is_not_blamed(self):
        library = self.add("hungry", "if (malloc((size_t)1 << 32) == 0) abort()")
        call = ["assign", "--centroids", "c.bin", "-o", "-", "d.npy"]
        limited = self.run_program(*call, environment={"OCL_ICD_VENDORS": str(self.icds), "XDG_CACHE_HOME": str(self.cache)},
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32)))
        line = complaints(limited.stderr)[0]
        for word in (library, "memory is limited (ulimit -v)"):
            self.assertIn(word, line)
        self.assertNotIn("repair", line)
        self.assertEqual(self.assign()[1], [])  # the verdict holds under that limit alone

    def test_a_verdict_is_remembered_where_pocl_has_a_folder_for_this_run_only(self):
        self.add_pocl()
        self.add("counter")
        for _ in range(2):
            self.assign("--device", "cpu", POCL_CACHE_DIR="/dev/null/x")
        self.assertEqual(self.loads().count("t"), 1)

    def test_nothing_is_tried_where_opencl_is_not_needed(self):
        self.add("aborter", "abort()")
        self.assign("--kernel", "simd")
        self.run_here("--version")
        self.run_here("help")
        self.assertEqual(self.loads(), "")

    def test_ctrl_c_ends_a_trial_and_what_is_tried(self):
        self.add("sleeper", "sleep(600)")
        process = subprocess.Popen([os.environ["BOWHIST"], "assign", "--centroids", "c.bin", "-o", "-", "d.npy"], cwd=self.folder,
                                   env={**os.environ, "OCL_ICD_VENDORS": str(self.icds), "XDG_CACHE_HOME": str(self.cache)},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        while not self.loads():
            time.sleep(0.01)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=10), 130)
        self.assertLess(time.monotonic() - start, 2)
        self.assertEqual([p for p in os.listdir("/proc") if p.isdigit() and f"{self.folder}/libsleeper.so".encode() in maps_of(p)], [])

    def test_a_driver_that_waits_for_the_program_itself_has_its_last_words_shown(self):
        for name, end in (("abort()", "abort()"), ("exit(0)", "exit()")):
            self.add("late", f'if (within("bowhist")) {{ {SAY} {name}; }}')
            done = self.run_here("assign", "--centroids", "c.bin", "-o", "-", "--kernel", "gpu1", "d.npy", status=3)
            self.assertEqual(done.stderr.decode().splitlines()[0], "firmware of 1998")
            self.assertIn(f"bowhist: a driver or library ended the run by {end}", done.stderr.decode())
            self.assertIn("--kernel simd", done.stderr.decode())


def maps_of(process):
    try:
        return pathlib.Path(f"/proc/{process}/maps").read_bytes()
    except OSError:
        return b""


@unittest.skipUnless(POCL.is_file(), "needs PoCL")
class Pocl(ProgramTest):
    """What PoCL needs: a linker, and a folder for kernels."""

    def setUp(self):
        super().setUp()
        self.write_centroids()
        self.write_descriptors("d.npy", 500)
        self.kernels = self.folder / "kernels"
        self.kernels.mkdir()

    def call(self, kernel="gpu1"):
        return ["assign", "--centroids", "c.bin", "--kernel", kernel, "-o", "-", "d.npy"]

    def run_pocl(self, kernel="gpu1", status=0, **variables):
        done = self.run_program(*self.call(kernel), status=status,
                                environment={"POCL_CACHE_DIR": str(self.kernels), "OCL_ICD_VENDORS": str(POCL), **variables})
        return done.stdout, complaints(done.stderr)

    def run_mounted(self, options, script="", status=0, **variables):
        """In a file system of its own at the folder of kernels."""
        mounted = f"mount -t tmpfs -o {options} none '{self.kernels}' || exit 77; {script} exec \"$@\""
        done = subprocess.run(["unshare", "-m", "sh", "-c", mounted, "sh", os.environ["BOWHIST"], *self.call()], cwd=self.folder,
                              env={**os.environ, "POCL_CACHE_DIR": str(self.kernels), "OCL_ICD_VENDORS": str(POCL), **variables},
                              capture_output=True)
        if done.returncode == 77 or done.stderr.startswith(b"unshare"):
            self.skipTest("no file system may be mounted here")
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout, complaints(done.stderr)

    def test_without_a_linker(self):
        (self.folder / "bin").mkdir()
        rows, lines = self.run_pocl("auto", PATH=str(self.folder / "bin"))
        self.assertEqual(rows, self.run_pocl("simd")[0])
        self.assertEqual(len(lines), 1, lines)
        _, refused = self.run_pocl(status=3, PATH=str(self.folder / "bin"))
        self.assertEqual(len(refused), 1, refused)
        for line in (lines[0], refused[0]):
            for word in ("pocl", "no ld in PATH", "install binutils", "--kernel simd"):
                self.assertIn(word, line)

    def test_a_cache_that_is_noexec_or_full(self):
        expected = self.run_pocl("simd")[0]
        for options, cause in (("noexec", "mounted noexec"), ("size=64k", "has no room")):
            with self.subTest(cause):
                rows, lines = self.run_mounted(options)
                self.assertEqual(rows, expected)
                self.assertEqual(len(lines), 1, lines)
                for word in ("warning", str(self.kernels), cause, "set POCL_CACHE_DIR"):
                    self.assertIn(word, lines[0])

    def test_nowhere_to_keep_kernels(self):
        expected = self.run_pocl("simd")[0]
        for options, cause in (("noexec", "mounted noexec"), ("size=64k", "has no room")):
            with self.subTest(cause):
                temporary = {"TMPDIR": str(self.kernels / "tmp"), "XDG_RUNTIME_DIR": ""}
                script = f"mkdir '{self.kernels}/tmp';"
                self.assertEqual(self.run_mounted(options, script, **temporary)[0], expected)  # in memory
                rows, lines = self.run_mounted(options, f"{script} mount -t tmpfs -o {options} none /dev/shm;", status=3, **temporary)
                self.assertEqual(len(lines), 1, lines)
                for word in (str(self.kernels), cause, "set POCL_CACHE_DIR", "--kernel simd"):
                    self.assertIn(word, lines[0])

    def test_a_read_only_machine(self):
        """Kernels are kept in memory; where there is no such folder, PoCL is named, and no driver beside it."""
        expected = self.run_pocl("simd")[0]
        icds = self.folder / "icds"
        icds.mkdir()
        shutil.copy(POCL, icds)
        (icds / "zz.icd").write_text(self.build_driver("other", self.folder / "log") + "\n")
        kernels = str(self.kernels)
        variables = {"HOME": kernels, "TMPDIR": kernels, "XDG_CACHE_HOME": kernels + "/c", "POCL_CACHE_DIR": "", "XDG_RUNTIME_DIR": ""}
        for vendors in (POCL, icds):
            with self.subTest(vendors=vendors):
                variables["OCL_ICD_VENDORS"] = str(vendors)
                self.assertEqual(self.run_mounted("ro", **variables), (expected, []))
                _, lines = self.run_mounted("ro", "mount -t tmpfs -o ro none /dev/shm;", status=3, **variables)
                self.assertEqual(len(lines), 1, lines)
                for word in ("pocl", kernels + "/c/pocl/kcache, cannot be written to", "none can be made in TMPDIR or /dev/shm", "set POCL_CACHE_DIR"):
                    self.assertIn(word, lines[0])
                for hole in (", ,", ": ;", "  ", "libother", "is not used: ;"):
                    self.assertNotIn(hole, lines[0])

    def test_variables_that_hide_drivers_are_named_first(self):
        (self.folder / "none").mkdir()
        for variables, words in (({"POCL_DEVICES": "foo"}, ['POCL_DEVICES is "foo"', "unset it"]),
                                 ({"OCL_ICD_VENDORS": "/nowhere/icds"}, ["OCL_ICD_VENDORS", "/nowhere/icds"]),
                                 ({"OCL_ICD_VENDORS": str(self.folder / "none")}, ['OCL_ICD_VENDORS is "', "leads to no driver"]),
                                 ({"OCL_ICD_VENDORS": "", "OPENCL_VENDOR_PATH": "/nowhere"}, ['OPENCL_VENDOR_PATH is "/nowhere"'])):
            with self.subTest(variables):
                _, lines = self.run_pocl(status=3, **variables)
                done = self.run_program("devices", environment={"OCL_ICD_VENDORS": str(POCL), **variables})
                for line in (lines[0], done.stderr.decode().splitlines()[-1]):
                    for word in words:
                        self.assertIn(word, line)
                    self.assertNotIn("pocl-opencl-icd", line)

    def test_damaged_programs_are_built_anew_and_whole_ones_kept(self):
        expected = self.run_pocl()
        self.assertEqual(expected[1], [])
        files = [path for path in self.kernels.rglob("*") if path.suffix == ".so" or path.name == "program.bc"]
        self.assertGreater(len(files), 3)
        whole = {path: path.stat().st_ino for path in files}
        self.assertEqual(self.run_pocl(), expected)
        self.assertEqual({path: path.stat().st_ino for path in files}, whole)
        self.assertFalse(any(path.name.startswith(".bowhist-") for path in self.kernels.iterdir()))
        damages = [lambda data: data[: len(data) // 3], lambda data: data[:-40], lambda data: b"", lambda data: bytes(len(data)),
                   lambda data: b"x" * len(data)]
        for kind in (".so", ".bc"):
            with self.subTest(kind=kind):
                for i, path in enumerate(path for path in files if path.suffix == kind):
                    path.write_bytes(damages[i % len(damages)](path.read_bytes()))
                self.assertEqual(self.run_pocl(), expected)
                self.assertTrue(all(path.stat().st_size > 1000 for path in files))


class Gpus(ProgramTest):
    """A GPU that the kernel shows and OpenCL does not."""

    def test_is_named(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 50)
        call = ["assign", "--centroids", "c.bin", "-o", "words.npy", "d.npy"]
        for printed in (self.run_with_gpu("devices"), self.run_with_gpu(*call, "-v"), self.run_with_gpu(*call, "--device", "gpu", status=3)):
            for word in ("a GPU is here (/dev/nvidia0, NVIDIA)", "is not registered", "nvidia-opencl-icd", "/etc/OpenCL/vendors/nvidia.icd"):
                self.assertIn(word, printed)
            self.assertNotIn("pocl-opencl-icd", printed)
        self.assertNotIn("GPU", self.run_with_gpu(*call))
        self.assertIn("/nowhere/libnvidia-opencl.so.1", self.run_with_gpu("devices", icd="/nowhere/libnvidia-opencl.so.1\n"))


if __name__ == "__main__":
    unittest.main()
