"""How the program ends on a new machine: PoCL has compiled nothing yet, and compiles at the first launch in
a thread of its own. Whichever way the program ends, that thread is waited for: a process that goes away under
it dies of SIGABRT or SIGSEGV.
"""
import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import numpy
import PIL.Image

from program import ProgramTest, complaints, wait_until_it_listens, write_picture


def children(process):
    """The names of the programs that a process has started and that still run."""
    names = []
    for listed in pathlib.Path(f"/proc/{process.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError): # gone meanwhile
            names += [pathlib.Path(f"/proc/{child}/comm").read_text().strip() for child in listed.read_text().split()]
    return names


def decoders(process):
    """The processes that decode for a program that leads a session."""
    found = []
    for listed in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError): # gone meanwhile
            name = pathlib.Path(f"/proc/{listed}/comm").read_text().strip()
            if name == "bowhist-decode" and os.getsid(int(listed)) == process.pid:
                found.append(int(listed))
    return found


class Ends(ProgramTest):
    def prepare(self):
        self.write_centroids(k=64)
        self.write_descriptors("d.npy", 2000)
        for name in ("a.pgm", "b.pgm"):
            write_picture(self.folder / name, 1)

    def new_machine(self):
        """An environment with a cache in which nothing is compiled."""
        cache = tempfile.TemporaryDirectory(prefix="bowhist-test-pocl-")
        self.addCleanup(cache.cleanup)
        return {"POCL_CACHE_DIR": cache.name}

    def edited_kernels(self, names, text):
        """A folder of kernels in which those have this text."""
        folder = self.folder / "kernels"
        self.run_program("kernels", "--dump", folder)
        for kernel in folder.glob(names):
            kernel.write_text(text)
        return folder

    def test_done(self):
        for call in (["devices"],
                     ["kernels", "--device", "cpu"],
                     ["assign", "--centroids", "c.bin", "--device", "cpu", "-o", "w.npy", "d.npy"],
                     ["--centroids", "c.bin", "--extractor", "akaze", "--kernel", "gpu5", "--equalize", "--blur", "2", "a.pgm", "b.pgm"],
                     ["train", "-k", "8", "--iterations", "1", "--kernel", "gpu2", "-o", "t.bin", "d.npy"],
                     ["filter", "a.pgm", "-o", "o.png", "--blur", "2", "--filter", "sobel-x"],
                     ["bench", "transpose", "-n", "256"]):
            with self.subTest(call):
                self.assertEqual(complaints(self.run_program(*call, environment=self.new_machine()).stderr), [])

    def test_what_drivers_and_compilers_say_is_not_heard(self):
        for call in (["kernels"], ["assign", "--centroids", "c.bin", "--kernel", "gpu1", "-o", "w.npy", "d.npy"]):
            with self.subTest(call):
                environment = {**self.new_machine(), "POCL_DEBUG": "all"}
                if b"POCL" not in self.run_program(*call, "-v", environment=environment).stderr:
                    self.skipTest("the OpenCL driver says nothing")
                self.assertEqual(complaints(self.run_program(*call, environment=environment).stderr), [])

    def test_an_error_after_launches_without_a_wait(self):
        kernels = self.edited_kernels("convolve*.cl", "kernel void nothing(void) {}")
        call = ["filter", "a.pgm", "-o", "o.png", "--equalize", "--blur", "2", "--filter", "sobel-x"]
        done = self.run_program(*call, "--kernel-dir", kernels, status=3, environment=self.new_machine())
        self.assert_one_line(done.stderr, "no kernel", "convolve")

    def test_a_kernel_that_does_not_build(self):
        kernels = self.edited_kernels("decide.cl", "kernel void decide(")
        for level in ("gpu1", "gpu6"):
            call = ["assign", "--centroids", "c.bin", "--kernel", level, "--kernel-dir", kernels, "-o", "w.npy", "d.npy"]
            with self.subTest(level):
                done = self.run_program(*call, status=3, environment=self.new_machine())
                self.assertTrue(done.stderr.startswith(b"bowhist: %s: decide.cl does not build" % level.encode()), done.stderr)

    def interrupt(self, call, moment, how=signal.SIGINT):
        """Starts the program, waits for the moment, and ends it as a terminal does: with a signal to the program
        and to whatever it has started. @return what `moment` returns, the program's status and what it said"""
        process = subprocess.Popen(
            [os.environ["BOWHIST"], *call], cwd=self.folder, env={**os.environ, **self.new_machine()},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        wait_until_it_listens(process)
        met = moment(process)
        if process.poll() is None: # else its group is gone, too
            os.killpg(process.pid, how)
        _, said = process.communicate(timeout=120)
        return met, process.returncode, said

    def test_interrupted_at_any_moment(self):
        numpy.save(self.folder / "h.npy", numpy.random.default_rng(1).integers(0, 9, (2000, 4096), "<u4"))
        before = set(os.listdir(self.folder))
        early, late = (0, 0.4), (0.2, 1.2)
        for call, inputs, moments in (
                (["--centroids", "c.bin", "--kernel", "gpu2", "--batch", "1000", "-o", "h.npz"], ["d.npy"] * 2000, early),
                (["cluster", "-k", "2", "-o", "g.csv"], ["h.npy"], early),
                (["--centroids", "c.bin", "--extractor", "akaze", "--kernel", "openmp", "--blur", "2"], ["a.pgm", "b.pgm"] * 2000, late),
                (["train", "-k", "500", "--iterations", "1000000", "--kernel", "gpu4", "-o", "t.bin"], ["d.npy"] * 10, late)):
            for seconds in moments:
                with self.subTest(call[:6], seconds=seconds):
                    for _ in range(4):
                        _, status, said = self.interrupt([*call, *inputs], lambda process: time.sleep(seconds))
                        if status != 0:
                            break
                        inputs = inputs * 4  # a fast machine was done before the moment came
                        for output in ("t.bin", "t.bin.json", "g.csv", "h.npz"):
                            (self.folder / output).unlink(missing_ok=True)
                    self.assertEqual((status, said), (130, b"bowhist: interrupted\n"))
                    self.assertEqual(set(os.listdir(self.folder)), before)  # of outputs, too

    def test_interrupted_during_the_only_picture(self):
        call = ["extract", "-o", "x.npy", "--max-side", "0", "--step", "1", "--max-descriptors", "10", "large.pgm"]
        for scale in (1, 2, 4):
            write_picture(self.folder / "large.pgm", 1, 3000 * scale, 2000 * scale)
            _, status, said = self.interrupt(call, lambda process: time.sleep(0.3))
            if status != 0:
                break
            (self.folder / "x.npy").unlink()  # a fast machine was done before the moment came
        self.assertEqual((status, said), (130, b"bowhist: interrupted\n"))
        self.assertFalse((self.folder / "x.npy").exists())

    def test_a_signal_to_all_processes_blames_no_picture(self):
        """As a service manager sends it, to decoders first."""
        noise = numpy.random.default_rng(1).integers(0, 256, (4000, 6000), "u1")
        PIL.Image.fromarray(noise).save(self.folder / "large.png", compress_level=1)
        call = ["extract", "-o", "x", "--isolate", "always", *["large.png"] * 20]
        for how in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            def decodes(process):
                while process.poll() is None and len(decoders(process)) < 2:
                    time.sleep(0.01)
                time.sleep(0.1)
                for decoder in decoders(process):
                    os.kill(decoder, how)
                time.sleep(0.05)

            _, status, said = self.interrupt(call, decodes, how)
            self.assertEqual((status, said), (130, b"bowhist: interrupted\n"))

    def test_interrupted_while_a_kernel_is_linked(self):
        """PoCL starts a linker, and aborts the process when that is killed."""
        def links(process):
            while process.poll() is None and time.monotonic() < latest:
                if "ld" in children(process):
                    return True
            return False

        call = ["--centroids", "c.bin", "--device", "cpu", "--kernel", "gpu2", *["d.npy"] * 2000]
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            latest = time.monotonic() + 60
            linked, status, said = self.interrupt(call, links, how)
            if not linked:
                self.skipTest("the device's compiler starts no linker")
            self.assertEqual((status, said), (130, b"bowhist: interrupted\n"))


if __name__ == "__main__":
    unittest.main()
