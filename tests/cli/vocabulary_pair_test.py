"""c.bin and c.bin.json belong together, also when one of them or the program fails."""
import json
import os
import random
import re
import resource
import signal
import subprocess
import time
import unittest

import numpy

from program import ProgramTest, complaints, write_picture


class VocabularyPair(ProgramTest):
    def prepare(self):
        write_picture(self.folder / "p.pgm", 1)

    def train(self, output, extractor, **options):
        return self.run_program("train", "-k", "16", "--kernel", "serial", "--extractor", extractor, "-o", output,
                                "p.pgm", **options)

    def histograms(self, *options, **more):
        return self.run_program("--centroids", "c.bin", "--kernel", "serial", *options, **more)

    def write_pair(self, files):
        for name, content in files.items():
            (self.folder / name).write_bytes(content)

    def read_pair(self):
        return {name: (self.folder / name).read_bytes() for name in ("c.bin", "c.bin.json")}

    def old_and_new(self):
        """Two pairs, the first in place, and what a picture's histogram is by each."""
        pairs = []
        for extractor in ("kaze", "akaze"):
            self.train("c.bin", extractor)
            pairs.append((self.read_pair(), self.histograms("p.pgm").stdout))
        self.assertNotEqual(pairs[0][1], pairs[1][1])
        self.write_pair(pairs[0][0])
        return pairs

    def assert_readable(self, pairs):
        """c.bin is one of the pairs', and gives its histograms without a word."""
        now = self.read_pair()
        if now in [files for files, _ in pairs]:
            return
        expected = {files["c.bin"]: histograms for files, histograms in pairs}
        done = self.histograms("p.pgm")
        self.assertEqual((done.stdout, complaints(done.stderr)), (expected[now["c.bin"]], []))

    def test_a_missing_sidecar_is_reported_where_it_matters(self):
        self.train("c.bin", "kaze")
        self.assertEqual(complaints(self.histograms("p.pgm").stderr), [])
        (self.folder / "c.bin.json").unlink()
        self.assert_one_line(self.histograms("p.pgm").stderr, "c.bin.json is missing", "--extractor dense is assumed")
        self.assert_one_line(self.histograms("-o", "h.xyz", "p.pgm", status=2).stderr, "h.xyz")
        self.assertEqual(complaints(self.histograms("--extractor", "kaze", "p.pgm").stderr), [])
        self.write_descriptors("d.npy", 20)
        self.assertEqual(complaints(self.histograms("d.npy").stderr), [])
        self.assertEqual(complaints(self.histograms("-q", "p.pgm").stderr), [])

    def test_a_vocabulary_of_unknown_descriptors_is_reported_the_same(self):
        self.write_descriptors("d.npy", 20)
        self.run_program("train", "-k", "4", "-o", "c.bin", "d.npy")
        self.assert_one_line(self.histograms("p.pgm").stderr, "c.bin.json names no extractor", "--extractor dense")
        self.assertEqual(complaints(self.histograms("--extractor", "dense", "p.pgm").stderr), [])
        self.assertEqual(complaints(self.histograms("d.npy").stderr), [])
        # as a training that was killed leaves a vocabulary that had no sidecar
        sidecar = json.loads((self.folder / "c.bin.json").read_text())
        old = {"fingerprint": sidecar["fingerprint"]}
        (self.folder / "c.bin.json").write_text(json.dumps({**sidecar, "fingerprint": "new", "replaces": old}))
        self.assert_one_line(self.histograms("p.pgm").stderr, "c.bin.json names no extractor", "--extractor dense")

    def test_a_sidecar_of_another_vocabulary_refuses_pictures(self):
        self.train("c.bin", "kaze")
        self.write_centroids()
        self.write_descriptors("d.npy", 20)
        for inputs in (["p.pgm"], ["d.npy", "p.pgm"], ["."]):
            done = self.histograms("-o", "h.csv", *inputs, status=3)
            self.assert_one_line(done.stderr, "c.bin.json", "fingerprint", "--extractor")
            self.assertFalse((self.folder / "h.csv").exists())
        for call in (["--extractor", "dense", "p.pgm"], ["d.npy"]):
            self.assert_one_line(self.histograms(*call).stderr, "c.bin.json", "ignored")

    def test_whatever_a_sidecar_says_it_can_be_replaced(self):
        self.train("c.bin", "kaze")
        sound = (self.folder / "c.bin.json").read_text()
        for odd in (r"\udcff", r"\u0000", r"\u00e9"):
            self.write_pair({"c.bin.json": re.sub(r'"version": "[^"]*"', lambda _: f'"version": "{odd}"', sound).encode()})
            self.train("c.bin", "akaze")
            self.train("c.bin", "kaze")
            self.assertEqual((self.folder / "c.bin.json").read_text(), sound)

    def test_a_full_disk_leaves_the_old_pair(self):
        """A limit on the size of files fails as a full disk does."""
        pairs = self.old_and_new()
        size = len(pairs[1][0]["c.bin"])
        for limit in (0, 300, 600, size - 1, size):
            with self.subTest(limit=limit):
                self.write_pair(pairs[0][0])
                enough = limit >= size
                before = set(os.listdir(self.folder))
                done = self.train("c.bin", "akaze", status=0 if enough else 3,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertEqual(self.read_pair(), pairs[enough][0])
                if not enough:
                    self.assert_one_line(done.stderr, "c.bin", "cannot be written")
                    self.assertEqual(set(os.listdir(self.folder)), before)

    def test_a_kill_at_any_moment_leaves_a_readable_pair(self):
        pairs = self.old_and_new()
        draw = random.Random(1)
        inode = lambda name: os.stat(self.folder / name).st_ino
        killed = 0
        begin = time.monotonic()
        self.train("c.bin", "akaze")
        whole = time.monotonic() - begin
        for attempt in range(15):
            self.write_pair(pairs[0][0])
            # at any time, or as soon as the first or the second file was renamed
            watched = ("p.pgm", "c.bin.json", "c.bin")[attempt % 3]
            before = inode(watched)
            end = time.monotonic() + (draw.uniform(0, whole) if watched == "p.pgm" else 60)
            with subprocess.Popen([os.environ["BOWHIST"], "train", "-k", "16", "--kernel", "serial", "--extractor", "akaze", "-o", "c.bin",
                                   "p.pgm"], cwd=self.folder, stderr=subprocess.DEVNULL) as process:
                while process.poll() is None and time.monotonic() < end and inode(watched) == before:
                    pass
                process.kill()
            killed += process.returncode == -signal.SIGKILL
            self.assert_readable(pairs)
        self.assertGreater(killed, 0)
        self.train("c.bin", "akaze")
        self.assertEqual(self.read_pair(), pairs[1][0], "nothing of what was interrupted is left in the pair")

    def test_nothing_is_extracted_for_a_sidecar_that_cannot_be_written(self):
        (self.folder / "c.bin.json").mkdir()
        done = self.run_program("train", "-k", "4", "-o", "c.bin", "missing.jpg", status=3)
        self.assert_one_line(done.stderr, "c.bin.json", "is a directory")

    def test_thresholds_are_shown_and_recorded(self):
        for verb in ([], ["train"], ["extract"]):
            help_text = " ".join(self.run_program(*verb, "--help").stdout.decode().split())
            self.assertIn("akaze 0.001", help_text)
            self.assertIn(", kaze 0.001", help_text)
        for extractor in ("akaze", "kaze"):
            for options, threshold in ((["--threshold", "0"], 0.001), (["--threshold", "0.0005"], 0.0005)):
                call = ["--extractor", extractor, *options, "p.pgm"]
                self.run_program("train", "-k", "4", "--kernel", "serial", "-o", "c.bin", *call)
                self.run_program("extract", "-o", "d.npy", *call)
                self.histograms("-o", "h.npz", "p.pgm")
                for sidecar in ("c.bin.json", "d.npy.json"):
                    recorded = json.loads((self.folder / sidecar).read_text())["extractor"]["threshold"]
                    self.assertEqual(recorded, threshold, sidecar)
                meta = json.loads(str(numpy.load(self.folder / "h.npz")["meta"]))
                self.assertIn(f"{extractor} --threshold {threshold} ", meta["extractor"])
        # which is what the extractor takes by itself
        self.train("c.bin", "akaze")
        own = self.histograms("p.pgm").stdout
        self.assertEqual(self.histograms("--threshold", "0.001", "p.pgm").stdout, own)
        self.assertNotEqual(self.histograms("--threshold", "0.0001", "p.pgm").stdout, own)

    def test_histograms_are_no_vocabulary(self):
        self.train("c.bin", "akaze")
        self.write_descriptors("d.npy", 20)
        for ending in ("csv", "npy", "npz", "jsonl", "svm"):
            self.histograms("-o", f"h.{ending}", "p.pgm")
            for call in (["p.pgm"], ["assign", "-o", "w.npy", "d.npy"]):
                done = self.run_program(*call, "--centroids", f"h.{ending}", status=3)
                self.assert_one_line(done.stderr, f"h.{ending}: is not a vocabulary", f".{ending} ", "histograms", "c.bin", "bowhist train")
        (self.folder / "v.CSV").write_text("neither\n")
        done = self.run_program("--centroids", "v.CSV", "p.pgm", status=3)
        self.assert_one_line(done.stderr, "v.CSV: is not a vocabulary; .csv is read as histograms")


if __name__ == "__main__":
    unittest.main()
