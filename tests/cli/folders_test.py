"""What folders and lists bring that is no picture of the user's: it is ignored, counted and named."""
import csv
import os
import pathlib
import unittest

from program import LAST_LINE, ProgramTest, complaints, write_picture

DATA = os.environ.get("BOWHIST_TEST_DATA")


class FolderTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.add("p/a.pgm")
        self.run_program("train", "-q", "-k", "4", "--kernel", "serial", "-o", "c.bin", "p")

    def add(self, *names):
        for name in names:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_picture(path, 1, 64, 48)

    def images(self, *arguments, status=0, **options):
        """The first column, and standard error."""
        done = self.run_program("--centroids", "c.bin", "--kernel", "serial", *arguments, status=status, **options)
        rows = list(csv.reader(done.stdout.decode(errors="surrogateescape").splitlines()))[1:]
        return [row[0] for row in rows], done.stderr.decode(errors="replace")


class Folders(FolderTest):
    def test_what_a_nas_and_a_desktop_leave_is_ignored_and_counted(self):
        self.add("p/@eaDir/a.pgm/SYNOPHOTO_THUMB_M.pgm", "p/.Trash-1000/files/b.pgm", "p/#recycle/c.pgm",
                 "p/.thumbnails/normal/d.pgm", "p/sub/@eaDir/e.pgm", "p/.f.pgm")
        (self.folder / "p/notes.txt").write_text("x")
        images, told = self.images("p")
        self.assertEqual(images, ["p/a.pgm"])
        self.assertEqual(complaints(told.encode()), [])
        self.assertIn(" 1 read, 0 skipped, 7 ignored: 5 folders (@eaDir, #recycle, .Trash-1000, ...), 1 .txt, 1 hidden, ", told)
        self.assertTrue(LAST_LINE.fullmatch(told), told)
        _, told = self.images("-v", "p")
        for name in ("p/#recycle", "p/@eaDir", "p/sub/@eaDir"):
            self.assertIn(f"bowhist: ignored the folder {name}\n", told)
        for name in ("p/.f.pgm", "p/notes.txt"):
            self.assertIn(f"bowhist: ignored {name}\n", told)
        self.assertEqual(self.images("-q", "p")[1], "")

    def test_few_folders_are_all_named(self):
        self.add("p/@eaDir/b.pgm", "p/sub/@eaDir/b.pgm", "p/.git/c.pgm")
        self.assertIn(" 3 ignored: 3 folders (@eaDir, .git), ", self.images("p")[1])
        self.add("p/.\x1b[31m/d.pgm", "p/." + "x" * 200 + "/e.pgm", "p/.\udcff/f.pgm")
        told = self.images("p")[1]
        self.assertIn(" 6 ignored: 6 folders (@eaDir, .git, ...), ", told)
        self.assertTrue(LAST_LINE.fullmatch(told), told)

    def test_hidden_takes_what_begins_with_a_dot(self):
        self.add("p/.b.pgm", "p/.c/d.pgm", "p/.git/e.pgm", "p/@eaDir/f.pgm", "p/._g.pgm")
        images, told = self.images("--hidden", "p")
        self.assertEqual(images, ["p/.b.pgm", "p/.c/d.pgm", "p/a.pgm"])
        self.assertIn(" 3 ignored: 2 folders (.git, @eaDir), 1 ._*, ", told)

    def test_exclude_may_be_given_again_and_takes_brackets(self):
        self.add("p/b.pgm", "p/raw/c.pgm", "p/sub/raw/d.pgm", "p/e")
        self.assertEqual(self.images("--exclude", "raw", "p")[0], ["p/a.pgm", "p/b.pgm"])
        self.assertEqual(self.images("--exclude", "sub/raw", "--exclude", "b.*", "p")[0], ["p/a.pgm", "p/raw/c.pgm"])
        images, told = self.images("--exclude=[a-b].pgm", "--exclude", "[s]ub", "p")
        self.assertEqual(images, ["p/raw/c.pgm"])
        self.assertIn(" 4 ignored: 1 folder (sub), 2 excluded, 1 no ending, ", told)
        self.assertEqual(self.images("--exclude", "[ab]", "--exclude=", "p/raw", "p/a.pgm")[0], ["p/raw/c.pgm", "p/a.pgm"])

    def test_what_is_named_is_taken(self):
        self.add(".local/photos/b.pgm", "p/@eaDir/c.pgm", "p/.d.pgm", "e.pgm")
        call = ["--exclude", "*.pgm", "--exclude", "p", "p/.d.pgm", "e.pgm"]
        self.assertEqual(self.images(*call)[0], ["p/.d.pgm", "e.pgm"])
        images, told = self.images(".local/photos", "p/@eaDir")
        self.assertEqual(images, [".local/photos/b.pgm", "p/@eaDir/c.pgm"])
        self.assertIn(" 0 ignored, ", told)
        (self.folder / "list").write_text("p/@eaDir\np/.d.pgm\n")
        self.assertEqual(self.images("--files-from", "list")[0], ["p/@eaDir/c.pgm", "p/.d.pgm"])

    def test_every_verb_ignores_the_same(self):
        self.add("p/@eaDir/b.pgm", "p/.c.pgm", "p/d.pgm")
        for call in (["train", "-k", "2", "-o", "t.bin"], ["extract", "-o", "d"], ["extract", "-o", "all.fbin"]):
            told = self.run_program(*call, "--exclude", "d.*", "p").stderr.decode()
            self.assertIn(" 1 read, 0 skipped, 3 ignored: 1 folder (@eaDir), 1 excluded, 1 hidden, ", told)
            told = self.run_program(*call, "--hidden", "p").stderr.decode()
            self.assertIn(" 3 read, 0 skipped, 1 ignored: 1 folder (@eaDir), ", told)
        (self.folder / "w").mkdir()
        for name in ("w/a.npy", "w/.b.npy", "w/c.npy"):
            self.write_descriptors(name, 9)
        told = self.run_program("assign", "--centroids", "c.bin", "-o", "words.npy", "--exclude", "c*", "w").stderr.decode()
        self.assertIn(" 1 read, 0 skipped, 2 ignored: 1 excluded, 1 hidden, ", told)

    def test_a_folder_named_twice_counts_once(self):
        self.add("p/sub/b.pgm", "p/z.pgm")
        whole = ["p/a.pgm", "p/sub/b.pgm", "p/z.pgm"]
        for named in (["p", "p"], ["p", "p/sub"], ["p", "./p/sub/.."]):
            images, told = self.images(*named)
            self.assertEqual(images, whole)
            self.assertEqual(complaints(told.encode()), [])
        self.assertEqual(self.images("p/sub", "p")[0], ["p/sub/b.pgm", "p/a.pgm", "p/z.pgm"])
        self.assertEqual(self.images("p/z.pgm", "p/z.pgm", "p")[0], ["p/z.pgm", "p/z.pgm", *whole])
        self.assertIn("p/sub: this folder is searched already", self.images("-v", "p", "p/sub")[1])


class Lists(FolderTest):
    def setUp(self):
        super().setUp()
        self.add("p/\u00fc b.pgm", "p/\U0001f426.pgm")
        self.names = ["p/\u00fc b.pgm", "p/a.pgm", "p/\U0001f426.pgm"]

    def test_lists_of_windows_are_read(self):
        for ends in ("\n", "\r\n", "\r"):
            text = "".join(name + ends for name in self.names)
            for codec in ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-16", "utf-32"):
                with self.subTest(ends=ends, codec=codec):
                    (self.folder / "list").write_bytes(text.encode(codec))
                    images, told = self.images("--files-from", "list")
                    self.assertEqual(images, self.names)
                    self.assertEqual(complaints(told.encode()), [])
                    self.assertEqual(self.images("--files-from", "-", input=text.encode(codec))[0], self.names)

    def test_a_wide_list_and_null_are_refused(self):
        for codec in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
            for text in ("p/a.pgm\r\n", "p/a.pgm", "a.pgm\n"):
                (self.folder / "list").write_bytes(text.encode(codec))
                done = self.run_program("--centroids", "c.bin", "--files-from", "list", "-0", status=2)
                self.assertEqual(done.stdout, b"")
                self.assert_one_line(done.stderr, "list: ", "UTF-16", "leave -0 out")

    def test_half_a_letter_costs_its_line(self):
        text = "p/a.pgm\r\np/\ud83d.pgm\r\n".encode("utf-16", "surrogatepass")
        for bytes_, skipped in ((text, "p/"), ("p/a.pgm\r\np/\u00fc b.pgm".encode("utf-16")[:-1], "p/\u00fc b.pg")):
            (self.folder / "list").write_bytes(bytes_)
            images, told = self.images("--files-from", "list", status=1)
            self.assertEqual(images, ["p/a.pgm"])
            self.assert_one_line(told.encode(), f"skipped {skipped}", "in list: its UTF-16 is damaged")

    def test_a_name_that_ends_in_cr(self):
        self.add("q/x.pgm\r")
        (self.folder / "list").write_bytes(b"q/x.pgm\r\np/a.pgm\r\n")
        self.assertEqual(self.images("--files-from", "list", "-o", "h.jsonl")[1].count("2 read, 0 skipped"), 1)
        self.add("q/x.pgm")
        images, told = self.images("--files-from", "list", status=1)
        self.assertEqual(images, ["p/a.pgm"])
        self.assert_one_line(told.encode(), r"skipped q/x.pgm\r: in list: ", "-0")

    def test_null_needs_a_list(self):
        self.write_descriptors("d.npy", 9)
        for call in (["--centroids", "c.bin"], ["train", "-o", "t.bin"], ["extract", "-o", "d"],
                     ["assign", "--centroids", "c.bin", "-o", "w.npy"]):
            for named in (["d.npy"], []):
                for null in ("-0", "--null"):
                    done = self.run_program(*call, null, *named, status=2, input=b"d.npy\0")
                    self.assert_one_line(done.stderr, "-0 ", "--files-from")
                    self.assertEqual(done.stdout, b"")

    @unittest.skipUnless(DATA and (pathlib.Path(DATA) / "reports/11_crlf.txt").exists(), "no reports")
    def test_the_lists_of_the_reports(self):
        for name in ("plain.png", "grey.png"):
            (self.folder / name).write_bytes((pathlib.Path(DATA) / "reports" / name).read_bytes())
        for name in ("11_crlf.txt", "11_utf16.txt"):
            images, _ = self.images("--files-from", str(pathlib.Path(DATA) / "reports" / name))
            self.assertEqual(images, ["plain.png", "grey.png"])


if __name__ == "__main__":
    unittest.main()
