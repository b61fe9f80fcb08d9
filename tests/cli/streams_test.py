"""Several files, folders, and - for standard input or output."""
import os
import signal
import subprocess
import unittest

import numpy

from program import GROUPED, ProgramTest, complaints, wait_until_it_listens, wait_until_it_reads_on, write_picture


class Streams(ProgramTest):
    def prepare(self):
        self.names = [f"p{seed}.pgm" for seed in range(6)]
        self.write_pictures(self.names)
        self.run_program("train", "-k", "32", "-o", "c.bin", *self.names)

    def histograms(self, *options):
        return self.run_program("--centroids", "c.bin", *options, *self.names).stdout

    def test_dash_is_standard_output(self):
        expected = self.histograms()
        self.assertEqual(self.histograms("-o", "-"), expected)
        self.assertEqual(self.histograms("--output", "-"), expected)
        self.histograms("-o", "h.csv")
        self.run_program("cluster", "-k", "2", "-o", "g.csv", "h.csv")
        done = self.run_program("cluster", "-k", "2", "--output", "-", "h.csv")
        self.assertEqual(done.stdout, (self.folder / "g.csv").read_bytes())
        self.write_descriptors("d.npy", 100)
        self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "d.npy")
        for target in (subprocess.PIPE, open(self.folder / "out.npy", "wb")):
            done = self.run_program("assign", "--centroids", "c.bin", "-o", "-", "d.npy", stdout=target)
            out = done.stdout if target == subprocess.PIPE else (self.folder / "out.npy").read_bytes()
            self.assertEqual(out, (self.folder / "w.npy").read_bytes())
        target.close()
        with open("/dev/full", "wb") as full:
            for arguments in (["--centroids", "c.bin", "-o", "-", "p0.pgm"], ["cluster", "-k", "2", "-o", "-", "h.csv"],
                              ["assign", "--centroids", "c.bin", "-o", "-", "d.npy"]):
                self.assert_one_line(self.run_program(*arguments, stdout=full, status=3).stderr, "standard output")
        self.assertFalse({"-", "pipe.json"} & set(os.listdir(self.folder)))

    def test_a_reader_that_goes_away(self):
        """Of messages costs nothing; of histograms ends the run as a full disk does."""
        (self.folder / "bad.pgm").touch()
        for stream, call, status in (("stderr", ["-o", "h.csv", "bad.pgm", *self.names], 1), ("stdout", self.names, 3)):
            reader, writer = os.pipe()
            os.close(reader)
            options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: writer}
            done = subprocess.run([os.environ["BOWHIST"], "--centroids", "c.bin", *call], cwd=self.folder, timeout=300, **options)
            os.close(writer)
            self.assertEqual(done.returncode, status)
        self.assert_one_line(done.stderr, "standard output: cannot be written: Broken pipe")
        self.assertEqual((self.folder / "h.csv").read_bytes(), self.histograms())
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".tmp")], [])

    def test_a_closed_stream_is_called_closed(self):
        """It is no empty one."""
        self.run_program("index", "-o", "p.bow", "--centroids", "c.bin", "--describe", "words", *self.names)
        (self.folder / "h.csv").write_text("old")
        for call, status in (("--centroids c.bin -o h.csv --files-from - <&-", 2), ("cluster -k 2 -o h.csv - <&-", 3),
                             ("search p.bow - <&-", 3), ("index -o p.bow --files-from - <&-", 2),
                             ("--centroids c.bin p0.pgm >&-", 3), ("cluster --version >&-", 3), ("search p.bow p0.pgm >&-", 3)):
            with self.subTest(call):
                done = subprocess.run(["sh", "-c", f"{os.environ['BOWHIST']} {call}"], cwd=self.folder, capture_output=True, timeout=60)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assert_one_line(done.stderr, f"standard {'input' if '<' in call else 'output'}: is closed; ")
        self.assertEqual((self.folder / "h.csv").read_text(), "old")

    def test_what_is_two_files_is_no_stream(self):
        os.mkfifo(self.folder / "pipe")
        for arguments in (["train", "-k", "2", "-o", "-", "p0.pgm"], ["train", "-k", "2", "-o", "pipe", "p0.pgm"], ["extract", "-o", "-", "p0.pgm"],
                          ["filter", "--equalize", "-o", "-", "p0.pgm"]):
            done = self.run_program(*arguments, status=2)
            self.assertEqual(done.stdout, b"")
            self.assert_one_line(done.stderr, "standard output" if arguments[0] != "train" else "two files")
        self.assertNotIn("-", os.listdir(self.folder))

    def test_assign_takes_folders(self):
        self.run_program("extract", "-o", "d", *self.names)
        (self.folder / "d" / "sub").mkdir()
        self.write_descriptors("d/sub/plain.fbin.npy", 30)
        write_picture(self.folder / "d" / "beside.pgm", 1)
        files = sorted(str(p.relative_to(self.folder)) for p in (self.folder / "d").rglob("*.npy"))
        self.run_program("assign", "--centroids", "c.bin", "-o", "named.npy", *files)
        done = self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "d")
        self.assertRegex(done.stderr.decode(), r"^bowhist: 7 read, 0 skipped, 1 ignored: 1 \.pgm, [0-9.]+ s\n$")
        self.assertEqual((self.folder / "w.npy").read_bytes(), (self.folder / "named.npy").read_bytes())
        (self.folder / "list").write_text("\n".join(files))
        self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "--files-from", "list")
        self.assertEqual((self.folder / "w.npy").read_bytes(), (self.folder / "named.npy").read_bytes())
        (self.folder / "none").mkdir()
        done = self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "none", status=3)
        self.assertIn(b"none: no descriptor file in this folder", done.stderr)
        done = self.run_program("assign", "--centroids", "c.bin", "-o", files[0], "d", status=2)
        self.assert_one_line(done.stderr, files[0] + " would replace " + files[0])

    def groups(self, *files, **options):
        return self.run_program("cluster", "-k", "2", "-o", "-", *files, **options).stdout

    def test_cluster_reads_several_files(self):
        self.histograms("-o", "all.csv")
        for ending in ("csv", "npz", "jsonl"):
            for part, names in (("first", self.names[:2]), ("last", self.names[2:])):
                self.run_program("--centroids", "c.bin", "-o", f"{part}.{ending}", *names)
        expected = self.groups("all.csv")
        for files in (["first.csv", "last.csv"], ["first.npz", "last.jsonl"], ["first.jsonl", "last.npz"]):
            self.assertEqual(self.groups(*files), expected)
        for part in ("first", "last"):
            table = numpy.load(self.folder / f"{part}.npz")
            numpy.save(self.folder / f"{part}.npy", table["histograms"])
        rows = self.groups("first.npy", "last.npy").decode().splitlines()[1:]
        self.assertEqual([row.split(",")[0] for row in rows], [str(i) for i in range(6)])

    def test_fewer_groups_than_asked_for_are_reported(self):
        numpy.save(self.folder / "same.npy", numpy.ones((20, 8), "<u4"))
        done = self.run_program("cluster", "-k", "5", "-o", "g.csv", "same.npy")
        self.assert_one_line(done.stderr, "warning: 1 group instead of 5")
        numpy.save(self.folder / "shares.npy", numpy.array([[1, 0], [2, 0], [3, 0], [0, 5]], "<u4"))  # two that differ
        done = self.run_program("cluster", "-k", "4", "-o", "g.csv", "shares.npy")
        self.assert_one_line(done.stderr, "warning: 2 groups instead of 4: too few histograms differ once normalised")
        alike = 10 + numpy.array([[1, 2], [0, 0], [2, 0], [0, 2], [0, 0], [1, 2]], "<u4")  # four that differ
        numpy.save(self.folder / "alike.npy", alike)
        done = self.run_program("cluster", "-k", "6", "--normalize", "none", "-o", "g.csv", "alike.npy")
        self.assert_one_line(done.stderr, "warning: 4 groups instead of 6: too few histograms differ")
        done = self.run_program("cluster", "-k", "4", "--normalize", "none", "-o", "g.csv", "alike.npy")
        self.assertEqual(complaints(done.stderr), [])
        self.assertEqual(GROUPED.fullmatch(done.stderr.decode()).groups(), ("6", "4"))
        self.assertEqual(self.run_program("cluster", "-q", "-k", "2", "-o", "g.csv", "alike.npy").stderr, b"")

    def test_cluster_reads_standard_input_in_every_format(self):
        for ending in ("csv", "npz", "jsonl", "npy"):
            self.histograms("-o", f"h.{ending}")
            expected = self.groups(f"h.{ending}")
            data = (self.folder / f"h.{ending}").read_bytes()
            self.assertEqual(self.groups("-", input=data), expected, ending)
            with open(self.folder / f"h.{ending}", "rb") as file:
                self.assertEqual(self.groups("-", stdin=file), expected, ending)
        self.run_program("--centroids", "c.bin", "-o", "first.npz", *self.names[:2])
        rest = self.run_program("--centroids", "c.bin", *self.names[2:]).stdout
        self.assertEqual(self.groups("first.npz", "-", input=rest), self.groups("h.csv"))

    def test_waiting_for_standard_input_can_be_interrupted(self):
        process = subprocess.Popen([os.environ["BOWHIST"], "cluster", "-k", "2", "-o", "g.csv", "-"], cwd=self.folder,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until_it_listens(process)
        process.stdin.write(b"image,")
        process.stdin.flush()
        wait_until_it_reads_on(process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        self.assertEqual(process.stderr.read(), b"bowhist: interrupted\n")
        process.stdin.close()
        process.stderr.close()

    def test_after_two_dashes_a_dash_is_a_file(self):
        self.histograms("-o", "h.csv")
        data = (self.folder / "h.csv").read_bytes()
        self.assertEqual(self.groups("--", "h.csv", input=data), self.groups("h.csv"))
        for files in (["--", "-"], ["h.csv", "--", "-"]):
            done = self.run_program("cluster", "-k", "2", "-o", "g.csv", *files, input=data, status=3)
            self.assert_one_line(done.stderr, "./-: ")
        self.assertEqual(self.groups("-", "--", "h.csv", input=data), self.groups("h.csv", "h.csv"))

    def test_histograms_that_do_not_fit_together(self):
        """In one line that names both files (tests/files/histogram_reader_test.cpp has all cases)."""
        self.histograms("-o", "h.csv")
        shares = self.histograms("--normalize", "l2")
        (self.folder / "l2.csv").write_bytes(shares)
        for files, words in ((["h.csv", "l2.csv"], ["l2.csv: ", " h.csv ", "--normalize"]),
                             (["h.csv", "-"], ["standard input: ", " h.csv "]), (["-", "h.csv"], ["h.csv: ", " standard input "])):
            done = self.run_program("cluster", "-k", "2", "-o", "g.csv", *files, input=shares, status=3)
            self.assert_one_line(done.stderr, *words)
        for file, name in (("-", "standard input"), ("l2.csv", "l2.csv")):
            done = self.run_program("cluster", "-k", "2", "-o", "g.csv", "--normalize", "l2", file, input=shares, status=2)
            self.assert_one_line(done.stderr, name + " is normalised already")
        for data in (b"", b"no histograms", b"{", b"PK\3\4", b"\x93NUMPY", b"image,descriptors\n"):
            done = self.run_program("cluster", "-k", "2", "-o", "g.csv", "-", input=data, status=3)
            self.assert_one_line(done.stderr, "standard input")
        folder = os.open(self.folder, os.O_RDONLY)
        self.assert_one_line(self.run_program("cluster", "-k", "2", "-o", "g.csv", "-", stdin=folder, status=3).stderr,
                             "standard input")
        os.close(folder)
        for files, word in (([], "there is no INPUT"), (["-", "-"], "once")):
            self.assert_one_line(self.run_program("cluster", "-k", "2", "-o", "g.csv", *files, status=2).stderr, word)
        self.assertFalse((self.folder / "g.csv").exists())


if __name__ == "__main__":
    unittest.main()
