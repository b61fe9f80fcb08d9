"""Machines as they are: few threads, a home that is read-only, runs that were killed, people in a hurry."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time
import unittest

from program import ProgramTest, complaints, wait_until_it_listens, write_picture

SOMEBODY = 54321 + os.getpid() % 10000  # a user without any process, nor one of another run of this test
OPENBLAS = os.environ.get("BOWHIST_TEST_OPENBLAS")  # a folder with Debian's libopenblas0-pthread as libblas.so.3
MODULES = pathlib.Path(os.environ["BOWHIST"]).resolve().parent.parent / "libexec/bowhist"


class FewThreads(ProgramTest):
    libraries = {}  # more of the environment
    threads = (1, 3, 40)

    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest("needs root, to become a user who may have few threads")
        self.write_centroids()
        self.write_descriptors("d.npy", 3000)
        for name in ("a.pgm", "b.pgm", "c.pgm"):
            write_picture(self.folder / name, 1)
        self.folder.chmod(0o777)
        if self.limited(1000, ["--version"]).returncode != 0:
            self.skipTest("another user cannot run the program")

    def limited(self, threads, arguments):
        def become_somebody():
            resource.setrlimit(resource.RLIMIT_NPROC, (threads, threads))
            os.setgid(SOMEBODY)
            os.setuid(SOMEBODY)

        environment = {**os.environ, "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder),
                       "POCL_CACHE_DIR": str(self.folder / "pocl"), **self.libraries}
        try:
            return subprocess.run([os.environ["BOWHIST"], *arguments], cwd=self.folder, env=environment,
                                  capture_output=True, preexec_fn=become_somebody, timeout=120)
        except OSError as error:
            self.skipTest(f"another user cannot run the program: {error}")

    def test_fewer_are_used_with_a_line(self):
        calls = [["--centroids", "c.bin", "--extractor", "akaze", "--kernel", kernel, "a.pgm", "b.pgm", "c.pgm"]
                 for kernel in ("simd", "openmp", "gpu1", "auto")]
        calls += [["--centroids", "c.bin", "--extractor", "akaze", "-j", "8", "a.pgm", "b.pgm", "c.pgm"],
                  ["assign", "--centroids", "c.bin", "--kernel", "openmp", "-j", "8", "-o", "-", "d.npy"],
                  ["train", "-k", "4", "-o", "t.bin", "a.pgm", "b.pgm"]]
        for call in calls:
            expected = self.limited(1000, call)
            self.assertEqual((expected.returncode, complaints(expected.stderr)), (0, []), call)
            for threads in self.threads:
                with self.subTest(call=call, threads=threads):
                    done = self.limited(threads, call)
                    if "gpu1" in call and threads < 3:
                        self.assertEqual(done.returncode, 3, done.stderr)
                        self.assertIn(b"no thread can be made here", done.stderr)
                        continue
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stdout, expected.stdout)
                    printed = [line for line in complaints(done.stderr) if "thread" in line]
                    self.assertEqual(complaints(done.stderr), printed)
                    self.assertLessEqual(len(printed), 1)
                    if threads < 4:
                        self.assertEqual(len(printed), 1)


@unittest.skipUnless(OPENBLAS, "needs BOWHIST_TEST_OPENBLAS, a folder with OpenBLAS")
class FewThreadsWithOpenBlas(FewThreads):
    """OpenBLAS starts a thread for each core as soon as it is loaded, and ends the program where it cannot."""
    libraries = {"LD_LIBRARY_PATH": OPENBLAS}
    threads = (1, 4)

    def test_it_is_what_opencv_brings(self):
        for module in ("bowhist-codecs.so", "bowhist-extractors.so"):
            loaded = subprocess.run(["ldd", MODULES / module], env={**os.environ, **self.libraries}, check=True,
                                    capture_output=True, text=True).stdout
            self.assertIn(f"{OPENBLAS}/libblas.so.3", loaded)


class Libraries(ProgramTest):
    def loaded(self, *call):
        """The names of all shared libraries that a call loads, in whichever process."""
        folder = self.folder / "loaded"
        folder.mkdir()
        self.run_program(*call, environment={"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(folder / "log")})
        names = set()
        for log in folder.iterdir():
            names |= {line.rpartition("/")[2] for line in log.read_text(errors="replace").splitlines() if "calling init" in line}
        shutil.rmtree(folder)
        self.assertTrue(any(name.startswith("libbowhist.so") for name in names), names)
        return names

    def test_opencv_is_loaded_only_where_it_is_needed(self):
        """It brings LAPACK, and with that whatever BLAS the system has."""
        self.write_centroids()
        self.write_descriptors("d.npy", 100)
        write_picture(self.folder / "a.pgm", 1)
        self.run_program("filter", "--equalize", "-o", "a.jpg", "a.pgm")
        assign = ["--centroids", "c.bin", "--kernel", "simd"]
        foreign = ("libopencv", "libopenblas", "liblapack", "libblas")
        for call, needed in ((["--version"], False), ([*assign, "a.jpg", "d.npy"], False), ([*assign, "--extractor", "surf", "a.jpg"], False),
                             ([*assign, "--extractor", "akaze", "a.jpg"], True), ([*assign, "a.pgm"], True)):
            with self.subTest(call=call):
                found = [name for name in self.loaded(*call) if name.startswith(foreign)]
                self.assertEqual(bool(found), needed, found)


class Homes(ProgramTest):
    def test_a_home_that_cannot_be_written_to_has_devices(self):
        here = len(self.run_program("devices", "--json").stdout)
        scratch = self.folder / "tmp"
        scratch.mkdir()
        write_picture(self.folder / "a.pgm", 1)
        self.write_centroids()
        rows = self.run_program("--centroids", "c.bin", "--extractor", "akaze", "a.pgm").stdout
        for variables in ({"HOME": "/dev/null", "XDG_CACHE_HOME": "", "POCL_CACHE_DIR": ""},
                          {"HOME": "", "XDG_CACHE_HOME": "/dev/null/x", "POCL_CACHE_DIR": ""},
                          {"POCL_CACHE_DIR": "/dev/null/x"}):
            with self.subTest(variables):
                environment = {**variables, "TMPDIR": str(scratch)}
                self.assertEqual(len(self.run_program("devices", "--json", environment=environment).stdout), here)
                done = self.run_program("--centroids", "c.bin", "--extractor", "akaze", "--kernel", "gpu1", "a.pgm",
                                        environment=environment)
                self.assertEqual((done.stdout, complaints(done.stderr)), (rows, []))
                self.assertEqual(list(scratch.iterdir()), [])


class Killed(ProgramTest):
    def prepare(self):
        self.write_centroids(k=2000)
        self.write_descriptors("many.npy", 200000)
        self.write_descriptors("few.npy", 10)

    def start(self, *arguments):
        process = subprocess.Popen([os.environ["BOWHIST"], *arguments], cwd=self.folder, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until_it_listens(process)
        return process

    def start_writing(self, output):
        before = self.temporary()
        process = self.start("--centroids", "c.bin", "--kernel", "serial", "-o", output, "many.npy")
        while self.temporary() == before and process.poll() is None:
            time.sleep(0.01)
        return process

    def temporary(self):
        return {path.name for path in self.folder.glob(".*")}

    def run_once(self, output):
        self.run_program("--centroids", "c.bin", "-o", output, "few.npy")

    def test_what_a_killed_run_left_is_swept_by_the_next(self):
        for output in ("h.npz", "h.csv"):
            process = self.start_writing(output)
            process.kill()
            process.wait()
            self.assertTrue(self.temporary())
            self.run_once("other.npy")
            self.assertEqual(self.temporary(), set())
            self.assertFalse((self.folder / output).exists())

    def test_what_a_run_is_writing_stays(self):
        process = self.start_writing("h.npz")
        time.sleep(0.2)
        mine = self.temporary()
        run = next(iter(mine)).rpartition("-")[0]
        self.assertTrue(run.endswith(f"-{process.pid}"), run)
        # beside the locked ones, what libzip is writing for them
        (self.folder / f"{run}-0.tmp.aB3dE6").write_text("")
        (self.folder / f"{run}00000000-0.tmp.aB3dE6").write_text("")
        self.run_once("other.npz")
        self.assertEqual(self.temporary(), mine | {f"{run}-0.tmp.aB3dE6"})

    def test_what_other_hosts_left_is_swept_when_it_is_old(self):
        """Their locks are not seen here."""
        process = self.start_writing("h.csv")
        host = next(iter(self.temporary())).split("-")[1]
        self.assertRegex(host, "^[0-9a-f]{8}$")
        process.kill()
        process.wait()
        other = f"{int(host, 16) ^ 1:08x}"
        hours = {f".bowhist-{other}-1-0.tmp": 0, f".bowhist-{other}-2-0.tmp": 20, f".bowhist-{other}-3-0.tmp": 30,
                 f".bowhist-{other}-4-0.tmp": 30, f".bowhist-{other}-4-1.tmp.aB3dE6": 1,  # one run: all or none
                 f".bowhist-{host}-5-0.tmp": 0,
                 **{f".bowhist-{host}-6-0.tmp{ending}": 0 for ending in ("", "-wal", "-shm", "-journal")},  # of a library
                 f".bowhist-{other}-8-0.tmp": -30}  # another's clock
        for name, age in hours.items():
            (self.folder / name).write_text("")
            os.utime(self.folder / name, (time.time() - 3600 * age,) * 2)
        self.run_once("other.npz")
        self.assertEqual(self.temporary(), {f".bowhist-{other}-1-0.tmp", f".bowhist-{other}-2-0.tmp", f".bowhist-{other}-4-0.tmp",
                                            f".bowhist-{other}-4-1.tmp.aB3dE6", f".bowhist-{other}-8-0.tmp"})

    def test_nothing_of_others_is_swept(self):
        run = ".bowhist-0a0a0a0a-1-"
        names = [run + ".tmp", ".bowhist-0a0a0a0a-a-1.tmp", run + "1.tmp.bak", run + "1.tmp-bak", "x" + run + "1.tmp", run + "1.tmpx",
                 ".bowhist-1-1.tmp", ".bowhist.tmp", ".other-0a0a0a0a-1-1.tmp", run[1:] + "1.tmp"]
        for name in names:
            (self.folder / name).write_text("")
        for name in names:
            os.utime(self.folder / name, (0, 0))
        (self.folder / ".bowhist-0a0a0a0a-2-1.tmp").mkdir()
        (self.folder / ".bowhist-0a0a0a0a-3-1.tmp").symlink_to("many.npy")
        os.mkfifo(self.folder / ".bowhist-0a0a0a0a-4-1.tmp")
        before = sorted(os.listdir(self.folder))
        self.run_once("other.npz")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted([*before, "other.npz"]))

    def test_asked_twice_it_ends_at_once(self):
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGTERM, signal.SIGTERM),
                              (signal.SIGINT, signal.SIGTERM), (signal.SIGHUP, signal.SIGINT)):
            with self.subTest(first=first, second=second):
                for pause in (0.3, 0.1, 0.03, 0.01):  # a loaded machine may wake this one late
                    process = self.start_writing("h.csv")
                    time.sleep(0.3)
                    process.send_signal(first)
                    time.sleep(pause)
                    if process.poll() is None:  # it still ends in good order
                        break
                self.assertIsNone(process.poll())
                process.send_signal(second)
                self.assertEqual(process.wait(timeout=5), 130)


if __name__ == "__main__":
    unittest.main()
