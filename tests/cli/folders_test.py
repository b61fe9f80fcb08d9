"""What folders and lists bring that is no picture of the user's: it is ignored, counted and named."""
import csv
import unittest

from program import LAST_LINE, ProgramTest, complaints, write_picture


class FolderTest(ProgramTest):
    def prepare(self):
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
        images, printed = self.images("p")
        self.assertEqual(images, ["p/a.pgm"])
        self.assertEqual(complaints(printed.encode()), [])
        self.assertIn(" 1 read, 0 skipped, 7 ignored: 5 folders (@eaDir, #recycle, .Trash-1000, ...), 1 .txt, 1 hidden, ", printed)
        self.assertTrue(LAST_LINE.fullmatch(printed), printed)
        _, printed = self.images("-v", "p")
        for name in ("p/#recycle", "p/@eaDir", "p/sub/@eaDir"):
            self.assertIn(f"bowhist: ignored the folder {name}\n", printed)
        for name in ("p/.f.pgm", "p/notes.txt"):
            self.assertIn(f"bowhist: ignored {name}\n", printed)
        self.assertEqual(self.images("-q", "p")[1], "")

    def test_few_folders_are_all_named(self):
        self.add("p/@eaDir/b.pgm", "p/sub/@eaDir/b.pgm", "p/.git/c.pgm")
        self.assertIn(" 3 ignored: 3 folders (@eaDir, .git), ", self.images("p")[1])
        self.add("p/.\x1b[31m/d.pgm", "p/." + "x" * 200 + "/e.pgm", "p/.\udcff/f.pgm")
        printed = self.images("p")[1]
        self.assertIn(" 6 ignored: 6 folders (@eaDir, .git, ...), ", printed)
        self.assertTrue(LAST_LINE.fullmatch(printed), printed)

    def test_exclude_may_be_given_again_and_takes_brackets(self):
        self.add("p/b.pgm", "p/raw/c.pgm", "p/sub/raw/d.pgm", "p/e")
        images, printed = self.images("--exclude=[a-b].pgm", "--exclude", "[s]ub", "--exclude=", "p")
        self.assertEqual(images, ["p/raw/c.pgm"])
        self.assertIn(" 4 ignored: 1 folder (sub), 2 excluded, 1 no ending, ", printed)

    def test_every_verb_ignores_the_same(self):
        self.add("p/@eaDir/b.pgm", "p/.c.pgm", "p/d.pgm")
        for call in (["train", "-k", "2", "-o", "t.bin"], ["extract", "-o", "d"], ["extract", "-o", "all.fbin"]):
            printed = self.run_program(*call, "--exclude", "d.*", "p").stderr.decode()
            self.assertIn(" 1 read, 0 skipped, 3 ignored: 1 folder (@eaDir), 1 excluded, 1 hidden, ", printed)
            printed = self.run_program(*call, "--hidden", "p").stderr.decode()
            self.assertIn(" 3 read, 0 skipped, 1 ignored: 1 folder (@eaDir), ", printed)
        (self.folder / "w").mkdir()
        for name in ("w/a.npy", "w/.b.npy", "w/c.npy"):
            self.write_descriptors(name, 9)
        printed = self.run_program("assign", "--centroids", "c.bin", "-o", "words.npy", "--exclude", "c*", "w").stderr.decode()
        self.assertIn(" 1 read, 0 skipped, 2 ignored: 1 excluded, 1 hidden, ", printed)

    def test_a_folder_named_twice_counts_once(self):
        self.add("p/sub/b.pgm", "p/z.pgm")
        images, printed = self.images("p", "./p/sub/..", "p/z.pgm")
        self.assertEqual(images, ["p/a.pgm", "p/sub/b.pgm", "p/z.pgm", "p/z.pgm"])
        self.assertEqual(complaints(printed.encode()), [])
        self.assertIn("p/sub: this folder is searched already", self.images("-v", "p", "p/sub")[1])


class Lists(FolderTest):
    def test_null_needs_a_list(self):
        self.write_descriptors("d.npy", 9)
        for call in (["--centroids", "c.bin"], ["train", "-o", "t.bin"], ["extract", "-o", "d"],
                     ["assign", "--centroids", "c.bin", "-o", "w.npy"]):
            for named in (["d.npy"], []):
                for null in ("-0", "--null"):
                    done = self.run_program(*call, null, *named, status=2, input=b"d.npy\0")
                    self.assert_one_line(done.stderr, "-0 ", "--files-from")
                    self.assertEqual(done.stdout, b"")



if __name__ == "__main__":
    unittest.main()
