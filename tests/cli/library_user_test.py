"""What a user of a library meets: groups and names that are kept, options that do not fit, what is away."""
import base64
import os
import re
import signal
import subprocess
import time
import unittest

from library_test import SMALL, LibraryTest
from program import write_picture


class Limits(LibraryTest):
    """What was skipped is read again by later limits, in whatever runs."""
    SMALL_LIMIT = ("--max-pixels", "100")

    def setUp(self):
        super().setUp()
        self.make()
        (self.folder / "other").mkdir()
        for i in range(3):
            write_picture(self.folder / "other" / f"o{i}.pgm", 20 + i, 120, 90)
        write_picture(self.photos / "p9.pgm", 29, 120, 90)
        self.index(*self.SMALL_LIMIT, "photos", "other", status=1)
        self.assertEqual(self.status()["images"], 6)

    def test_a_run_that_names_a_part_leaves_the_rest_to_others(self):
        self.index("photos")
        self.assertEqual(self.status()["images"], 7)
        self.index()
        self.assertEqual(self.status()["images"], 10)
        self.assertIn("0 described", self.index())

    def test_limits_of_such_a_run_are_its_own(self):
        self.index()
        write_picture(self.folder / "other" / "o9.pgm", 39, 120, 90)
        self.index(*self.SMALL_LIMIT, "other", status=1)
        self.index()
        self.assertEqual(self.status()["images"], 11)


class NewLibraries(LibraryTest):
    def test_each_line_about_a_folder_is_said_once(self):
        os.symlink("..", self.photos / "back")
        (self.photos / ("x" * 200)).mkdir()
        folder = os.open(self.photos / ("x" * 200), os.O_RDONLY)
        for _ in range(20):  # too long a path to be listed
            os.mkdir("y" * 250, dir_fd=folder)
            folder = os.open("y" * 250, os.O_RDONLY, dir_fd=folder)
        self.addCleanup(subprocess.run, ["rm", "-rf", self.photos], check=True)
        said = self.run_program("index", "-o", "new.bow", *SMALL, "photos", status=1).stderr
        self.assertEqual((said.count(b"leads back to a folder"), said.count(b"cannot be listed")), (1, 1), said)


class Clocks(LibraryTest):
    def test_a_time_far_ahead_is_as_good_as_any(self):
        ahead = time.time() + 86400
        os.utime(self.photos / "p0.pgm", (ahead, ahead))
        self.make()
        self.assertEqual(self.run_program("index", "-o", "p.bow", "--dry-run").stdout, b"")


class Groups(LibraryTest):
    def setUp(self):
        super().setUp()
        self.make()
        self.run_program("cluster", "p.bow")

    def kept(self):
        return self.sql("SELECT number, name FROM groups ORDER BY number"), self.sql("SELECT file, number FROM members ORDER BY file")

    def test_another_method_replaces_nothing_unasked(self):
        self.run_program("cluster", "p.bow", "--name", "0=Beach")
        before = self.kept()
        for arguments in (["-k", "2"], ["--method", "ward", "-k", "2"]):
            said = self.run_program("cluster", "p.bow", *arguments, "-o", "g.csv", status=2).stderr
            self.assert_one_line(said, "1 name", "--regroup", "leave")
            self.assertEqual(self.kept(), before)
            self.assertFalse((self.folder / "g.csv").exists())
        self.run_program("cluster", "p.bow", "-k", "2", "--regroup")
        self.assertEqual([number for number, _ in self.kept()[0]], [0, 1])
        self.run_program("cluster", "photos", "--regroup", "-o", "g.csv", status=2)

    def test_another_resolution_names_what_groups_anew(self):
        said = self.run_program("cluster", "p.bow", "--resolution", "3").stderr.decode()
        self.assertIn("p.bow had groups, which --resolution 3 continues", said)
        self.assertIn("--regroup", said)
        for arguments in (["--resolution", "3", "--regroup"], []):
            self.assertNotIn("--regroup", self.run_program("cluster", "p.bow", *arguments).stderr.decode())

    def test_they_are_in_the_one_file_at_the_end(self):
        self.assertEqual([path.name for path in self.folder.glob("p.bow*")], ["p.bow"])

    def test_regroup_begins_anew(self):
        self.run_program("cluster", "p.bow", "--name", "0=Beach")
        self.run_program("cluster", "p.bow", "--regroup")
        self.assertEqual([name for _, name in self.kept()[0] if name], [])

    def test_a_name_shows_at_once(self):
        self.run_program("cluster", "p.bow", "--html", "sheet.html", "--name", "0=Sand & Sea")
        self.assertIn("Sand &amp; Sea", (self.folder / "sheet.html").read_text())
        last = self.kept()[0][-1][0]
        said = self.run_program("cluster", "p.bow", "-o", "g.csv", "--name", "99=No", status=2).stderr
        self.assert_one_line(said, "no group 99", f"the highest number is {last}")
        self.assertFalse((self.folder / "g.csv").exists())

    def test_what_is_gone_keeps_its_group(self):
        self.run_program("cluster", "p.bow", "--regroup", "-k", "3")
        self.run_program("cluster", "p.bow", "--name", "2=Beach")
        before = self.kept()
        paths = [path for path, in self.sql("SELECT path FROM paths JOIN members ON members.file = paths.id WHERE number = 2")]
        for path in paths:
            (self.folder / path).rename(self.folder / ("away-" + path.replace("/", "-")))
        self.index()
        self.run_program("cluster", "p.bow")
        self.assertEqual(self.kept(), before)
        for path in paths:
            (self.folder / ("away-" + path.replace("/", "-"))).rename(self.folder / path)
        self.index()
        self.run_program("cluster", "p.bow")
        self.assertEqual(self.kept(), before)

    def test_status_lists_groups(self):
        self.run_program("cluster", "p.bow", "--name", "0=Sand & Sea")
        self.assertRegex(self.run_program("status", "p.bow").stdout.decode(), r"groups\n +\d+  0 Sand & Sea\n")
        groups = self.status()["groups"]
        members = [number for _, number in self.kept()[1]]
        self.assertEqual({group["number"]: group["images"] for group in groups}, {number: members.count(number) for number in set(members)})
        self.assertEqual(groups[0]["name"], "Sand & Sea")

    def test_a_library_that_cannot_be_written(self):
        before = self.kept()
        self.folder.chmod(0o777)
        (self.folder / "p.bow").chmod(0o444)
        done = self.as_user("cluster", "p.bow", "-o", "t.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"does not keep these groups", done.stderr)
        self.assertEqual(len((self.folder / "t.csv").read_text().splitlines()), 7)
        self.assertEqual(self.kept(), before)
        self.assertEqual(self.as_user("cluster", "p.bow").returncode, 3)  # which would keep nothing
        self.assertEqual(self.as_user("cluster", "p.bow", "--name", "0=X", "-o", "u.csv").returncode, 3)

    def test_options_of_pictures(self):
        self.assert_one_line(self.run_program("cluster", "p.bow", "--exclude", "trip", status=2).stderr, "--exclude", "leave")
        self.assert_one_line(self.run_program("cluster", "p.bow", "--normalize", "l2", status=2).stderr, "codes", "leave it out")
        self.assert_one_line(self.run_program("cluster", "p.bow", "--step", "4", status=2).stderr, "--step", "leave it out")


class Pages(LibraryTest):
    def thumbnails(self, library="p.bow"):
        return {bytes(jpeg) for jpeg, in self.sql("SELECT jpeg FROM thumbnails", library=library)}

    def shown(self, status=0):
        done = self.run_program("cluster", "p.bow", "--html", "sheet.html", status=status)
        page = (self.folder / "sheet.html").read_text()
        page = re.sub(r'<span class="patches".*?</span>', "", page, flags=re.S)  # of words
        return {base64.b64decode(data) for data in re.findall(r"base64,([^\"]*)", page)}, done.stderr.decode()

    def test_pages_show_the_thumbnails_of_the_library(self):
        self.make()
        os.unlink(self.photos / "p0.pgm")
        shown, said = self.shown()
        self.assertEqual(shown, self.thumbnails())
        self.assertNotIn("no thumbnail", said)

    def test_without_thumbnails_files_are_decoded(self):
        self.make("--no-thumbnails")
        os.unlink(self.photos / "p0.pgm")
        shown, said = self.shown()
        self.assertEqual(len(shown), 5)
        self.assertIn("no thumbnail", said)

    def test_folders_lack_what_is_missing(self):
        self.make()
        for name in ("p0.pgm", "p2.pgm"):
            os.unlink(self.photos / name)
        for option in ("--link", "--copy"):
            done = self.run_program("cluster", "p.bow", option, option[2:], status=1)
            self.assertEqual(done.stderr.count(b"is not there"), 2, done.stderr)
            self.assertEqual(len([path for path in (self.folder / option[2:]).rglob("*.pgm")]), 4)


class Options(LibraryTest):
    def test_nothing_there_is_the_reason(self):
        self.assert_one_line(self.run_program("index", "-o", "q.bow", "nosuch", status=3).stderr, "nosuch", "there is no such file")
        self.assertFalse((self.folder / "q.bow").exists())
        self.make()
        self.assertIn("nosuch: there is no such file", self.index("nosuch", status=3))

    def test_options_that_differ_from_what_was_learned(self):
        self.index(*SMALL, "--words-threshold", "9", "photos")
        for arguments in (["--words-k", "50"], ["--code-k", "7"], ["--words-threshold", "8"], ["--code-step", "3"]):
            with self.subTest(arguments):
                self.assert_one_line(self.run_program("index", "-o", "p.bow", *arguments, "photos", status=2).stderr, "p.bow", "leave it out")
        self.assertIn("6 unchanged", self.index(*SMALL, "--words-threshold", "9", "photos"))
        self.make("--describe", "words", library="w.bow")
        self.assert_one_line(self.run_program("index", "-o", "w.bow", "--code-k", "8", status=2).stderr, "holds no code")

    def test_dry_runs_print_a_line_for_each_file(self):
        self.make()
        write_picture(self.photos / "a\nb\x1b.pgm", 20, 120, 90)
        done = self.run_program("index", "-o", "p.bow", "--dry-run")
        self.assertEqual(done.stdout, b"new     photos/a\\nb\\x1b.pgm\n")

    def test_other_verbs_say_what_a_library_is_for(self):
        self.make()
        for arguments in (["--centroids", "p.bow", "photos"], ["assign", "--centroids", "p.bow", "-o", "w.npy", "photos"],
                          ["train", "-o", "c.bin", "p.bow"], ["train", "--model", "vlad", "-o", "m.npz", "p.bow"]):
            with self.subTest(arguments):
                said = self.run_program(*arguments, status=3).stderr
                self.assertIn(b"a library of images", said)
                self.assertIn(b"index", said)
                self.assertIn(b"--centroids", said)

    def test_a_run_that_is_stopped_while_it_learns_says_what_is_kept(self):
        for i in range(24):
            write_picture(self.photos / f"large{i}.pgm", i, 1600, 1200)
        process = subprocess.Popen([os.environ["BOWHIST"], "index", "-o", "p.bow", "--kernel", "serial", "-j", "1", "--words-k", "2000",
                                    "photos"], cwd=self.folder, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        while not (self.folder / "p.bow").exists() and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        self.assertEqual(process.wait(), 130, said)
        self.assertIn(b"nothing is kept", said)
        self.assertFalse((self.folder / "p.bow").exists())


if __name__ == "__main__":
    unittest.main()
