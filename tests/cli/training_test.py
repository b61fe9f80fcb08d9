"""Training: descriptors that stay in their file, --memory, and checkpoints of trainings that were stopped."""
import json
import os
import re
import resource
import signal
import subprocess
import unittest

import numpy

from program import ProgramTest, write_picture


def train(*more, kernel="simd", k=16, sample=0, iterations=3, output="t.bin"):
    return ["train", "--kernel", kernel, "-k", str(k), "--sample", str(sample), "--iterations", str(iterations), "-o", output, *more]


class Training(ProgramTest):
    def prepare(self):
        self.names = [f"{seed}.npy" for seed in range(8)]
        for seed, name in enumerate(self.names):
            self.write_descriptors(name, 20000 + seed, seed=seed)
        self.run_program("extract", "-o", "all.fbin", *self.names)

    def least(self, call):
        """--memory with the least that a call says it takes; what is there at its start differs by little."""
        printed = self.run_program(*call, "--memory", "1M", status=2).stderr
        self.assert_one_line(printed, "--memory 1M is too little to learn", "in a file, which takes", "raise it")
        return f"--memory={int(re.search(rb'which takes ([0-9]+)M', printed)[1]) + 3}M"

    def pair(self, name="c.bin"):
        return [(self.folder / f"{name}{ending}").read_bytes() for ending in ("", ".json")]

    def test_descriptors_in_their_file_teach_the_same(self):
        self.run_program(*train("all.fbin", output="c.bin"))
        expected = self.pair()
        for kernel in ("simd", "gpu2"):
            call = train("all.fbin", kernel=kernel)
            for threads in ("1", "2"):
                with self.subTest(kernel=kernel, threads=threads):
                    done = self.run_program(*call, self.least(call), "-j", threads, "-v")
                    self.assertIn(b"160028 descriptors of 64 dimensions, which stay in their files", done.stderr)
                    self.assertEqual(self.pair("t.bin"), expected)
        # of several files; what cannot be used is left out, wherever descriptors lie
        self.run_program("extract", "-o", "a.fbin", *self.names[:3])
        self.run_program("extract", "-o", "b.fbin", *self.names[3:])
        with open(self.folder / "b.fbin", "r+b") as file:
            file.seek(8 + 256 * 50000)
            file.write(b"\xff" * 4)
        outcomes = []
        for memory in ([], [self.least(train("all.fbin"))]):
            done = self.run_program(*train("-v", "a.fbin", "b.fbin"), *memory, status=1)
            self.assertIn(b"bowhist: skipped b.fbin, picture 5.npy: row 50000 holds NaN", done.stderr)
            self.assertEqual(b"which stay in their files" in done.stderr, bool(memory))
            outcomes.append(self.pair("t.bin"))
        self.assertEqual(outcomes[0], outcomes[1])

    def test_memory_is_held_to(self):
        call = train("all.fbin")
        memory = self.least(call)
        least = int(memory[9:-1])
        for more in (0, 5, 12):
            self.assertLessEqual(self.peak(*call, f"--memory={least + more}M"), least + more)
        self.assertGreater(self.peak(*call), 40)
        # many threads, some parts in memory
        call_of_many = train("all.fbin", "-j", "16")
        for more in (0, 20):
            size = int(self.least(call_of_many)[9:-1]) + more
            self.assertLessEqual(self.peak(*call_of_many, f"--memory={size}M"), size)
        # a picture of many descriptors passes by as a whole
        self.write_descriptors("large.npy", 150000, seed=9)
        self.run_program("extract", "-o", "large.fbin", "0.npy", "large.npy")
        for more in (0, 12, 45):
            size = int(self.least(train("large.fbin"))[9:-1]) + more
            self.assertLessEqual(self.peak(*train("large.fbin"), f"--memory={size}M"), size)
        # a sample is drawn while descriptors pass by
        call = train("all.fbin", sample=5000)
        self.assertLessEqual(self.peak(*call, memory), least)
        self.run_program(*train("all.fbin", sample=5000, output="c.bin"))
        self.assertEqual(self.pair("t.bin"), self.pair())

    def test_memory_that_cannot_suffice(self):
        for size in ("512Q", "-1", "0", "1.5G", "", "99999999999G"):
            printed = self.run_program(*train("all.fbin"), f"--memory={size}", status=2).stderr
            self.assert_one_line(printed, "--memory")
            self.assertTrue(not size or b"takes a size, such as 512M or 4G" in printed, printed)
        memory = self.least(train("all.fbin"))
        for inputs in (self.names, ["all.fbin", "0.npy"]):
            printed = self.run_program(*train(*inputs), memory, status=2).stderr
            self.assert_one_line(printed, "has room for", "extract all of them to one .fbin")
        printed = self.run_program(*train("all.fbin", "--init", "greedy"), memory, status=2).stderr
        self.assert_one_line(printed, "has room for", "leave --init out: greedy keeps all of them there")
        printed = self.run_program(*train("all.fbin", sample=150000), memory, status=2).stderr
        self.assert_one_line(printed, "has room for", "lower --sample", "give --sample 0")
        room = int(re.search(rb"room for (\d+) ", printed)[1])
        self.run_program(*train("all.fbin", sample=room * 9 // 10), memory)

    def test_caches_that_cannot_be_learned_from(self):
        memory = self.least(train("all.fbin"))
        # fewer descriptors than words; all equal
        for more in ([], ["--memory=1M"]):
            printed = self.run_program(*train("all.fbin", *more, k=10**9), status=3).stderr
            self.assert_one_line(printed, "160028 descriptors cannot make 1000000000 words")
        (self.folder / "flat.pgm").write_bytes(b"P5 64 64 255\n" + bytes(64 * 64))
        self.run_program("extract", "-o", "none.fbin", "flat.pgm", "flat.pgm")
        printed = self.run_program(*train("none.fbin", "--memory=1M"), status=3).stderr
        self.assertIn(b"0 descriptors: none of the inputs gave any", printed)
        numpy.save(self.folder / "same.npy", numpy.full((20000, 64), 0.5, "<f4"))
        self.run_program("extract", "-o", "same.fbin", *["same.npy"] * 8)
        self.run_program(*train("same.fbin"), memory)
        self.run_program(*train("same.fbin", output="c.bin"))
        self.assertEqual(self.pair("t.bin"), self.pair())
        self.assertTrue((numpy.frombuffer(self.pair()[0][8:], "<f4") == 0.5).all())
        # of another extractor than the cache before it, or than the picture
        write_picture(self.folder / "p.pgm", 1)
        self.run_program("extract", "-o", "dense.fbin", "p.pgm", "p.pgm")
        self.run_program("extract", "--extractor", "akaze", "-o", "akaze.fbin", "p.pgm", "p.pgm")
        for first in ("dense.fbin", "p.pgm"):
            printed = self.run_program(*train(first, "akaze.fbin"), status=1).stderr
            self.assert_one_line(printed, "akaze.fbin: made with --extractor akaze", "dense", "extract it again")
        # cut: none is left
        os.truncate(self.folder / "all.fbin", 30_000_000)
        printed = self.run_program(*train("all.fbin"), memory, status=3).stderr.decode().splitlines()
        self.assertEqual(len(printed), 2, printed)
        self.assertIn("skipped all.fbin: its header promises 160028 rows", printed[0])
        self.assertIn("none of the inputs could be used", printed[1])

    def stopped(self, call, words, how):
        """Ends a training as soon as it says these words. @return its status"""
        with subprocess.Popen([os.environ["BOWHIST"], *call, "-v"], cwd=self.folder, stderr=subprocess.PIPE, text=True) as process:
            for line in process.stderr:
                if words in line:
                    process.send_signal(how)
        return process.returncode

    def test_a_training_that_was_killed_goes_on(self):
        call = train("all.fbin", "--checkpoint", "t.npz", k=64, iterations=10)
        streamed = [*call, self.least(call)]
        self.run_program(*train("all.fbin", k=64, iterations=10, output="c.bin"))
        expected = self.pair()
        for first, second in ((streamed, call), (call, streamed)):
            self.assertEqual(self.stopped(first, "iteration 2:", signal.SIGINT), 130)
            kept = (self.folder / "t.npz").read_bytes()
            self.assertEqual(self.stopped(second, "iteration 5:", signal.SIGKILL), -signal.SIGKILL)
            self.assertEqual((self.folder / "t.npz").read_bytes(), kept)
            self.assertFalse((self.folder / "t.bin").exists())
            self.assertNotIn(b"iteration 1:", self.run_program(*second, "-v").stderr)
            self.assertEqual(self.pair("t.bin"), expected)
            (self.folder / "t.bin").unlink()
            kept = (self.folder / "t.npz").read_bytes()
            (self.folder / "t.npz").unlink()
        # of other data: without the last picture
        (self.folder / "t.npz").write_bytes(kept)
        self.run_program("extract", "-o", "less.fbin", *self.names[:-1])
        printed = self.run_program(*train("less.fbin", "--checkpoint", "t.npz", k=64, iterations=10), streamed[-1], status=2).stderr
        self.assert_one_line(printed, "t.npz: is a checkpoint of other descriptors", "remove it to train anew")
        self.assertEqual((self.folder / "t.npz").read_bytes(), kept)

    def test_what_was_extracted_is_kept(self):
        """Ctrl-C while pictures are read, before the first iteration, and later."""
        count = 60
        names = [f"{number:02}.pgm" for number in range(count)]
        for number, name in enumerate(names):
            write_picture(self.folder / name, number)
        (self.folder / "05.pgm").write_bytes(b"P5 none")

        def call(*more, k=500, output="t.bin"):
            sample = 1000 if more else 20000
            return train(*more, *names, kernel="serial", k=k, sample=sample, output=output)

        def spoil():
            """What is read now is skipped; times and sizes stay."""
            for name in names:
                path = self.folder / name
                kept[name] = path.read_bytes(), path.stat()
                path.write_bytes(bytes(len(kept[name][0])))
                os.utime(path, ns=(kept[name][1].st_atime_ns, kept[name][1].st_mtime_ns))

        def repair():
            for name, (content, status) in kept.items():
                (self.folder / name).write_bytes(content)
                os.utime(self.folder / name, ns=(status.st_atime_ns, status.st_mtime_ns))

        kept = {}
        checkpoint = self.folder / "p.npz"
        slow = ["--extractor", "kaze", "-j", "1"]
        for words, more in (("", slow), ("descriptors of 64 dimensions", []), ("iteration 1:", [])):
            with self.subTest(words=words):
                self.run_program(*call(*more, output="c.bin"), status=1)
                expected = self.pair()
                resumable = [*call(*more), "--checkpoint", "p.npz", "-v"]
                if not words:
                    done = self.stopped_while_reading(resumable, 10)
                    self.assertLess(done, count)
                else:
                    self.assertEqual(self.stopped(resumable, words, signal.SIGINT), 130)
                    done = count
                with numpy.load(checkpoint) as archive:
                    self.assertEqual(archive["sample"].shape[1], 64)
                    self.assertEqual("centroids" in archive, words == "iteration 1:")
                if done == count:
                    spoil()
                printed = self.run_program(*resumable, status=1).stderr
                repair()
                self.assertIn(f"{done} of {count} inputs are in the checkpoint".encode(), printed)
                self.assertEqual(b"iteration 0:" in printed, words != "iteration 1:")
                self.assertIn(f"{count - 1} read, 1 skipped".encode(), printed)
                self.assertEqual(self.pair("t.bin"), expected)
                with numpy.load(checkpoint) as archive:
                    self.assertNotIn("sample", archive)
                checkpoint.unlink()
        # of other words, too, but not of other pictures or options
        self.assertEqual(self.stopped([*call(), "--checkpoint", "p.npz"], "descriptors of 64", signal.SIGINT), 130)
        before = checkpoint.read_bytes()
        for more in (["0.npy"], ["--seed", "2"], ["--step", "2"], ["--max-side", "100"]):
            printed = self.run_program(*call(), "--checkpoint", "p.npz", *more, status=2).stderr
            self.assert_one_line(printed, "p.npz: is a checkpoint of other inputs", "remove it to train anew")
        printed = self.run_program(*train("0.npy", "--checkpoint", "p.npz"), status=2).stderr
        self.assert_one_line(printed, "p.npz: is a checkpoint of other inputs")
        self.assertEqual(checkpoint.read_bytes(), before)
        self.assertIn(b"in the checkpoint", self.run_program(*call(k=4), "--checkpoint", "p.npz", "-v", status=1).stderr)

    def stopped_while_reading(self, call, pictures):
        """Interrupts a training after `pictures` pictures. @return how many its checkpoint has"""
        with subprocess.Popen([os.environ["BOWHIST"], *call, "--progress", "always"], cwd=self.folder, stderr=subprocess.PIPE) as process:
            text = b""
            while not (found := re.findall(rb"(\d+) of \d+ pictures", text)) or int(found[-1]) < pictures:
                text += process.stderr.read1(100)
            process.send_signal(signal.SIGINT)
            process.stderr.read()
        self.assertEqual(process.returncode, 130)
        with numpy.load(self.folder / "p.npz") as archive:
            return json.loads(str(archive["meta"]))["gathered"]["done"]

    def test_a_full_disk(self):
        """A limit on the size of files fails as a full disk does. A checkpoint is twice a vocabulary."""
        checkpoint = ["all.fbin", "--checkpoint", "t.npz"]
        self.run_program(*train(*checkpoint, k=512, iterations=1))
        kept = (self.folder / "t.npz").read_bytes()
        before = self.pair("t.bin")
        names = set(os.listdir(self.folder))

        def train_within(limit, status):
            def limit_files():
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

            printed = self.run_program(*train(*checkpoint, k=512, iterations=2), preexec_fn=limit_files, status=status).stderr
            self.assertEqual((self.folder / "t.npz").read_bytes(), kept)
            self.assertEqual(set(os.listdir(self.folder)), names)
            return printed.decode().splitlines()

        self.assertIn("no checkpoint: t.npz", train_within(200_000, 0)[0])
        self.assertNotEqual(self.pair("t.bin"), before)
        before = self.pair("t.bin")
        self.assertIn("t.bin: cannot be written", train_within(100_000, 3)[-1])
        self.assertEqual(self.pair("t.bin"), before)


if __name__ == "__main__":
    unittest.main()
