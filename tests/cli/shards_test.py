"""Shards: parts 1 ... n, merged in any order, are the bytes of the run without them, with its summary and status."""
import json
import os
import random
import re
import subprocess
import unittest

import numpy

from program import ProgramTest

ENDINGS = (".csv", ".jsonl", ".npy", ".npz", ".svm", ".fbin", ".fvecs")


def last_counts(done):
    """What the last line says of inputs, without the time."""
    return re.sub(rb", [0-9.]+ s\n$", b"", done.stderr.splitlines(keepends=True)[-1])


class Shards(ProgramTest):
    def prepare(self):
        names = [f"p{seed}.pgm" for seed in range(5)]
        self.write_pictures(names)
        (self.folder / "flat.pgm").write_bytes(b"P5\n64 64\n255\n" + bytes(64 * 64))
        (self.folder / "torn.pgm").write_bytes(b"P5\n64 64\n255\n")
        odd = 'a,"b\nc\udcff.pgm'
        os.link(self.folder / "p0.pgm", self.folder / odd)
        self.names = [names[0], "torn.pgm", odd, *names[1:3], "missing.pgm", "flat.pgm", *names[3:]]
        self.run_program("train", "-k", "20", "--idf", "5", "-o", "c.bin", *names)
        self.write_descriptors("d.npy", 30)

    def make_parts(self, n, options, inputs, verb=(), statuses=(0, 1)):
        parts = [f"{i}-{n}.part" for i in range(1, n + 1)]
        for i, part in enumerate(parts, 1):
            with self.subTest(shard=i, of=n):
                self.shard_status(verb, options, i, n, part, inputs, statuses)
        return parts

    def shard_status(self, verb, options, i, n, part, inputs, statuses):
        done = subprocess.run([os.environ["BOWHIST"], *verb, *options, "--shard", f"{i}/{n}", "-o", part, *inputs], cwd=self.folder,
                              capture_output=True, timeout=300)
        self.assertIn(done.returncode, statuses, done.stderr)
        return done

    def check_formats(self, options, endings=ENDINGS, counts=range(1, 8), inputs=None):
        """The merged bytes, status and last line are those of the run without shards, in each format."""
        inputs = inputs or self.names
        whole = {}
        for ending in endings:
            whole[ending] = self.run_program(*options, "-o", f"whole{ending}", *inputs, status=1)
        for n in counts:
            parts = self.make_parts(n, options, inputs)
            random.Random(n).shuffle(parts)
            for ending in endings:
                with self.subTest(n=n, ending=ending):
                    done = self.run_program("merge", "-o", f"merged{ending}", *parts, status=1)
                    self.assertEqual((self.folder / f"merged{ending}").read_bytes(), (self.folder / f"whole{ending}").read_bytes())
                    self.assertEqual(last_counts(done), last_counts(whole[ending]))

    def test_histograms_of_1_to_7_shards_in_every_format(self):
        self.check_formats(["--centroids", "c.bin", "--kernel", "serial"])

    def test_more_shards_than_inputs_and_standard_output(self):
        options = ["--centroids", "c.bin", "--kernel", "simd"]
        self.check_formats(options, [".npz"], [23])
        parts = self.make_parts(3, options, self.names)
        done = self.run_program("merge", "-o", "-", *parts, status=1)
        self.assertEqual(done.stdout, self.run_program(*options, *self.names, status=1).stdout)

    def test_normalized_rows_and_weights(self):
        for normalization in ("l2", "hellinger", "tfidf", "bm25"):
            self.check_formats(["--centroids", "c.bin", "--kernel", "simd", "--normalize", normalization], [".csv", ".npz"], [3])

    def test_rows_of_other_encodings(self):
        self.run_program("train", "--model", "vlad", "-k", "4", "-o", "model.npz", *[n for n in self.names if n.startswith("p")])
        for options in (["--centroids", "c.bin", "--cells", "1x1,2x2"], ["--centroids", "c.bin", "--encode", "soft"],
                        ["--centroids", "model.npz"]):
            self.check_formats([*options, "--kernel", "simd"], counts=[4])

    def test_words_by_descending(self):
        """The rule is named by what is merged, and parts of two rules do not mix."""
        self.run_program("train", "--tree", "4x5", "-o", "t.bin", *[name for name in self.names if name.startswith("p")])
        for more in ([], ["--cells", "1x1,2x2"]):
            options = ["--centroids", "t.bin", "--kernel", "simd", *more]
            self.check_formats([*options, "--descend"], [".csv", ".npz"], [3])
            with numpy.load(self.folder / "merged.npz") as merged:
                self.assertEqual(json.loads(str(merged["meta"]))["rule"], "descend")
            parts = [f"{i}-3.part" for i in (1, 2, 3)]
            (self.folder / "merged.csv").unlink()
            self.shard_status([], options, 2, 3, parts[1], self.names, (1,))
            self.refuse(*parts, words=("1-3.part and 2-3.part", "--descend"))

    def test_labels_count_the_folders_of_all_inputs(self):
        for folder in "cab":
            (self.folder / folder).mkdir()
            os.link(self.folder / "p1.pgm", self.folder / folder / "p.pgm")
        inputs = ["c/p.pgm", "torn.pgm", "a/p.pgm", "b/p.pgm", "p0.pgm"]
        options = ["--centroids", "c.bin", "--labels", "folders", "--kernel", "simd"]
        self.check_formats(options, [".svm"], [2, 5], inputs)

    def test_words(self):
        for seed, rows in enumerate((40, 0, 7)):
            self.write_descriptors(f"w{seed}.npy", rows, seed=seed)
        inputs = ["w0.npy", "missing.npy", "w1.npy", "w2.npy", "w0.npy"]
        options = ["--centroids", "c.bin", "--kernel", "serial"]
        whole = self.run_program("assign", *options, "-o", "whole.npy", *inputs, status=1)
        for n in range(1, 8):
            parts = self.make_parts(n, options, inputs, ["assign"])
            done = self.run_program("merge", "-o", "merged.npy", *parts[::-1], status=1)
            self.assertEqual((self.folder / "merged.npy").read_bytes(), (self.folder / "whole.npy").read_bytes())
            self.assertEqual(last_counts(done), last_counts(whole))

    def test_descriptors(self):
        for inputs in (self.names, ["p1.pgm"], ["d.npy", "missing.npy", "d.npy"]):
            status = 0 if len(inputs) == 1 else 1
            whole = self.run_program("extract", "-o", "whole.fbin", *inputs, status=status)
            for n in (1, 3, 7):
                parts = self.make_parts(n, [], inputs, ["extract"])
                done = self.run_program("merge", "-o", "merged.fbin", *parts, status=status)
                for ending in (".fbin", ".fbin.json"):
                    self.assertEqual((self.folder / f"merged{ending}").read_bytes(), (self.folder / f"whole{ending}").read_bytes())
                self.assertEqual(last_counts(done), last_counts(whole))

    def test_a_folder_of_descriptors_is_filled_by_shards_and_needs_no_merge(self):
        self.run_program("extract", "-o", "whole/", *self.names, status=1)
        for i in range(1, 5):
            self.shard_status(["extract"], [], i, 4, "parts/", self.names, (0, 1))
        files = lambda name: {str(file.relative_to(self.folder / name)): file.read_bytes() for file in (self.folder / name).rglob("*.npy")}
        self.assertEqual(files("parts"), files("whole"))

    def test_the_first_descriptor_file_decides_for_all_shards(self):
        """Which recipe and dimension fit is decided by a file of another shard."""
        self.write_descriptors("e.npy", 9, dimensions=32)
        self.run_program("extract", "--extractor", "surf", "-o", "s.npy", "p1.pgm")
        self.run_program("extract", "-o", "f.npy", "p1.pgm")
        for inputs in (["d.npy", "e.npy", "d.npy"], ["missing.npy", "s.npy", "f.npy", "d.npy", "f.npy"]):
            self.run_program("extract", "-o", "whole.fbin", *inputs, status=1)
            for n in (2, 3, 5):
                parts = self.make_parts(n, [], inputs, ["extract"])
                self.run_program("merge", "-o", "merged.fbin", *parts, status=1)
                self.assertEqual((self.folder / "merged.fbin").read_bytes(), (self.folder / "whole.fbin").read_bytes())

    def test_a_complete_part_is_kept_and_another_made_again(self):
        options, inputs = ["--centroids", "c.bin", "--kernel", "simd"], self.names
        make = lambda *more: self.shard_status([], [*options, *more], 1, 2, "a.part", inputs, (1,))
        first = make()
        before = (self.folder / "a.part").stat()
        again = make()
        self.assertIn(b"already complete; ", again.stderr)
        self.assertEqual(last_counts(again).replace(b"already complete; ", b""), last_counts(first))
        self.assertEqual((self.folder / "a.part").stat().st_ino, before.st_ino)
        for change in (lambda: os.utime(self.folder / "p0.pgm"), lambda: inputs.append("p2.pgm"),
                       lambda: options.extend(["--max-side", "100"]), lambda: self.damage("a.part")):
            change()
            self.assertNotIn(b"already complete", make().stderr)
            self.assertIn(b"already complete", make().stderr)

    def test_a_complete_part_with_gaps_does_not_do_for_strict(self):
        options = ["--centroids", "c.bin", "--kernel", "simd"]
        self.shard_status([], options, 1, 2, "a.part", self.names, (1,))
        self.assertIn(b"torn.pgm", self.shard_status([], [*options, "--strict"], 1, 2, "a.part", self.names, (3,)).stderr)

    def damage(self, name, place=-40):
        content = bytearray((self.folder / name).read_bytes())
        content[place] ^= 1
        (self.folder / name).write_bytes(content)

    def refuse(self, *parts, words, status=3, output="merged.csv"):
        self.assert_one_line(self.run_program("merge", "-o", output, *parts, status=status).stderr, *words)
        self.assertFalse((self.folder / output).exists())

    def test_parts_that_do_not_fit_are_refused(self):
        names = [name for name in self.names if name.startswith("p")]
        options = ["--centroids", "c.bin", "--kernel", "simd"]
        parts = self.make_parts(3, options, names)
        self.refuse(*parts, parts[1], words=("are both shard 2/3", "give each once"))
        self.refuse(parts[0], parts[2], words=("shard 2/3 is missing",))
        self.refuse(*parts[:2], words=("shard 3/3 is missing",))
        self.refuse(parts[0], "p0.pgm", words=("p0.pgm", "--shard"))
        self.refuse(parts[0], "none.part", words=("none.part",))
        self.refuse(words=("there is no PART",), status=2)
        self.refuse(*parts, output="merged.txt", words=("merged.txt",), status=2)
        self.refuse(*self.make_parts(2, options, names)[:1], parts[1], words=("number of shards",))
        self.write_centroids("other.bin")
        self.shard_status([], ["--centroids", "other.bin", "--kernel", "simd"], 2, 3, "o.part", names, (0,))
        self.refuse(parts[0], "o.part", parts[2], words=("different --centroids",))
        self.shard_status([], [*options, "--normalize", "l1"], 2, 3, "o.part", names, (0,))
        self.refuse(parts[0], "o.part", parts[2], words=("different options",))
        self.shard_status([], options, 2, 3, "o.part", names[::-1], (0,))
        self.refuse(parts[0], "o.part", parts[2], words=("different inputs",))
        self.make_parts(3, options, names)
        for cut in (10, 300, -40, -1):
            (self.folder / "o.part").write_bytes((self.folder / parts[1]).read_bytes()[:cut])
            self.refuse(parts[0], "o.part", parts[2], words=("o.part",))
        for place in (-40, 27):  # a row, the head
            (self.folder / "o.part").write_bytes((self.folder / parts[1]).read_bytes())
            self.damage("o.part", place)
            self.refuse(parts[0], "o.part", parts[2], words=("o.part", "damaged; make this part again"))

    def test_parts_of_another_version_are_refused(self):
        parts = self.make_parts(2, ["--centroids", "c.bin", "--kernel", "simd"], self.names)
        content = (self.folder / parts[1]).read_bytes()
        version = re.search(rb'"version": ?"([^"]+)"', content)[1]
        other = b"9" * len(version)
        (self.folder / parts[1]).write_bytes(content.replace(version, other))  # in its head
        self.refuse(*parts, words=parts + [f"are of bowhist {version.decode()} and {other.decode()}; make all parts with one"])
        (self.folder / parts[1]).write_bytes(content.replace(b"bowhist part 1", b"bowhist part 2"))  # of the format
        for order in (parts, parts[::-1]):
            self.refuse(*order, words=(parts[1], "is a part of another version of bowhist; make all parts and merge them with one"))

    def test_wrong_usage(self):
        for shard in ("0/3", "4/3", "3", "a/b", "1/", "/2", "1/0", "-1/2", "1/2/3"):
            self.run_program("--centroids", "c.bin", "--shard", shard, "-o", "a.part", "p0.pgm", status=2)
        done = self.run_program("--centroids", "c.bin", "--shard", "1/2", "-o", "a.csv", "p0.pgm", status=2)
        self.assert_one_line(done.stderr, "a.csv", ".part")
        self.run_program("--centroids", "c.bin", "--shard", "1/2", "p0.pgm", status=2)
        self.run_program("--centroids", "c.bin", "-o", "a.part", "p0.pgm", status=2)
        self.run_program("extract", "--shard", "1/2", "-o", "a.fbin", "p0.pgm", status=2)
        self.run_program("extract", "--shard", "1/2", "-o", "a.part", "--draw", "a.png", "p0.pgm", status=2)
        self.run_program("merge", "a.part", status=2)


if __name__ == "__main__":
    unittest.main()
