"""Duplicates: which file stays for each copy. A copy may be held against another one than the best."""
import os
import pathlib
import shutil
import subprocess
import unittest

from duplicate_pictures import CopiesTest, photograph

from edited_copies import scaled


class Chain(CopiesTest):
    """The best shows most, a crop shows more detail and stays, too, and the crop has a copy."""

    BEST, CROP, COPY = "photos/whole.png", "photos/crop.png", "photos/backup/crop_copy.png"

    def setUp(self):
        super().setUp()
        picture = photograph(1, 1200, 900, 500)
        self.put("whole.png", scaled(picture, 0.5))
        self.put("small.jpg", scaled(picture, 0.4))
        self.put("crop.png", picture.crop((240, 180, 960, 720)))
        (self.photos / "backup").mkdir()
        shutil.copy2(self.folder / self.CROP, self.folder / self.COPY)

    def find(self, *arguments):
        super().find(*arguments)
        rows = {row["image"]: row for row in self.rows.values()}
        self.assertEqual((rows[self.COPY]["with"], rows[self.CROP]["with"], rows[self.BEST]["best"]), (self.CROP, self.BEST, "1"))

    def run_script(self, name="moves.sh", status=0, environment=None):
        done = subprocess.run(["sh", name], cwd=self.folder, capture_output=True, text=True, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def script(self, action):
        return self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", f"{action}.sh", "--action", action).stderr.decode()

    def print0(self):
        return set(self.run_program("duplicates", "p.bow", "--print0").stdout.decode().split("\0")[:-1])

    def replace(self, name):
        """Other bytes, with the size and the time of before."""
        file = self.folder / name
        times = file.stat()
        file.write_bytes(file.read_bytes()[:-1] + b"x")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    def test_both_copies_move_while_both_files_stay(self):
        self.find()
        self.assertEqual(self.run_script(), "2 moved, 0 skipped\n")
        self.assertEqual({path.name for path in self.photos.iterdir()}, {"whole.png", "crop.png", "backup"})
        self.assertEqual(self.run_script("moves.sh.undo"), "2 moved, 0 skipped\n")
        self.assertTrue((self.folder / self.COPY).is_file())

    def test_the_last_file_that_shows_the_detail_stays(self):
        self.find()
        (self.folder / self.CROP).unlink()
        self.assertIn(f"what it is a copy of is not there: ./{self.COPY}", self.run_script(status=1))
        self.assertTrue((self.folder / self.COPY).is_file())
        self.assertFalse((self.photos / "small.jpg").exists())

    def test_the_script_looks_at_the_bytes_of_the_file_that_stays(self):
        self.find()
        self.replace(self.CROP)
        self.assertIn(f"what it is a copy of changed: ./{self.COPY}", self.run_script(status=1))
        self.assertTrue((self.folder / self.COPY).is_file())

    def test_the_best_may_go_from_the_disk(self):
        self.find()
        (self.folder / self.BEST).unlink()
        self.assertIn("1 moved, 1 skipped", self.run_script(status=1))
        self.assertTrue((self.photos / "small.jpg").is_file())

    def test_raw_files_are_looked_for_beside_the_file_that_stays(self):
        (self.photos / "elsewhere").mkdir()
        (self.folder / self.CROP).rename(self.photos / "elsewhere/crop.png")
        (self.photos / "elsewhere/crop.xmp").write_bytes(b"so that it is as good as its copy with a raw file")
        self.CROP = "photos/elsewhere/crop.png"
        for name in ("backup/crop_copy.cr2", "crop.cr2"):
            (self.photos / name).write_bytes(b"raw")
        self.find()
        self.assertEqual(self.print0(), {"photos/small.jpg"})
        (self.photos / "crop.cr2").rename(self.photos / "elsewhere/crop.cr2")
        self.assertEqual(self.print0(), {"photos/small.jpg", self.COPY})

    def test_links_lead_to_the_file_with_the_same_bytes(self):
        shutil.copy2(self.photos / "small.jpg", self.photos / "small too.jpg")
        self.find()
        for action in ("hardlink", "symlink"):
            self.assertIn("1 copy does not have the bytes", self.script(action))
            self.assertEqual(self.run_script(f"{action}.sh"), "2 linked, 0 skipped\n")
            self.assertTrue((self.folder / self.COPY).samefile(self.folder / self.CROP))
            self.assertTrue((self.photos / "small.jpg").samefile(self.photos / "small too.jpg"))
            self.assertEqual(self.run_script(f"{action}.sh.undo"), "2 written anew, 0 skipped\n")

    def test_lists_and_pages_look_at_the_bytes_of_files_that_stay(self):
        self.find()
        self.assertEqual(self.print0(), {"photos/small.jpg", self.COPY})
        self.replace(self.CROP)
        self.assertEqual(self.print0(), {"photos/small.jpg"})
        self.replace(self.BEST)
        done = self.run_program("duplicates", "p.bow", "--print0")
        self.assertEqual(done.stdout, b"")
        self.assert_one_line(done.stderr.splitlines(keepends=True)[0], "left out", "changed since it was indexed")
        self.assertNotIn("small.jpg", self.run_program("duplicates", "p.bow", "--blocks").stdout.decode())
        self.run_program("duplicates", "p.bow", "--html", "page.html")
        self.assertNotIn("small.jpg", (self.folder / "page.html").read_text())

    def test_undo_leaves_what_the_script_skipped(self):
        tools = self.folder / "tools"
        tools.mkdir()
        real = shutil.which("cp")
        (tools / "cp").write_text(f'#!/bin/sh\ncase $1 in --reflink=always) shift; case $3 in *backup*) exit 1;; esac;; esac\nexec {real} "$@"\n')
        (tools / "cp").chmod(0o755)
        shutil.copy2(self.photos / "small.jpg", self.photos / "small too.jpg")
        self.find()
        self.script("reflink")
        number = (self.folder / self.COPY).stat().st_ino
        self.assertIn("0 written anew, 2 skipped", self.run_script("reflink.sh.undo", status=1))  # it did not run yet
        self.assertIn("1 linked, 1 skipped", self.run_script("reflink.sh", 1, {"PATH": f"{tools}:{os.environ['PATH']}"}))
        for written in (1, 0):
            said = self.run_script("reflink.sh.undo", status=1)
            self.assertIn(f"{written} written anew, {2 - written} skipped", said)
            self.assertIn(f"the script did not replace: ./{self.COPY}", said.replace("skipped, it ", ""))
        self.assertEqual((self.folder / self.COPY).stat().st_ino, number)

    def test_a_later_script_of_the_name_is_not_taken_for_the_first(self):
        self.find()
        self.script("hardlink")
        self.assertEqual(self.run_script("hardlink.sh"), "1 linked, 0 skipped\n")
        self.assertEqual(self.run_script("hardlink.sh.undo"), "1 written anew, 0 skipped\n")
        self.assertEqual(self.run_script("hardlink.sh"), "1 linked, 0 skipped\n")
        (self.folder / self.COPY).unlink()
        shutil.copy2(self.folder / self.CROP, self.folder / self.COPY)
        for name in ("hardlink.sh", "hardlink.sh.undo"):
            (self.folder / name).unlink()
        self.script("hardlink")
        self.assertIn("did not replace", self.run_script("hardlink.sh.undo", status=1))

    def test_nothing_is_replaced_that_cannot_be_noted(self):
        self.find()
        self.script("hardlink")
        (self.folder / "hardlink.sh.done").mkdir()
        self.assertIn("0 linked, 1 skipped", self.run_script("hardlink.sh", status=1))
        self.assertFalse((self.folder / self.COPY).samefile(self.folder / self.CROP))
        self.assertEqual({path.name for path in (self.photos / "backup").iterdir()}, {pathlib.Path(self.COPY).name})


if __name__ == "__main__":
    unittest.main()
