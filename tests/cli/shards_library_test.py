"""Shards of a library: merged, its rows, exports and answers are those of the library that is made without them."""
import contextlib
import fcntl
import os
import shutil
import sqlite3
import subprocess
import unittest

from program import ProgramTest, write_picture

# What a library holds, but for when and by what run.
TABLES = {"roots": "*", "files": "id, folder, name, size, file, content, skipped, gone, run", "folders": "*", "contents": "*",
          "words": "*", "codes": "*", "thumbnails": "*", "models": "*"}


class ShardsOfALibrary(ProgramTest):
    def prepare(self):
        for folder in ("photos", "photos/deep", "other"):
            (self.folder / folder).mkdir()
        for seed, name in enumerate(("photos/a.pgm", "photos/c.pgm", "photos/deep/b.pgm", "other/d.pgm", "e.pgm", "f.pgm")):
            write_picture(self.folder / name, seed)
        shutil.copy(self.folder / "photos/a.pgm", self.folder / "other/copy.pgm")
        os.link(self.folder / "other/d.pgm", self.folder / "other/link.pgm")
        (self.folder / "photos/torn.pgm").write_bytes(b"P5\n64 64\n255\n")
        shutil.copy(self.folder / "photos/torn.pgm", self.folder / "other/torn too.pgm")
        (self.folder / "photos/flat.pgm").write_bytes(b"P5\n64 64\n255\n" + bytes(64 * 64))
        self.inputs = ["photos", "f.pgm", "missing.pgm", "other", "e.pgm"]
        self.models = ["--words-k", "30", "--code-k", "4"]
        self.run_program("index", "-o", "learned.bow", *self.models, "photos", status=1)

    def setUp(self):
        super().setUp()
        (self.folder / "other/link.pgm").unlink()  # a copy has no hard links
        os.link(self.folder / "other/d.pgm", self.folder / "other/link.pgm")

    def make_whole(self):
        return self.run_program("index", "-o", "whole.bow", "--centroids", "learned.bow", *self.inputs, status=1)

    def shard(self, i, n, name=None, inputs=None, models="learned.bow"):
        """@return what it said and how it ended, and its name"""
        name = name or f"{i}-{n}.bow"
        done = subprocess.run([os.environ["BOWHIST"], "index", "--shard", f"{i}/{n}", "--centroids", models, "-o", name,
                               *(inputs or self.inputs)], cwd=self.folder, capture_output=True, timeout=300)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done, name

    def rows(self, name):
        with contextlib.closing(sqlite3.connect(f"file:{self.folder / name}?mode=ro", uri=True)) as library:
            return {table: library.execute(f"SELECT {columns} FROM {table} ORDER BY 1").fetchall() for table, columns in TABLES.items()}

    def answers(self, name):
        made = []
        for what in ("words", "code"):
            self.run_program("export", name, "--what", what, "-o", "export.npz")
            made.append((self.folder / "export.npz").read_bytes())
        made.append(self.run_program("search", name, "--all", status=1).stdout)
        made.append(self.run_program("search", name, "e.pgm", "photos/c.pgm").stdout)
        return made

    def test_1_to_7_shards_and_more_than_there_are_files(self):
        whole = self.make_whole()
        rows, answers = self.rows("whole.bow"), self.answers("whole.bow")
        for n in (1, 2, 3, 5, 7, 20):
            with self.subTest(n=n):
                names = [self.shard(i, n)[1] for i in range(1, n + 1)]
                done = self.run_program("merge", "-o", f"merged{n}.bow", *names[::-1], status=1)
                self.assertEqual(sorted(self.folder.glob(f"merged{n}*")), [self.folder / f"merged{n}.bow"])
                merged = self.rows(f"merged{n}.bow")
                for table in TABLES:
                    self.assertEqual(merged[table], rows[table], table)
                self.assertEqual(self.answers(f"merged{n}.bow"), answers)
                self.assertEqual(done.stderr.rpartition(b",")[0].splitlines()[-1], whole.stderr.rpartition(b",")[0].splitlines()[-1])
        self.run_program("status", "merged3.bow", "--integrity")
        # it is a library like any other
        again = self.run_program("index", "-o", "merged3.bow", *self.inputs, status=1)
        self.assertIn(b"0 new, 0 changed, 0 moved, 0 gone, 0 back, 11 unchanged", again.stderr)

    def test_a_complete_shard_is_kept_and_one_of_another_run_made_again(self):
        first, _ = self.shard(2, 3, "a.bow")
        before = self.rows("a.bow")
        again, _ = self.shard(2, 3, "a.bow")
        self.assertIn(b"already complete; ", again.stderr)
        self.assertEqual(again.returncode, first.returncode)
        self.assertEqual(self.rows("a.bow"), before)
        self.shard(1, 3, "a.bow")
        self.assertNotEqual(self.rows("a.bow")["files"], before["files"])

    def test_a_shard_that_was_killed_at_its_start_is_made_again(self):
        whole, _ = self.shard(2, 3, "a.bow")
        rows = self.rows("a.bow")
        with contextlib.closing(sqlite3.connect(self.folder / "a.bow")) as library, library:
            for table in ("files", "folders", "roots", "words", "codes", "thumbnails", "contents"):
                library.execute(f"DELETE FROM {table}")
            library.execute("DELETE FROM about WHERE name IN ('shard', 'shard skipped', 'updated', 'place', 'whole run')")
        again, _ = self.shard(2, 3, "a.bow")
        self.assertEqual(again.returncode, whole.returncode)
        self.assertEqual(self.rows("a.bow"), rows)

    def test_a_shard_that_another_run_makes_is_left_to_it(self):
        self.shard(2, 3, "a.bow")
        rows = self.rows("a.bow")
        with open(self.folder / "a.bow", "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            for number in ("2/3", "1/3"):
                self.refuse("index", "--shard", number, "--centroids", "learned.bow", "-o", "a.bow", *self.inputs, words=("a.bow", "is writing it"))
        self.assertEqual(self.rows("a.bow"), rows)

    def test_a_shard_of_folders_that_were_spelled_otherwise_is_made_again(self):
        folders = ["photos", "other"]
        self.shard(1, 2, "a.bow", inputs=folders)
        self.shard(2, 2, "b.bow", inputs=[str(self.folder / name) for name in folders])
        again, _ = self.shard(2, 2, "b.bow", inputs=folders)
        self.assertNotIn(b"already complete", again.stderr)
        self.run_program("merge", "-o", "m.bow", "a.bow", "b.bow", status=1)

    def test_a_list_that_can_be_read_once(self):
        command = f"printf '%s\\n' {' '.join(self.inputs)} | \"$BOWHIST\" index --shard 1/2 --centroids learned.bow -o a.bow --files-from -"
        pipe = command.replace("printf", "\"$BOWHIST\" index --shard 1/2 --centroids learned.bow -o a.bow --files-from <(printf", 1).split(" | ")[0] + ")"
        for line in (command, command, pipe, command):
            done = subprocess.run(["bash", "-c", line], cwd=self.folder, capture_output=True, timeout=300)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertEqual(len(self.rows("a.bow")["files"]), 6)
        self.assertIn(b"already complete", done.stderr)

    def refuse(self, *arguments, words, status=3):
        done = self.run_program(*arguments, status=status)
        self.assert_one_line(done.stderr, *words)

    def test_what_does_not_fit_is_refused(self):
        self.make_whole()
        self.run_program("train", "-q", "-k", "9", "-o", "c.bin", "photos", status=1)
        names = [self.shard(i, 3)[1] for i in (1, 2, 3)]
        self.refuse("merge", "-o", "m.bow", *names, names[0], words=("both shard 1/3",))
        self.refuse("merge", "-o", "m.bow", names[0], names[2], words=("shard 2/3 is missing",))
        self.refuse("merge", "-o", "m.bow", *names[:2], "whole.bow", words=("whole.bow", "no shard"))
        self.refuse("merge", "-o", "whole.bow", *names, words=("whole.bow", "already"), status=2)
        self.shard(2, 3, "o.bow", inputs=["photos"])
        self.refuse("merge", "-o", "m.bow", names[0], "o.bow", names[2], words=("different inputs",))
        self.run_program("--centroids", "c.bin", "--shard", "1/3", "-o", "h.part", "photos")
        self.refuse("merge", "-o", "m.bow", *names, "h.part", words=("1-3.bow is a library, and h.part a part",))
        self.refuse("merge", "-o", "m.bow", *names[:2], "none.bow", words=("none.bow", "no such library"))
        limit = ["sh", "-c", 'ulimit -f 400; trap "" XFSZ; exec "$@"', "sh"]  # 200 KB
        done = subprocess.run([*limit, os.environ["BOWHIST"], "merge", "-o", "m.bow", *names], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 3)
        self.assert_one_line(done.stderr, "m.bow: ")
        self.assertFalse(list(self.folder.glob(".bowhist*")))
        self.assertFalse((self.folder / "m.bow").exists())
        self.run_program("index", "-o", "learned2.bow", "--words-k", "10", "--code-k", "4", "photos", status=1)
        self.shard(2, 3, "o.bow", models="learned2.bow")
        self.refuse("merge", "-o", "m.bow", names[0], "o.bow", names[2], words=("--centroids",))
        self.refuse("index", "-o", names[0], "photos", words=("merge",), status=2)
        self.refuse("index", "--shard", "1/2", "-o", "n.bow", "photos", words=("--centroids",), status=2)
        self.refuse("index", "--shard", "1/2", "--centroids", "learned.bow", "-o", "whole.bow", "photos", words=("no shard",), status=2)
        self.refuse("index", "--shard", "1/2", "--centroids", "learned.bow", "--forget", "-o", "n.bow", "photos", words=("--shard",), status=2)
        self.refuse("index", "--shard", "1/2", "--centroids", "c.bin", "-o", "n.bow", "photos", words=("--shard", "code"), status=2)


if __name__ == "__main__":
    unittest.main()
