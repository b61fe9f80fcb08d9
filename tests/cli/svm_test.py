"""What -o h.svm writes is what svm-train and liblinear read, whatever the pictures are called."""
import os
import shutil
import subprocess
import unittest

import numpy

from program import ProgramTest

# every byte that a name may hold, and what looks like an entry, a label or a comment
NAMES = [b"2024-01-01 12:30:05.npy", b"a b.npy", b"1:1 2:2.npy", b"# 3:4 #.npy", b"tab\t1:2.npy", b"line\n0 1:1.npy", b"cr\r.npy",
         b"100%3A.npy", b"caf\xe9:\xff.npy", b"nan:inf.npy", b"-1.npy", b" ", b":", b"qid:7.npy", b"\x0b\x0c\x1a\x1c:\x85.npy",
         *(bytes([byte]) + b"x.npy" for byte in range(1, 256) if byte != ord("/"))]


class Svm(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write_centroids(k=6)
        self.names = [name if name.endswith(b".npy") else name + b".npy" for name in NAMES]
        folder = os.fsencode(self.folder)
        for seed, name in enumerate(self.names):
            with open(os.path.join(folder, name), "wb") as file:
                # one without descriptors is a line without words
                numpy.save(file, numpy.random.default_rng(seed).standard_normal((seed % 7, 64)).astype("<f4"))
        (self.folder / "list").write_bytes(b"\0".join(self.names))
        self.call = ["--centroids", "c.bin", "--extractor", "dense", "--files-from", "list", "-0"]

    def test_the_usual_programs_read_it(self):
        programs = [program for program in ("svm-train", "liblinear-train") if shutil.which(program)]
        if not programs:
            self.skipTest("no libsvm and no liblinear here")
        self.run_program(*self.call, "-o", "h.svm")
        lines = (self.folder / "h.svm").read_bytes().split(b"\n")
        # two classes, or there is nothing to train
        (self.folder / "two.svm").write_bytes(b"\n".join(b"1" + line[1:] if i % 2 and line else line for i, line in enumerate(lines)))
        for program in programs:
            done = subprocess.run([program, "two.svm", "model"], cwd=self.folder, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            self.assertNotIn(b"Wrong input", done.stderr + done.stdout)
            self.assertTrue((self.folder / "model").stat().st_size > 50)
        # the same rows without names make the same model
        bare = b"\n".join(line.split(b" # ")[0] for line in (self.folder / "two.svm").read_bytes().split(b"\n"))
        (self.folder / "bare.svm").write_bytes(bare)
        for program in programs:
            models = []
            for name in ("two.svm", "bare.svm"):
                subprocess.run([program, name, "model"], cwd=self.folder, capture_output=True, check=True)
                models.append((self.folder / "model").read_bytes())
            self.assertEqual(*models)


if __name__ == "__main__":
    unittest.main()
