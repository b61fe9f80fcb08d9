"""Devices that share the work: the bytes of one device, also where one of them fails at its n-th launch.

PoCL shows two devices. Where BOWHIST_TEST_RUSTICL names the folder of rusticl's .icd, PoCL and rusticl are two more. A
shim in front of the OpenCL loader makes launches of one device fail.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import unittest

import numpy
from program import ProgramTest, write_picture

RUSTICL = os.environ.get("BOWHIST_TEST_RUSTICL")
TWO = {"POCL_DEVICES": "pthread pthread"}

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int (*Info)(void *, unsigned, size_t, void *, size_t *);
typedef int (*List)(void *, unsigned long, unsigned, void **, unsigned *);
typedef int (*Launch)(void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned, const void *, void *);

static atomic_int launches;

/* Launches of the last device of its platform fail from the n-th on. */
int clEnqueueNDRangeKernel(void *queue, void *kernel, unsigned dimensions, const size_t *offset, const size_t *global,
                           const size_t *local, unsigned events, const void *wait, void *event) {
    Info queue_info = (Info)dlsym(RTLD_NEXT, "clGetCommandQueueInfo");
    Info device_info = (Info)dlsym(RTLD_NEXT, "clGetDeviceInfo");
    List list = (List)dlsym(RTLD_NEXT, "clGetDeviceIDs");
    Launch launch = (Launch)dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
    void *device = 0, *platform = 0, *devices[8];
    unsigned count = 0;
    queue_info(queue, 0x1091, sizeof device, &device, 0);
    device_info(device, 0x1031, sizeof platform, &platform, 0);
    list(platform, 0xFFFFFFFF, 8, devices, &count);
    if (device == devices[count - 1] && ++launches >= atoi(getenv("FAILING_LAUNCH"))) return -5;
    return launch(queue, kernel, dimensions, offset, global, local, events, wait, event);
}
"""


class SharedDevices(ProgramTest):
    def prepare(self):
        (self.folder / "in").mkdir()
        for seed in range(6):
            write_picture(self.folder / f"in/{seed}.pgm", seed, 160 + 20 * seed, 130)
        rows = numpy.random.default_rng(1).normal(size=(20000, 64)).astype("<f4")
        self.write_fbin("all.fbin", rows)
        for part in range(10):
            self.write_fbin(f"{part}.fbin", rows[part * 300 : part * 300 + 40 * part])

    def write_fbin(self, name, rows):
        (self.folder / name).write_bytes(numpy.array(rows.shape, "<u4").tobytes() + rows.tobytes())

    def written(self, *call, output, environment=TWO, status=0):
        done = self.run_program(*call, "-o", output, environment=environment, status=status)
        return hashlib.sha256((self.folder / output).read_bytes()).hexdigest(), done.stderr.decode()

    def failing_at(self, launch):
        shim = self.folder / "shim.so"
        if not shim.exists():
            compiler = shutil.which("cc") or self.skipTest("no compiler")
            (self.folder / "shim.c").write_text(SHIM)
            subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, "shim.c", "-ldl"], cwd=self.folder, check=True)
        return {**TWO, "LD_PRELOAD": str(shim), "FAILING_LAUNCH": str(launch)}

    CALLS = (
        (("train", "--kernel", "gpu6", "-k", "40", "--iterations", "4", "--sample", "0", "all.fbin"), "c.bin"),
        (("--centroids", "v.bin", "--kernel", "gpu6", "--batch", "200", *(f"{part}.fbin" for part in range(10)), "in"), "h.csv"),
        (("assign", "--centroids", "v.bin", "--kernel", "gpu6", "all.fbin"), "w.npy"),
    )

    def prepare_vocabulary(self):
        self.run_program("train", "-q", "--kernel", "simd", "--extractor", "dense", "-k", "30", "--iterations", "1", "-o", "v.bin", "in")

    def test_two_devices_write_the_bytes_of_one(self):
        self.prepare_vocabulary()
        for call, output in self.CALLS:
            with self.subTest(call):
                one, _ = self.written(*call, "-q", "--device", "0", output=output)
                for devices in ("all", "0,1", "1,0", "1,1,0", "0,"):
                    if devices == "0,":
                        done = self.run_program(*call, "--device", devices, "-o", output, environment=TWO, status=2)
                        self.assert_one_line(done.stderr, "--device", "empty")
                        continue
                    both, said = self.written(*call, "-v", "--device", devices, output=output)
                    self.assertEqual(both, one)
                    self.assertEqual(said.count("gpu6 on pthread") % 2, 0, said)  # each line names both
                    self.assertNotIn("warning", said)

    def test_what_a_device_fails_at_the_other_does(self):
        self.prepare_vocabulary()
        for call, output in self.CALLS:
            one, _ = self.written(*call, "-q", "--device", "0", output=output)
            warned = set()
            for launch in (1, 11, 13, 14, 15, 17, 19, 10**9):
                with self.subTest(call, launch=launch):
                    both, said = self.written(*call, "--device", "all", output=output, environment=self.failing_at(launch))
                    self.assertEqual(both, one)
                    lines = [line for line in said.splitlines() if "device 1 " in line]
                    self.assertLessEqual(len(lines), 1, said)
                    warned.update("leaves" if "leaves" in line else "takes no part" for line in lines)
                    self.assertNotIn("Traceback", said)
                    if launch == 1:
                        self.assertEqual(len(lines), 1, said)
                    if launch == 10**9:
                        self.assertEqual(lines, [], said)
            self.assertEqual(warned, {"leaves", "takes no part"})

    def test_where_the_last_device_fails_the_run_ends(self):
        self.prepare_vocabulary()
        for call, output in self.CALLS:
            done = self.run_program(*call, "-q", "--device", "1,1", "-o", output, environment=self.failing_at(10), status=3)
            self.assertIn(b"failed with", done.stderr)
            self.assertFalse((self.folder / output).exists())

    def test_search(self):
        self.run_program("index", "-q", "-o", "p.bow", "--device", "all", "--kernel", "gpu1", "--words-k", "40", "--code-k", "8", "in",
                         environment=TWO)
        self.run_program("index", "-q", "-o", "q.bow", "--kernel", "simd", "--words-k", "40", "--code-k", "8", "in")
        for what in ("words", "code"):
            exports = []
            for library in ("p.bow", "q.bow"):
                self.run_program("export", "-q", library, "--what", what, "-o", "e.csv")
                exports.append((self.folder / "e.csv").read_bytes())
            self.assertEqual(exports[0], exports[1])
        answers = [self.run_program("search", "-q", "q.bow", *options, "in", environment=environment).stdout
                   for options, environment in ((("--kernel", "simd"), {}), (("--device", "all"), TWO),
                                                (("--device", "all"), self.failing_at(15)))]
        self.assertEqual(answers[1], answers[0])
        self.assertEqual(answers[2], answers[0])

    @unittest.skipUnless(RUSTICL, "BOWHIST_TEST_RUSTICL names no folder with rusticl's .icd")
    def test_devices_of_two_implementations(self):
        self.prepare_vocabulary()
        drivers = self.folder / "drivers"
        drivers.mkdir()
        for folder in (os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"), RUSTICL):
            for icd in pathlib.Path(folder).glob("*.icd"):
                if icd.stem in ("pocl", "rusticl"):
                    shutil.copy(icd, drivers / icd.name)
        for kind in ("cpu", "gpu"):
            both = {"OCL_ICD_VENDORS": str(drivers), "RUSTICL_ENABLE": "llvmpipe", "RUSTICL_DEVICE_TYPE": kind}
            for call, output in self.CALLS:
                with self.subTest(call, kind=kind):
                    call = [word.replace("gpu6", "gpu1") for word in call]
                    one, _ = self.written(*(word.replace("gpu1", "simd") for word in call), "-q", output=output)
                    shared, said = self.written(*call, "-v", "--device", "all", output=output, environment=both)
                    self.assertEqual(shared, one)
                    self.assertIn(" and gpu1 on ", said)


if __name__ == "__main__":
    unittest.main()
