"""A new user's stumbles: each gets a line, with the nearest right thing and its exit status."""
import unittest

from program import ProgramTest, write_picture

VERBS = ["train", "extract", "assign", "filter", "cluster", "devices", "kernels", "bench"]


class Stumbles(ProgramTest):
    def test_a_mistyped_verb_is_told_with_the_nearest(self):
        for typed, meant in (("trian", "train"), ("clutser", "cluster"), ("Extract", "extract"), ("hlep", "help"),
                             ("benhc", "bench"), ("asign", "assign"), ("device", "devices")):
            for arguments in ([typed], [typed, "--centroids", "c.bin", "a.pgm"], [typed, "-k", "2", "-o", "x.bin"]):
                done = self.run_program(*arguments, status=2)
                self.assertEqual(done.stdout, b"")
                self.assert_one_line(done.stderr, f'"{typed}"', f"did you mean {meant}?")
        self.assert_one_line(self.run_program("version", status=2).stderr, '"version"', *VERBS)

    def test_a_call_without_words_leads_to_a_page(self):
        done = self.run_program(status=2)
        self.assert_one_line(done.stderr, "bowhist cluster photos/ --html sheet.html", "bowhist help")

    def test_a_library_is_neither_a_folder_nor_missing_nor_a_picture(self):
        (self.folder / "photos").mkdir()
        write_picture(self.folder / "photos/a.pgm", 1)
        before = (self.folder / "photos/a.pgm").read_bytes()
        for verb in (["serve"], ["status"], ["export"]):
            self.assert_one_line(self.run_program(*verb, "photos", status=3).stderr, "photos: a folder, no library",
                                 "bowhist index -o photos.bow photos")
            self.assert_one_line(self.run_program(*verb, "nope.bow", status=3).stderr, "nope.bow: there is no such library")
        self.assert_one_line(self.run_program("show", "photos", "--html", "w.html", status=2).stderr,
                             "photos: a folder", "bowhist show c.bin photos --html words.html")
        self.assert_one_line(self.run_program("index", "-o", "photos/a.pgm", "photos", status=3).stderr,
                             "photos/a.pgm: this file is there, and no library", "another name")
        self.assertEqual((self.folder / "photos/a.pgm").read_bytes(), before)

    def test_a_file_is_an_input_whatever_its_name(self):
        self.write_centroids()
        (self.folder / "benhc").mkdir()
        for name in ("trian", "benhc/a.pgm"):
            write_picture(self.folder / name, 1)
        (self.folder / "clutser").symlink_to("nowhere")
        for name, status, rows in (("trian", 0, 1), ("benhc", 0, 1), ("clutser", 3, 0), ("./extarct", 3, 0),
                                   ("trian.pgm", 3, 0), ("photographs", 3, 0)):
            done = self.run_program(name, "--centroids", "c.bin", status=status)
            self.assertEqual(done.stdout.count(b"\n"), 1 + rows, name)
            self.assertNotIn(b"did you mean", done.stderr)

    def test_help_of_a_verb(self):
        for verb in VERBS:
            self.assertEqual(self.run_program("help", verb).stdout, self.run_program(verb, "--help").stdout)
        whole = self.run_program("--help").stdout
        for arguments in ([], ["help"], ["--help"], ["-h"]):
            self.assertEqual(self.run_program("help", *arguments).stdout, whole)
        for verb in [*VERBS, "help"]:
            self.assertIn(f"  bowhist {verb} ", whole.decode())
        self.assert_one_line(self.run_program("help", "trian", status=2).stderr, '"trian"', "did you mean train?")
        self.assert_one_line(self.run_program("help", "me", status=2).stderr, '"me"', *VERBS)
        self.assert_one_line(self.run_program("help", "train", "bench", status=2).stderr, "one verb")

    def test_a_mistyped_option_is_told_with_the_nearest(self):
        self.write_centroids()
        for arguments, typed, meant in (
            (["--centroids", "c.bin", "--normalise", "l2", "a.pgm"], "--normalise", "--normalize"),
            (["--centroids", "c.bin", "--normalise=l2", "a.pgm"], "--normalise", "--normalize"),
            (["--centriods", "c.bin", "a.pgm"], "--centriods", "--centroids"),
            (["train", "-k", "2", "--ouput", "c2.bin", "a.pgm"], "--ouput", "--output"),
            (["assign", "--centroid", "c.bin", "-o", "w.npy", "d.npy"], "--centroid", "--centroids"),
            (["devices", "--jsno"], "--jsno", "--json"),
        ):
            with self.subTest(arguments=arguments):
                done = self.run_program(*arguments, status=2)
                self.assert_one_line(done.stderr, f"there is no option {typed};", f"did you mean {meant}?")
        done = self.run_program("--centroids", "c.bin", "--colour", "a.pgm", status=2)
        self.assert_one_line(done.stderr, "there is no option --colour;", "--help")
        self.assertNotIn(b"did you mean", done.stderr)

    def test_an_empty_value_swallows_no_picture(self):
        self.write_centroids()
        write_picture(self.folder / "a.pgm", 1)
        call = ["--centroids", "c.bin", "--extractor", "akaze", "--kernel", "serial"]
        expected = self.run_program(*call, "a.pgm").stdout
        for empty in ("--device=", "--files-from=", "--output="):  # as without the option
            self.assertEqual(self.run_program(*call, empty, "a.pgm").stdout, expected, empty)
        done = self.run_program(*call, "--max-side=", "a.pgm", status=2)
        self.assert_one_line(done.stderr, "--max-side", "not ''")


if __name__ == "__main__":
    unittest.main()
