"""Bad input gets one clear line and its exit status, and never costs other input."""
import os
import subprocess
import unittest

import numpy

from program import ProgramTest, complaints, write_picture, write_vocabulary


class BadInput(ProgramTest):
    def prepare(self):
        write_picture(self.folder / "good.pgm", 1)
        self.run_program("train", "-k", "32", "--kernel", "serial", "-o", "c.bin", "good.pgm")
        self.good = self.run_program("--centroids", "c.bin", "good.pgm").stdout

    def assert_skipped(self, name, *words, kernel="auto"):
        """The input is left out with one line; its neighbors' rows are as without it."""
        done = self.run_program("--centroids", "c.bin", "--kernel", kernel, name, "good.pgm", status=1)
        self.assertEqual(done.stdout, self.good)
        self.assert_one_line(done.stderr, *words)
        done = self.run_program("--centroids", "c.bin", "--strict", name, "good.pgm", status=3)

    def test_what_is_no_path(self):
        (self.folder / "list").write_bytes(b"x" * 5_000_000 + b"\ngood.pgm\n")
        done = self.run_program("--centroids", "c.bin", "--files-from", "list", status=1)
        self.assert_one_line(done.stderr, "skipped xxx", "...: in list: it is longer than a path can be")
        self.assertLess(len(done.stderr), 400)
        self.assertEqual(done.stdout, self.good)
        (self.folder / "folder").mkdir()
        write_picture(self.folder / "folder/a.pgm", 1)
        for names in (b"folder\0folder/a.pgm\0", b"folder\0" * 1000):
            (self.folder / "list").write_bytes(names)
            done = self.run_program("--centroids", "c.bin", "--files-from", "list", status=3)
            self.assert_one_line(done.stderr, "skipped folder\\x00", "NUL", "-0")
            self.assertLess(len(complaints(done.stderr)[0]), 400)
        for call in (["cluster", "-k", "2", "-o", "g.csv"], ["assign", "--centroids", "c.bin", "-o", "w.npy"]):
            self.assert_one_line(self.run_program(*call, "nosuch/", status=3).stderr, "nosuch/: cannot be opened: No such file")
        done = self.run_program("--centroids", "c.bin", "", "good.pgm", status=1)
        self.assert_one_line(done.stderr, "skipped '': ")

    def test_pictures(self):
        (self.folder / "empty.jpg").write_bytes(b"")
        (self.folder / "text.jpg").write_text("no picture at all")
        (self.folder / "folder.jpg").mkdir()
        (self.folder / "cut.pgm").write_bytes((self.folder / "good.pgm").read_bytes()[:5000])
        os.mkfifo(self.folder / "pipe.jpg")
        for name in ("empty.jpg", "text.jpg", "missing.jpg", "pipe.jpg", "cut.pgm"):
            with self.subTest(name):
                self.assert_skipped(name, name, kernel="gpu2")
        # A folder is searched, whatever its name; this one holds nothing.
        done = self.run_program("--centroids", "c.bin", "folder.jpg", "good.pgm")
        self.assertEqual(done.stdout, self.good)

    def test_names_with_newlines_stay_on_one_line(self):
        self.assert_skipped("no\nsuch\x1bpicture.jpg", "picture.jpg")

    def test_a_huge_header_is_refused_before_decoding(self):
        (self.folder / "huge.pgm").write_bytes(b"P5\n60000 60000\n255\n")
        self.assert_skipped("huge.pgm", "huge.pgm", "60000", "max-pixels")

    def test_descriptor_files(self):
        self.write_descriptors("wide.npy", 10, dimensions=128)
        values = self.write_descriptors("nan.npy", 10)
        values[7, 3] = numpy.nan
        numpy.save(self.folder / "nan.npy", values)
        numpy.save(self.folder / "double.npy", values.astype("<f8"))
        (self.folder / "cut.npy").write_bytes((self.folder / "wide.npy").read_bytes()[:1000])
        (self.folder / "junk.npy").write_bytes(os.urandom(100))
        self.assert_skipped("wide.npy", "128", "64")
        self.assert_skipped("nan.npy", "row 7")
        for name in ("double.npy", "cut.npy", "junk.npy"):
            self.assert_skipped(name, name)
        done = self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "wide.npy", status=3)
        self.assert_one_line(done.stderr, "128", "64")
        self.assertFalse((self.folder / "w.npy").exists())

    def test_nothing_usable_is_no_result(self):
        done = self.run_program("--centroids", "c.bin", "missing.jpg", status=3)
        self.assertLessEqual(done.stdout.count(b"\n"), 1)  # the header

    def test_vocabularies(self):
        values = numpy.zeros((4, 64), "<f4")
        values[2, 5] = numpy.inf
        write_vocabulary(self.folder / "inf.bin", values)
        write_vocabulary(self.folder / "narrow.bin", numpy.zeros((4, 32)))
        for name, words in (("inf.bin", ["row 2"]), ("narrow.bin", ["32", "64"]), ("missing.bin", []), (".", [])):
            with self.subTest(name):
                done = self.run_program("--centroids", name, "good.pgm", status=3)
                self.assertEqual(done.stdout, b"")
                self.assert_one_line(done.stderr, *words)

    def test_outputs_that_cannot_be_looked_at(self):
        """They may or may not be folders; that they cannot be written is reported."""
        self.write_descriptors("d.npy", 100)
        (self.folder / "loop.npz").symlink_to("loop.npz")
        (self.folder / "loop.csv").symlink_to("loop.csv")
        for target in ("a" * 300 + ".npz", "a" * 300 + ".fbin", "a" * 300, "loop.npz"):
            with self.subTest(target):
                done = self.run_program("extract", "-o", target, "good.pgm", status=3)
                self.assert_one_line(done.stderr, target, "name" if target[0] == "a" else "symbolic links")
        for outputs in (["-o", "{}.bin"], ["-o", "t.bin", "--plot", "{}.svg"], ["-o", "t.bin", "--checkpoint", "{}.npz"]):
            with self.subTest(outputs):
                call = ["train", "-k", "4", *(output.format("a" * 300) for output in outputs), "d.npy"]
                self.assert_one_line(self.run_program(*call, status=3).stderr, "name too long")
                self.assertFalse((self.folder / "t.bin").exists())  # reported before anything is done
        done = self.run_program("--centroids", "c.bin", "-o", "loop.csv", "good.pgm", status=3)
        self.assert_one_line(done.stderr, "loop.csv", "symbolic links")

    def test_two_outputs_are_two_files(self):
        self.run_program("extract", "-o", "x.npz", "good.pgm")
        before = (self.folder / "x.npz").read_bytes()
        (self.folder / "d.png").symlink_to("x.npz")
        self.assert_one_line(
            self.run_program("extract", "-o", "x.npz", "--draw", "d.png", "good.pgm", status=2).stderr,
            "x.npz: is written twice")
        self.assertEqual((self.folder / "x.npz").read_bytes(), before)
        (self.folder / "real").mkdir()
        (self.folder / "link").symlink_to("real")
        (self.folder / "dangling.npy").symlink_to("real/new.npy")
        for other in ("link/new.npy", "dangling.npy", "real/../real/new.npy"):
            done = self.run_program("filter", "good.pgm", "--histogram", "real/new.npy", "--integral", other, status=2)
            self.assert_one_line(done.stderr, f"{other}: is written twice")

    def test_hard_links_are_two_files(self):
        for name in ("a.pgm", "b.pgm"):
            write_picture(self.folder / name, 2)
        self.run_program("extract", "-o", "out", "a.pgm", "b.pgm")
        (self.folder / "out/b.npy").unlink()
        (self.folder / "out/b.npy").hardlink_to(self.folder / "out/a.npy")
        self.run_program("extract", "-o", "out", "a.pgm", "b.pgm")

    def test_few_of_many_descriptors_take_little_memory(self):
        noise = numpy.random.default_rng(1).integers(0, 256, 1600 * 1200).astype("u1")  # 1.9 million patches, 490 MB
        (self.folder / "noise.pgm").write_bytes(b"P5 1600 1200 255\n" + noise.tobytes())
        call = ["extract", "-o", "x.npy", "--max-side", "0", "--step", "1", "--patches", "16", "--max-descriptors", "1000"]
        self.assertLess(self.peak(*call, "noise.pgm"), 200)

    def test_output_that_is_lost_is_an_error(self):
        for arguments in (["devices"], ["kernels"], ["--help"], ["devices", "--json"], ["bench", "transpose", "-n", "64", "--rounds", "1", "--plot", "p.svg"]):
            with open("/dev/full", "wb") as full:
                self.assert_one_line(self.run_program(*arguments, stdout=full, status=3).stderr, "standard output")
        self.assertFalse((self.folder / "p.svg").exists())

    def test_closed_streams_spoil_nothing(self):
        program = os.environ["BOWHIST"]

        def shell(line):
            return subprocess.run(["sh", "-c", line], cwd=self.folder, capture_output=True, timeout=60)

        self.assertEqual(shell(f"{program} --centroids c.bin -o h.csv missing.jpg good.pgm 2>&-").returncode, 1)
        self.assertEqual((self.folder / "h.csv").read_bytes(), self.good)
        self.assertEqual(shell(f"{program} --centroids c.bin --progress always good.pgm 2>&-").stdout, self.good)
        self.assertEqual(shell(f"{program} --centroids c.bin --progress always good.pgm 2>/dev/full").stdout, self.good)
        self.assertEqual(shell(f"{program} --centroids c.bin good.pgm >&-").returncode, 3)

    def test_damaged_jpegs_are_skipped_or_kept(self):
        self.run_program("filter", "good.pgm", "-o", "whole.jpg", "--equalize")
        jpeg = (self.folder / "whole.jpg").read_bytes()
        (self.folder / "half.jpg").write_bytes(jpeg[: len(jpeg) // 2] + b"\xff\xd9")
        (self.folder / "cut.jpg").write_bytes(jpeg[: len(jpeg) // 2])
        for name, word in (("half.jpg", "damaged"), ("cut.jpg", "truncated")):
            self.assert_skipped(name, name, word, "--keep-damaged")
            for arguments in (["--centroids", "c.bin"], ["train", "-k", "2", "-o", "t.bin"], ["extract", "-o", "d"]):
                done = self.run_program(*arguments, "--keep-damaged", name, "good.pgm")
                self.assert_one_line(done.stderr, name, "damaged", "as it is")
            done = self.run_program("filter", "--keep-damaged", name, "-o", "f.pgm", "--equalize")
            self.assert_one_line(done.stderr, name, "damaged", "as it is")
        (self.folder / "long.pgm").write_bytes((self.folder / "good.pgm").read_bytes() + b"rest")
        done = self.run_program("--centroids", "c.bin", "--keep-damaged", "whole.jpg", "long.pgm")
        self.assertEqual(complaints(done.stderr), [])

    def test_training_reports_at_once(self):
        for options, status in ((["--kernel", "gpu9"], 2), (["--device", "no-such", "--kernel", "gpu1"], 3)):
            done = self.run_program("train", "-k", "2", "-o", "t.bin", *options, "missing.jpg", status=status)
            self.assert_one_line(done.stderr)
        (self.folder / "flat.pgm").write_bytes(b"P5\n64 64\n255\n" + bytes(64 * 64))
        done = self.run_program("train", "-k", "2", "-o", "t.bin", "--kernel", "gpu3", "flat.pgm", status=3)
        self.assert_one_line(done.stderr, "0 descriptors")

    def test_a_broken_kernel_shows_before_any_row(self):
        self.run_program("kernels", "--dump", "k")
        (self.folder / "k" / "gpu2.cl").write_text("this is no OpenCL")
        done = self.run_program("--centroids", "c.bin", "--kernel", "gpu2", "--kernel-dir", "k", "good.pgm", status=3)
        self.assertEqual(done.stdout, b"")

    def test_a_failed_run_leaves_the_old_file(self):
        (self.folder / "h.csv").write_text("old")
        self.run_program("--centroids", "c.bin", "--strict", "-o", "h.csv", "good.pgm", "missing.jpg", status=3)
        self.assertEqual((self.folder / "h.csv").read_text(), "old")
        self.assertEqual([n for n in os.listdir(self.folder) if "h.csv" in n], ["h.csv"])

    def test_without_any_opencl(self):
        nowhere = {"OCL_ICD_VENDORS": str(self.folder / "nowhere")}
        done = self.run_program("--centroids", "c.bin", "good.pgm", environment=nowhere)
        self.assertEqual(done.stdout, self.good)
        for level in ("serial", "openmp"):
            done = self.run_program("--centroids", "c.bin", "--kernel", level, "good.pgm", environment=nowhere)
            self.assertEqual(done.stdout, self.good)
        done = self.run_program("--centroids", "c.bin", "--kernel", "gpu1", "good.pgm", environment=nowhere, status=3)
        self.assert_one_line(done.stderr, "OpenCL", "--kernel simd")
        self.run_program("devices", environment=nowhere)
        self.run_program("kernels", environment=nowhere)

    def test_nothing_to_do_says_what_is_missing(self):
        (self.folder / "none").touch()
        numpy.save(self.folder / "none.npy", numpy.zeros((0, 64), "<f4"))
        self.run_program("--centroids", "c.bin", "-o", "h.csv", "--files-from", "none")
        done = self.run_program("cluster", "-k", "2", "-o", "g.csv", "h.csv", status=3)
        self.assert_one_line(done.stderr, "no pictures to group")
        done = self.run_program("train", "-k", "2", "-o", "t.bin", "none.npy", status=3)
        self.assert_one_line(done.stderr, "0 descriptors")
        self.assertNotIn(b"skipped", done.stderr)

    def test_the_device_asked_for_is_named(self):
        self.write_descriptors("d.npy", 10)
        for arguments in (["--centroids", "c.bin", "d.npy"], ["assign", "--centroids", "c.bin", "-o", "w.npy", "d.npy"],
                          ["train", "-k", "2", "-o", "t.bin", "d.npy"], ["kernels"], ["bench", "transpose"],
                          ["filter", "good.pgm", "-o", "f.pgm", "--equalize"]):
            with self.subTest(arguments=arguments):
                done = self.run_program(*arguments, "--device", "99", status=3)
                self.assert_one_line(done.stderr, '"99"', "choose one of: 0 ")
        self.assertEqual({p.name for p in self.folder.iterdir()}, {"c.bin", "c.bin.json", "good.pgm", "d.npy"})

    def test_training(self):
        done = self.run_program("train", "-k", "100000", "-o", "t.bin", "good.pgm", status=3)
        self.assert_one_line(done.stderr, "100000")
        self.assertFalse((self.folder / "t.bin").exists())
        self.assert_one_line(self.run_program("train", "-k", "2", "-o", "no/t.bin", "good.pgm", status=3).stderr)
        self.assert_one_line(self.run_program("cluster", "-k", "2", "-o", "g.csv", "missing.csv", status=3).stderr)


if __name__ == "__main__":
    unittest.main()
