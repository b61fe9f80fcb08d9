"""Labels of .svm by the folders of pictures."""
import unittest

from program import ProgramTest, write_picture


class Labels(ProgramTest):
    def prepare(self):
        for seed, name in enumerate(("b/hat/1.pgm", "b/dress/2.pgm", "a/hat/3.pgm", "Zebra/4.pgm", "b/dress/a:b.pgm")):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_picture(self.folder / name, seed, 80, 60)
        self.run_program("train", "-k", "4", "--kernel", "simd", "-o", "c.bin", "a", "b")

    def lines(self, *more, output="h.svm"):
        done = self.run_program("--centroids", "c.bin", "--kernel", "simd", "-v", "-o", output, *more)
        rows = [line.split(" # ") for line in (self.folder / output).read_text().splitlines()]
        return {path: values.split() for values, path in rows}, done.stderr.decode()

    def test_a_label_is_the_number_of_the_folder(self):
        expected = {"b/hat/1.pgm": "2", "b/dress/2.pgm": "1", "a/hat/3.pgm": "2", "Zebra/4.pgm": "0", "b/dress/a%3Ab.pgm": "1"}
        plain, _ = self.lines("b", "a", "Zebra")
        self.assertEqual({values[0] for values in plain.values()}, {"0"})
        for encoding in ([], ["--encode", "soft"], ["--encode", "pyramid"]):
            made, noted = self.lines("--labels", "folders", *encoding, "b", "a", "Zebra")
            self.assertEqual({path: values[0] for path, values in made.items()}, expected)
            self.assertIn("labels: 0 Zebra, 1 dress, 2 hat\n", noted)
            if not encoding:
                self.assertEqual({path: values[1:] for path, values in made.items()},
                                 {path: values[1:] for path, values in plain.items()})
        self.run_program("train", "--model", "vlad", "-k", "4", "--sample", "3000", "--kernel", "simd", "-o", "m.npz", "a", "b")
        self.run_program("--centroids", "m.npz", "--labels", "folders", "-o", "m.svm", "b", "a", "Zebra")
        codes = dict(line.split(" # ")[::-1] for line in (self.folder / "m.svm").read_text().splitlines())
        self.assertEqual({path: values.split()[0] for path, values in codes.items()}, expected)
        # of this folder
        write_picture(self.folder / "here.pgm", 9, 80, 60)
        made, noted = self.lines("--labels", "folders", "here.pgm", "b/hat")
        self.assertIn(f" {self.folder.name}", noted)
        self.assertEqual(sorted(values[0] for values in made.values()), ["0", "1"])

    def test_descriptors_have_the_label_of_their_picture(self):
        self.run_program("extract", "-o", "all.fbin", "b", "Zebra")
        self.run_program("extract", "-o", "x.npz", "a/hat/3.pgm")
        self.run_program("extract", "-o", "x.npy", "b/dress/2.pgm")
        self.write_descriptors("alone.npy", 5)
        made, noted = self.lines("--labels", "folders", "all.fbin", "x.npz", "x.npy", "alone.npy")
        names = sorted(["Zebra", "dress", "hat", self.folder.name])
        self.assertIn("labels: " + ", ".join(f"{i} {name}" for i, name in enumerate(names)), noted)
        self.assertEqual({path: names[int(values[0])] for path, values in made.items()},
                         {"b/hat/1.pgm": "hat", "b/dress/2.pgm": "dress", "b/dress/a%3Ab.pgm": "dress", "Zebra/4.pgm": "Zebra",
                          "a/hat/3.pgm": "hat", "alone.npy": self.folder.name})

    def test_other_formats_have_no_labels(self):
        for words in (["-o", "h.csv"], [], ["-o", "h.npz"]):
            done = self.run_program("--centroids", "c.bin", "--labels", "folders", *words, "a", status=2)
            self.assert_one_line(done.stderr, "--labels is for .svm")
        done = self.run_program("--centroids", "c.bin", "--labels", "names", "-o", "h.svm", "a", status=2)
        self.assert_one_line(done.stderr, 'there is no "names"', "folders")


if __name__ == "__main__":
    unittest.main()
