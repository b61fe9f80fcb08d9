"""What stops a new user: options without effect, words in another order, a parser's words, help that is long."""
import itertools
import json
import os
import pathlib
import re
import unittest

import numpy

from program import ProgramTest, complaints, write_picture

VERBS = ["train", "extract", "assign", "filter", "cluster", "devices", "kernels", "bench"]
HEADINGS = ["Options", "Input", "Pictures", "Extractor", "Device and threads", "Output and messages"]
# The examples and what stands under them: they end where the options that verbs share begin.
OWN_WORDS = re.compile(r"(?ms)^Examples:\n.*?(?=^(?:" + "|".join(HEADINGS) + r"):\n|\Z)")
CPU_GROUPS = pathlib.Path("/sys/fs/cgroup/cpu")  # version 1
CORES = len(os.sched_getaffinity(0))


class Unused(ProgramTest):
    """An option that has no effect gets a line with its name and its value."""

    def prepare(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 200)
        write_picture(self.folder / "a.pgm", 1)
        (self.folder / "k").mkdir()
        self.run_program("--centroids", "c.bin", "-o", "h.npz", "d.npy", "d.npy")

    def check(self, call, option, value, *words):
        with self.subTest(call=call, option=option):
            plain = self.run_program(*call)
            done = self.run_program(*call, option, value)
            self.assertEqual((done.stdout, complaints(plain.stderr)), (plain.stdout, []))
            self.assert_one_line(done.stderr, f"warning: {option} {value} has no effect", *words)

    def test_on_the_host(self):
        calls = [["--centroids", "c.bin", "--extractor", "dense", "a.pgm"], ["assign", "--centroids", "c.bin", "-o", "w.npy", "d.npy"],
                 ["train", "-k", "2", "-o", "t.bin", "d.npy"]]
        options = (("--device", "nonsense"), ("--device", "99"), ("--batch", "7"), ("--kernel-dir", "k"))
        for call, (option, value) in itertools.product(calls, options):
            self.check([*call, "--kernel", "openmp"], option, value, "openmp on the host uses no device", "--kernel gpu1")
        self.check([*calls[0], "--kernel", "simd", "--blur", "2"], "--batch", "7")
        done = self.run_program(*calls[0], "--kernel", "simd", "--blur", "2", "--device", "nonsense", status=3)
        self.assert_one_line(done.stderr, 'no OpenCL device matches "nonsense"')
        self.assertEqual(complaints(self.run_program(*calls[1], "--kernel", "gpu1", "--device", "0", "--batch", "7").stderr), [])

    def test_of_auto_in_a_note(self):
        call = ["assign", "--centroids", "c.bin", "-o", "w.npy", "d.npy", "--batch", "7"]
        self.assertEqual(complaints(self.run_program(*call).stderr), [])
        printed = self.run_program(*call, "-v").stderr.decode()
        if re.search(r"(?m)^bowhist: (simd|openmp): ", printed):
            self.assertIn("--batch 7 has no effect", printed)

    def test_where_no_step_needs_a_device(self):
        extract = ["extract", "-o", "a.npy", "a.pgm"]
        for option, value in (("--device", "99"), ("--device", "nonsense"), ("--kernel-dir", "k")):
            self.check(extract, option, value, "--equalize, --blur and --filter")
            self.check(["cluster", "-k", "1", "-o", "g.csv", "h.npz"], option, value, "without k-means")
            self.check(["filter", "--blur", "0", "-o", "b.pgm", "a.pgm"], option, value, "no step is left")
        self.check(["cluster", "-k", "1", "-o", "g.csv", "h.npz"], "--batch", "7", "without k-means")
        done = self.run_program(*extract, "--equalize", "--device", "99", status=3)
        self.assert_one_line(done.stderr, 'no OpenCL device matches "99"')

    def test_of_many_pictures(self):
        values = numpy.abs(numpy.random.default_rng(1).standard_normal((2100, 4))).astype("<f4")
        numpy.save(self.folder / "many.npy", values)
        call = ["cluster", "--method", "kmeans", "-k", "2", "-o", "g.csv", "many.npy", "--kernel", "simd"]
        self.check(call, "--device", "nonsense", "simd on the host uses no device")
        printed = self.run_program(*call, "-v").stderr.decode()
        self.assertRegex(printed, r"simd on the host: \d+ assignments of pictures, ")
        self.assertNotIn("descriptors", printed)


class Threads(ProgramTest):
    def prepare(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 200)
        self.call = ["assign", "--centroids", "c.bin", "-o", "-", "d.npy", "--kernel", "simd"]

    def test_more_than_help_are_not_used(self):
        plain = self.run_program(*self.call)
        for threads in (8 * CORES, 8 * CORES + 1, 500, 1024):
            done = self.run_program(*self.call, "-j", str(threads))
            self.assertEqual(done.stdout, plain.stdout)
            if threads <= 8 * CORES:
                self.assertEqual(complaints(done.stderr), [])
            else:
                self.assert_one_line(done.stderr, f"-j {threads}", f"working with {8 * CORES}", f"{CORES} core")

    def test_a_quota_counts_as_cores(self):
        """In a control group of this test's own, which grants one core's time."""
        group = CPU_GROUPS / f"bowhist-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError as error:
            self.skipTest(f"no control group can be made: {error}")
        self.addCleanup(group.rmdir)
        period = int((group / "cpu.cfs_period_us").read_text())

        def within(quota, *call):
            (group / "cpu.cfs_quota_us").write_text(str(quota))
            return self.run_program(*call, preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))

        def threads_within(quota):
            lines = within(quota, "bench", "assign", "--kernel", "openmp", "-n", "100", "-k", "4", "--rounds", "1", "--json").stdout
            devices = [json.loads(line)["device"] for line in lines.splitlines()]
            (threads,) = {int(found[1]) for device in devices if (found := re.match(r"host, (\d+) thread", device))}
            return threads

        self.assertEqual(threads_within(-1), CORES)
        self.assertEqual(threads_within(period // 2), 1)
        self.assertEqual(threads_within(period), 1)
        if CORES > 1:
            self.assertEqual(threads_within(period * 3 // 2), 2)
            done = within(period, *self.call, "-j", "500")
            self.assert_one_line(done.stderr, "-j 500", "1 core (a quota on CPU time)", "working with 8")
        self.assertEqual(within(period, *self.call).stdout, self.run_program(*self.call).stdout)


class VerbsBehindOptions(ProgramTest):
    def prepare(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 200)
        self.run_program("--centroids", "c.bin", "-o", "h.npz", "d.npy", "d.npy")

    def test_they_are_recognised(self):
        for options in (["-q"], ["-v"], ["-k", "1"], ["-k1"], ["-qk", "1"], ["--progress", "never"], ["--progress=never", "--quiet"]):
            others = [] if any("k" in option for option in options) else ["-k", "1"]
            with self.subTest(options=options):
                self.run_program(*options, "cluster", *others, "-o", "g.csv", "h.npz")
                (self.folder / "g.csv").unlink()
        self.run_program("-q", "-j", "2", "--kernel", "simd", "--sample", "100", "train", "-k", "2", "-o", "t.bin", "d.npy")
        for verb in VERBS:
            for option in ("-h", "--help"):
                self.assertEqual(self.run_program(option, verb).stdout, self.run_program(verb, "--help").stdout)
        self.assertEqual(self.run_program("-v", "help", "train").stdout, self.run_program("train", "--help").stdout)
        done = self.run_program("-v", "clutser", "-k", "1", status=2)
        self.assert_one_line(done.stderr, '"clutser"', "did you mean cluster?")
        self.assert_one_line(self.run_program("-q", "devices", status=2).stderr, "there is no option -q", "bowhist devices --help")

    def test_a_file_of_that_name_stays_an_input(self):
        call = ["-q", "--kernel", "simd", "--extractor", "akaze", "--centroids", "c.bin"]
        write_picture(self.folder / "cluster", 1)
        (self.folder / "train").mkdir()
        write_picture(self.folder / "train/a.pgm", 1)
        for name, image in (("cluster", "cluster"), ("train", "train/a.pgm")):
            done = self.run_program(*call, name)
            self.assertIn(f"\n{image},", done.stdout.decode())
        # an option's value is no verb, nor is a word behind an input or --
        write_picture(self.folder / "a.pgm", 1)
        self.run_program(*call, "--exclude", "bench", "a.pgm")
        self.run_program("-q", "--kernel", "simd", "-o", "h.csv", "--centroids", "assign", "d.npy", status=3)
        self.assertEqual(self.run_program(*call, "a.pgm", "bench", status=1).stdout.count(b"\n"), 2)
        self.assertEqual(self.run_program(*call, "--", "bench", "a.pgm", status=1).stdout.count(b"\n"), 2)


# CLI11's texts: Error.hpp, and what its help says of options.
PARSERS_WORDS = re.compile(r"At Most|At Least|required but received|required .* missing|is required|[Ee]xcludes|requires|Requires|"
                           r"Could not convert|not an allowed value|too many inputs|true/false|subcommand|argument|not expected:|"
                           r"flag override|Expected|Directory does not exist|is actually a file|REQUIRED|Needs:|INI|you should not see")


class Words(ProgramTest):
    def test_wrong_options_are_named_with_what_to_do(self):
        (self.folder / "file").write_text("")
        for arguments, *words in (
            (["train", "-k", "1", "-k", "2"], "-k is given 2 times; give it once"),
            (["--device", "0", "--device", "1"], "--device is given 2 times"),
            (["--centroids"], "--centroids is missing its value; write --centroids FILE"),
            (["train", "-o"], "--output is missing its value; write --output FILE"),
            (["bench", "-k", ","], "-k is missing its value; write -k K,..."),
            (["--centroids", "c.bin", "-o", "-q", "a.pgm"], "-o is missing its value: -q is an option", "./-q"),
            (["cluster", "--method", "ward", "-o", "g.csv", "h.csv"], "-k K is missing", "add it"),
            (["cluster", "-k", "2", "--resolution", "2", "-o", "g.csv", "h.csv"], "-k and --resolution contradict each other"),
            (["train", "-k", "1", "a.pgm"], "--output FILE is missing: the vocabulary to write; add it: bowhist train -k K -o c.bin INPUT..."),
            (["index", "p.bow", "photos"], "--output FILE is missing", "add it: bowhist index -o photos.bow [INPUT...]"),
            (["-q", "-v"], "--quiet and --verbose contradict each other; leave one out"),
            (["--quiet=maybe"], "--quiet takes no value, and here it has maybe; write --quiet alone"),
            (["devices", "--json=x"], "--json takes no value"),
            (["--version=x"], "--version takes no value"),
            (["train", "-k=5"], "-k=5", "write -k 5"),
            (["-o=h.csv"], "-o=h.csv", "write -o h.csv"),
            (["-q=yes"], "-q=yes", "write -q"),
            (["--kernel-dir", "nowhere"], "--kernel-dir", "takes a folder, and nowhere is not there"),
            (["--kernel-dir", "file"], "--kernel-dir", "takes a folder, and file is no folder"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_one_line(self.run_program(*arguments, status=2).stderr, *words)

    def test_no_word_is_the_parsers(self):
        """Each option of each verb alone, without its value, with odd ones, and twice."""
        tried = {"--help", "--version"}
        for verb in ([], *([verb] for verb in VERBS)):
            text = OWN_WORDS.sub("", self.run_program(*verb, "--help").stdout.decode())
            self.assertIsNone(PARSERS_WORDS.search(text), text)
            for option in {names.split(",")[-1] for names in re.findall(r"(?m)^  (-[^ ]+)", text)} - tried:
                tried.add(option)
                for words in ([option], [option, ""], [f"{option}=,"], [option, "-q"], [option, "1", option, "1"]):
                    done = self.run_program(*verb, *words, "--no-such-option", status=2)
                    self.assert_one_line(done.stderr)
                    self.assertIsNone(PARSERS_WORDS.search(done.stderr.decode()), done.stderr)

    def test_the_version_by_its_letter(self):
        expected = self.run_program("--version").stdout
        for call in (["-V"], ["train", "-V"], ["-V", "train"]):
            self.assertEqual(self.run_program(*call).stdout, expected)


class Help(ProgramTest):
    def sections(self, verb):
        text = OWN_WORDS.sub("", self.run_program("help", *verb).stdout.decode())
        found = re.split(r"(?m)^([A-Z][a-z ]+):\n", text)
        return dict(zip(found[1::2], found[2::2]))

    def test_it_is_grouped(self):
        for verb in ([], *([verb] for verb in VERBS)):
            sections = self.sections(verb)
            names = list(sections)
            self.assertEqual(names, [heading for heading in HEADINGS if heading in names], verb)
            self.assertIn("--help", sections["Output and messages"])
        train = self.sections(["train"])
        self.assertEqual(list(train), HEADINGS)
        self.assertTrue(train["Options"].startswith("  -k "))
        for heading, options in (("Input", ["--files-from", "--null", "--exclude", "--hidden", "--strict"]),
                                 ("Pictures", ["--equalize", "--blur", "--filter", "--max-pixels", "--isolate"]),
                                 ("Extractor", ["--extractor", "--threshold", "--max-side"]),
                                 ("Device and threads", ["--kernel", "--device", "--batch", "--threads"]),
                                 ("Output and messages", ["--quiet", "--verbose", "--progress", "--version"]),
                                 ("Options", ["--output", "--seed", "--checkpoint"])):
            for option in options:
                holding = [name for name, text in train.items() if re.search(rf"(?m)^  \S*{option}\b", text)]
                self.assertEqual(holding, [heading], option)
        self.assertIn("--blur", self.sections(["filter"])["Options"])  # what that verb is about

    def test_examples_come_before_the_options_that_verbs_share(self):
        for verb in ([], *([verb] for verb in VERBS)):
            text = self.run_program("help", *verb).stdout.decode()
            headings = re.findall(r"(?m)^(" + "|".join(["Examples", *HEADINGS]) + "):$", text)
            self.assertEqual(headings.index("Examples"), headings.count("Options"), verb)

    def test_the_benchs_columns_are_explained(self):
        table = self.run_program("bench", "compact", "-n", "1000", "--rounds", "1").stdout.decode()
        header = next(line for line in table.splitlines() if line.startswith("level "))
        explained = self.run_program("help", "bench").stdout.decode().partition("Columns of the table")[2]
        for column in re.split(r" {2,}| (?=wrong|OP/B|unproven|loops)|(?<!loops) (?=B/s)", header.strip()):
            self.assertRegex(explained, rf"(?m)^  {re.escape(column)}  +\w", header)

    def test_a_reader_that_leaves_early_is_no_loss(self):
        for call in (["help", "train"], ["--help"], ["bench", "-h"], ["-V"]):
            ours, its = os.pipe()
            os.close(ours)
            try:
                done = self.run_program(*call, stdout=its)
            finally:
                os.close(its)
            self.assertEqual(done.stderr, b"")
        with open("/dev/full", "wb") as full:
            self.assert_one_line(self.run_program("--help", stdout=full, status=3).stderr, "standard output: cannot be written")


if __name__ == "__main__":
    unittest.main()
