"""The command line, as the contract has it: verbs, names of every kind, exit statuses."""
import csv
import io
import json
import os
import re
import unittest

import numpy

from program import ProgramTest, complaints, levels, write_picture

ODD_NAMES = [b"[2023].pgm", b"[a,b].pgm", b"a,b.pgm", b'quo"te.pgm', b"new\nline.pgm", b" blank .pgm",
             b"\xff\xfe.pgm", b"train.pgm", b"{x}.pgm", b"a=b.pgm", b"%41.pgm", "grün.pgm".encode()]


class CommandLine(ProgramTest):
    def images(self, stdout):
        text = stdout.decode("utf-8", "surrogateescape")
        return [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:]

    def test_names_are_taken_to_the_letter(self):
        self.write_centroids()
        for seed, name in enumerate(ODD_NAMES):
            write_picture(os.fsencode(self.folder) + b"/" + name, seed)
        expected = [os.fsdecode(name) for name in ODD_NAMES]
        for before in ([], ["--"]):
            done = self.run_program("--centroids", "c.bin", *before, *ODD_NAMES)
            self.assertEqual(self.images(done.stdout), expected)

    def test_after_dashes_everything_is_input(self):
        self.write_centroids()
        for name in (b"-x.pgm", b"--help", b"--", b"-o"):
            write_picture(os.fsencode(self.folder) + b"/" + name, 1)
        done = self.run_program("--centroids", "c.bin", "--", "-x.pgm", "--help", "--", "-o")
        self.assertEqual(self.images(done.stdout), ["-x.pgm", "--help", "--", "-o"])

    def test_a_verb_counts_only_as_the_first_word(self):
        self.write_centroids()
        for name in ("a.pgm", "train", "b.pgm"):
            write_picture(self.folder / name, 1)
        done = self.run_program("--centroids", "c.bin", "a.pgm", "train", "b.pgm")
        self.assertEqual(self.images(done.stdout), ["a.pgm", "train", "b.pgm"])
        done = self.run_program("./train", "--centroids", "c.bin")
        self.assertEqual(self.images(done.stdout), ["./train"])

    def test_dashes_and_brackets_after_a_verb(self):
        write_picture(self.folder / "-x.pgm", 1)
        write_picture(self.folder / "[1].pgm", 2)
        self.run_program("extract", "-o", "out", "[1].pgm", "--", "-x.pgm")
        self.assertEqual(sorted(os.listdir(self.folder / "out")),
                         ["-x.npy", "-x.npy.json", "[1].npy", "[1].npy.json"])

    def test_folders_are_searched_in_byte_order(self):
        self.write_centroids()
        for name in ("p/b.pgm", "p/a/z.pgm", "p/B.pgm", "p/notes.txt", "p/a/data.npy"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_picture(self.folder / name, 1)
        done = self.run_program("--centroids", "c.bin", "--extractor", "akaze", "p")
        self.assertEqual(self.images(done.stdout), ["p/B.pgm", "p/a/z.pgm", "p/b.pgm"])
        self.assertEqual(complaints(done.stderr), [])

    def test_a_list_of_inputs(self):
        self.write_centroids()
        for name in ("a.pgm", "b c.pgm", "new\nline.pgm"):
            write_picture(self.folder / name, 1)
        (self.folder / "list").write_text("b c.pgm\na.pgm\n")
        done = self.run_program("--centroids", "c.bin", "--files-from", "list", "a.pgm")
        self.assertEqual(self.images(done.stdout), ["a.pgm", "b c.pgm", "a.pgm"])
        done = self.run_program("--centroids", "c.bin", "--files-from", "-", "-0",
                                input=b"new\nline.pgm\0a.pgm\0")
        self.assertEqual(self.images(done.stdout), ["new\nline.pgm", "a.pgm"])

    def test_wrong_usage_is_status_2_and_one_line(self):
        self.write_centroids()
        for arguments, word in (
            (["--centroids", "c.bin", "--no-such-option", "a.pgm"], "--no-such-option"),
            (["--centroids", "c.bin", "--kernel", "gpu9", "a.pgm"], "gpu9"),
            (["--centroids", "c.bin", "--extractor", "orb", "a.pgm"], "orb"),
            (["--centroids", "c.bin", "--batch", "0", "a.pgm"], "batch"),
            (["--centroids", "c.bin", "-o", "out.xyz", "a.pgm"], "xyz"),
            (["--centroids", "c.bin", "-o", ".", "a.pgm"], "."),
            (["a.pgm"], "--centroids"),
            ([], "bowhist help"), (["a.pgm"], "--centroids"),
            (["train", "a.pgm"], "--output"),
            (["cluster", "-k", "2", "-o", "g.csv"], "there is no INPUT"),
            (["cluster", "-k", "2", "-o", "g.csv", "--kernel", "gpu9", "h.npz"], "gpu9"),
            (["--centroids", "c.bin"], "INPUT"),
            (["assign", "--centroids", "c.bin", "-o", "w.npy"], "DESCRIPTORS"),
            (["extract", "-o", "out"], "INPUT"),
            (["train", "-o", "t.bin"], "INPUT"),
            (["train", "-o", "t.npy", "a.pgm"], ".bin"),
            (["train", "-o", "t.bin", "--seed", "-1", "a.pgm"], "whole number"),
            (["train", "-o", "t.bin", "-k", "2147483648", "a.pgm"], "from 1 to 2147483647"),
            (["train", "-o", "t.bin", "--plot", "p.png", "a.pgm"], "p.png does not end in .svg"),
            (["train", "-o", "t.bin", "--checkpoint", "-", "a.pgm"], "- does not end in .npz"),
            (["train", "-o", "t.bin", "-q", "-v", "a.pgm"], "--quiet and --verbose contradict each other"),
            (["extract", "-o", "x.npy", "--max-side", "99999999999", "a.pgm"], "from 0 to 2147483647"),
            (["extract", "-o", "out", "--octaves", "-1", "a.pgm"], "from 1 to 8"),
            (["extract", "-o", "out", "--layers", "2", "a.pgm"], "from 3 to 8"),
            (["extract", "-o", "out", "--first-size", "39", "a.pgm"], "from 9 to 33"),
            (["extract", "-o", "out", "--extractor", "surf", "--first-size", "10", "a.pgm"],
             "surf: --first-size 10; give 9, 15, 21, 27 or 33"),
            (["--centroids", "c.bin", "-j", "0", "a.pgm"], "from 1 to 1024"),
            (["--centroids", "c.bin", "-j", "100000", "a.pgm"], "from 1 to 1024"),
            (["--centroids", "c.bin", "--normalize", "L2", "a.pgm"], "hellinger"),
            (["--centroids", "c.bin", "--normalize", "2", "a.pgm"], "hellinger"),
            (["--centroids", "c.bin", "--threshold", "nan", "a.pgm"], "threshold"),
            (["--centroids", "c.bin", "--progress", "sometimes", "a.pgm"], "always"),
            (["--centroids", "c.bin", "-\x1b[31m\nx"], "\\n"),
            (["cluster", "-k", "2", "-o", "g.txt", "h.csv"], ".csv"),
            (["assign", "--centroids", "c.bin", "-o", "w.txt", "d.npy"], ".npy"),
            (["devices", "a.pgm"], "a.pgm"),
            (["bench", "--plot", "p.txt"], "p.txt does not end in .svg or .html"),
        ):
            with self.subTest(arguments=arguments):
                done = self.run_program(*arguments, status=2)
                self.assertEqual(done.stdout, b"")
                self.assert_one_line(done.stderr, word)

    def test_help_of_every_verb_has_an_example(self):
        for verb in ([], ["train"], ["extract"], ["filter"], ["assign"], ["cluster"], ["devices"], ["kernels"], ["bench"]):
            text = self.run_program(*verb, "--help").stdout.decode()
            self.assertIn("Examples:", text)
            self.assertIn("bowhist " + "".join(verb), text)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_version(self):
        self.assertRegex(self.run_program("--version").stdout.decode(), r"^bowhist \d+\.\d+\.\d+\n$")

    def test_a_kernel_of_ones_own_that_gives_wrong_words_is_refused(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 100)
        self.run_program("kernels", "--dump", "k")
        call = ["assign", "--centroids", "c.bin", "-o", "w.npy", "--kernel-dir", "k", "d.npy", "--kernel"]
        for level, name, right, wrong in (("gpu1", "gpu1.cl", "difference * difference", "fabs(difference)"),
                                          ("gpu2", "gpu2.cl", "i < DIMENSIONS", "i + 1 < DIMENSIONS"),
                                          ("gpu4", "screen.cl", "return gap > ", "return gap + 1 > ")):
            with self.subTest(name):
                kernel = self.folder / "k" / name
                text = kernel.read_text()
                self.assertIn(right, text)
                kernel.write_text(text.replace(right, wrong))
                done = self.run_program(*call, level, status=3)
                self.assert_one_line(done.stderr, level, "--kernel-dir", "repair it")
                self.assertFalse((self.folder / "w.npy").exists())
                kernel.write_text(text)
        self.run_program(*call, "gpu1")

    def test_no_input_is_replaced_by_whatever_path(self):
        vocabulary = self.write_centroids()
        numpy.save(self.folder / "c.npy", vocabulary)
        self.write_descriptors("d.npy", 10)
        write_picture(self.folder / "p.pgm", 1)
        self.run_program("--centroids", "c.bin", "-o", "h.csv", "p.pgm")
        (self.folder / "list.csv").write_text("p.pgm\n")
        (self.folder / "sub").mkdir()
        for name in ("c.npy", "d.npy", "p.pgm", "h.csv", "list.csv"):
            (self.folder / ("soft-" + name)).symlink_to(name)
            os.link(self.folder / name, self.folder / ("hard-" + name))
        for name, arguments in (("p.pgm", ["filter", "--equalize", "p.pgm"]),
                                ("d.npy", ["extract", "d.npy"]),
                                ("d.npy", ["assign", "--centroids", "c.bin", "d.npy"]),
                                ("c.npy", ["assign", "--centroids", "c.npy", "d.npy"]),
                                ("d.npy", ["--centroids", "c.bin", "d.npy"]),
                                ("c.npy", ["--centroids", "c.npy", "p.pgm"]),
                                ("list.csv", ["--centroids", "c.bin", "--files-from", "list.csv"]),
                                ("h.csv", ["cluster", "-k", "1", "h.csv"])):
            before = (self.folder / name).read_bytes()
            spelt = (name, "./" + name, "sub/../" + name, "soft-" + name) if arguments[0] == "filter" else ()
            for output in (*spelt, "hard-" + name):
                with self.subTest(arguments=arguments, output=output):
                    done = self.run_program(*arguments, "-o", output, status=2)
                    self.assert_one_line(done.stderr, output + " would replace " + name)
                    self.assertEqual((self.folder / name).read_bytes(), before)
        before = sorted(os.listdir(self.folder))
        (self.folder / "list").write_text("d.npy\n")
        for arguments in (["extract", "-o", ".", "p.pgm", "d.npy"], ["extract", "-o", "sub/..", "--files-from", "list"]):
            self.assert_one_line(self.run_program(*arguments, status=2).stderr, "would replace d.npy")
        (self.folder / "v.bin").symlink_to("d.npy")
        self.assert_one_line(self.run_program("train", "-k", "2", "-o", "v.bin", "d.npy", status=2).stderr, "would replace d.npy")
        self.assertEqual(sorted(os.listdir(self.folder)), sorted([*before, "list", "v.bin"]))

    def test_no_input_is_replaced_by_what_is_written_beside(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 10)
        self.run_program("--centroids", "c.bin", "-o", "h.csv", "d.npy")
        for name in ("p.pgm", "q.pgm"):
            write_picture(self.folder / name, 1)
        self.run_program("train", "-k", "2", "-o", "printed.bin", "p.pgm")
        files = {path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}
        for made, name, arguments in (
                ("e/p.npy", "p.pgm", ["extract", "-o", "e", "p.pgm"]), ("e/q.npy.json", "p.pgm", ["extract", "-o", "e", "q.pgm", "p.pgm"]),
                ("e.npy", "p.pgm", ["extract", "-o", "e.npy", "p.pgm"]), ("t.bin.json", "p.pgm", ["train", "-k", "2", "-o", "t.bin", "p.pgm"]),
                ("s.html", "h.csv", ["cluster", "-k", "1", "-o", "g.csv", "--html", "s.html", "h.csv"]),
                ("b.svg", "d.npy", ["bench", "assign", "--data", "d.npy", "--plot", "b.svg"]),
                ("o.csv", "printed.bin.json", ["--centroids", "printed.bin", "-o", "o.csv", "p.pgm"])):
            for link in (os.symlink, os.link):
                with self.subTest(arguments=arguments, link=link):
                    path = self.folder / made
                    path.parent.mkdir(exist_ok=True)
                    link(self.folder / name, path)
                    done = self.run_program(*arguments, status=2)
                    self.assert_one_line(done.stderr, made + " would replace " + name)
                    path.unlink()
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir() if path.is_file()}, files)

    def test_the_file_listed_is_the_one_that_runs(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 100)
        for line in self.run_program("kernels", "-k", "32").stdout.decode().splitlines():
            level, source = line.split()[:2]
            if level not in levels() or source == "host":
                continue
            with self.subTest(level=level, source=source):
                self.run_program("kernels", "--dump", level)
                (self.folder / level / source).write_text("this is no OpenCL\n")
                done = self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "--kernel", level,
                                        "--kernel-dir", level, "d.npy", status=3)
                first, *log = done.stderr.decode().splitlines()
                self.assertRegex(first, rf"^bowhist: {level}: {source} does not build on .*--kernel simd")
                self.assertTrue(log)

    def test_advice_names_only_what_the_verb_takes(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 100)
        write_picture(self.folder / "a.pgm", 1)
        self.run_program("kernels", "--dump", "k")
        for name in ("convert.cl", "gpu2.cl"):
            (self.folder / "k" / name).write_text("this is no OpenCL\n")
        assign = ["assign", "--centroids", "c.bin", "-o", "w.npy", "--kernel", "gpu2", "d.npy"]
        blur = ["filter", "--blur", "2", "-o", "b.pgm", "a.pgm"]
        extract = ["extract", "--blur", "2", "-o", "a.npy", "a.pgm"]
        nothing = {"OCL_ICD_VENDORS": str(self.folder)}  # no OpenCL at all
        broken = ["--kernel-dir", "k"]
        for arguments, environment in ((assign, nothing), (blur, nothing), (extract, nothing), (["kernels", "--device", "0"], nothing),
                                       ([*assign, "--device", "99"], {}), ([*blur, "--device", "99"], {}),
                                       ([*extract, "--device", "99"], {}), (["kernels", "--device", "99"], {}),
                                       ([*assign, *broken], {}), ([*blur, *broken], {}), ([*extract, *broken], {})):
            with self.subTest(arguments=arguments):
                done = self.run_program(*arguments, environment=environment, status=3)
                self.assertTrue(done.stderr.startswith(b"bowhist: "), done.stderr)
                said = self.run_program(arguments[0], "--help").stdout.decode()
                for option in re.findall(r"--[a-z-]+", done.stderr.decode()):
                    self.assertIn(option, said, done.stderr)
                self.assertEqual(b"--kernel simd" in done.stderr, arguments[0] == "assign", done.stderr)

    def test_options_at_their_edges(self):
        self.write_centroids()
        write_picture(self.folder / "a.pgm", 1)
        call = ["--centroids", "c.bin", "--extractor", "akaze"]
        plain = self.run_program(*call, "a.pgm").stdout
        for options in (["-j", "7"], ["--threshold", "0"], ["--batch", "1000000000"], ["--max-descriptors", "0"],
                        ["--kernel", "gpu1", "-j", "8"]):
            done = self.run_program(*call, *options, "a.pgm")
            self.assertEqual((done.stdout, complaints(done.stderr)), (plain, []), options)
        self.run_program("--centroids", "c.bin", "--max-side", "1", "a.pgm")

    def test_devices_as_json(self):
        devices = json.loads(self.run_program("devices", "--json").stdout)
        self.assertGreater(len(devices), 0)
        for key in ("name", "local_memory_bytes", "constant_buffer_bytes", "fp64", "compute_units"):
            self.assertIn(key, devices[0])


if __name__ == "__main__":
    unittest.main()
