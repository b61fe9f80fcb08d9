"""Scripts that move copies: what they move, what they leave, and that they can be undone."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import duplicates_test
from program import ProgramTest
from search_test import scene, write_pgm

ODD = "it's $HOME `odd` \n\t\"\\.pgm"


class Moves(ProgramTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        for i in range(4):
            write_pgm(self.folder / f"photos/p{i}.pgm", scene(i))
            write_pgm(self.folder / f"photos/p{i}_half.pgm", duplicates_test.halved(scene(i)))
        shutil.copy(self.folder / "photos/p0.pgm", self.folder / "photos" / ODD)

    def setUp(self):
        super().setUp()  # a library knows where its folders lie
        self.run_program("index", "-o", "p.bow", "--words-k", "500", "--describe", "words", "--kernel", "simd", "photos")

    def write_script(self):
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away")

    def run_script(self, name, status=0):
        done = subprocess.run(["sh", name], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr.decode(errors="surrogateescape")

    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() for folder in ("photos", "away")
                for path in (self.folder / folder).rglob("*") if path.is_file()}

    def test_copies_are_moved_and_moved_back(self):
        before = self.files()
        self.write_script()
        self.assertEqual(self.files(), before)
        self.assertEqual(self.run_script("moves.sh"), "5 moved, 0 skipped\n")
        moved = self.files()
        self.assertEqual(sorted(moved), sorted([f"photos/p{i}.pgm" for i in range(4)] + [f"away/photos/p{i}_half.pgm" for i in range(4)] + ["away/photos/" + ODD]))
        self.assertEqual(self.run_script("moves.sh.undo"), "5 moved, 0 skipped\n")
        self.assertEqual(self.files(), before)

    def test_it_works_from_any_folder(self):
        self.write_script()
        done = subprocess.run(["sh", str(self.folder / "moves.sh")], cwd="/", capture_output=True)
        self.assertEqual(done.stderr, b"5 moved, 0 skipped\n")

    def test_what_changed_stays(self):
        self.write_script()
        photos = self.folder / "photos"
        (photos / "p0_half.pgm").write_bytes(b"new")  # another size
        old = (photos / "p1_half.pgm").read_bytes()
        stamp = (photos / "p1_half.pgm").stat()
        (photos / "p1_half.pgm").write_bytes(old[:-1] + bytes([old[-1] ^ 1]))  # other bytes of the same size and time
        os.utime(photos / "p1_half.pgm", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        os.utime(photos / "p2_half.pgm", (1, 1))
        (photos / "p3.pgm").unlink()  # what would be kept
        before = self.files()
        said = self.run_script("moves.sh", status=1)
        self.assertIn("1 moved, 4 skipped", said)
        for reason in ("another size", "other bytes", "another time", "is not there"):
            self.assertIn(reason, said)
        self.assertEqual({**before, **self.files()}, {**before, "away/photos/" + ODD: before["photos/" + ODD]})

    def test_what_is_kept_must_be_as_it_was(self):
        photos = self.folder / "photos"
        self.write_script()
        (photos / "p0.pgm").write_bytes(b"new")
        os.utime(photos / "p1.pgm", (1, 1))
        (photos / "p2.pgm").unlink()
        (photos / "p2.pgm").symlink_to("p2_half.pgm")  # what is moved would leave no file there
        (photos / "p3.pgm").unlink()
        os.link(photos / "p3_half.pgm", photos / "p3.pgm")
        before = self.files()
        said = self.run_script("moves.sh", status=1)
        self.assertIn("0 moved, 5 skipped", said)
        self.assertEqual([said.count(reason) for reason in ("copy of changed", "same file")], [3, 2])
        self.assertEqual(self.files(), before)

    def test_links(self):
        photos = self.folder / "photos"
        (photos / "a.pgm").symlink_to("p1.pgm")  # is one image with p1.pgm, by its first path
        os.link(photos / "p2.pgm", photos / "h.pgm")
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
        self.write_script()
        (photos / "p3_half.pgm").rename(self.folder / "there.pgm")
        (photos / "p3_half.pgm").symlink_to("../there.pgm")
        before = self.files()
        self.assertIn("it is a link: ./photos/p3_half.pgm\n4 moved, 1 skipped\n", self.run_script("moves.sh", status=1))
        self.assertTrue((photos / "a.pgm").is_symlink() and (photos / "p1.pgm").is_file() and (photos / "h.pgm").is_file())
        self.run_script("moves.sh.undo", status=1)
        self.assertEqual(self.files(), before)

    def test_a_link_out_of_the_root_stays(self):
        photos = self.folder / "photos"
        (photos / "p3_half.pgm").rename(self.folder / "there.pgm")
        (photos / "p3_half.pgm").symlink_to("../there.pgm")
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
        self.write_script()
        before = self.files()
        self.assertEqual(self.run_script("moves.sh"), "4 moved, 0 skipped\n")
        self.assertTrue((photos / "p3_half.pgm").is_symlink())
        self.run_script("moves.sh.undo")
        self.assertEqual(self.files(), before)

    def test_hostile_names(self):
        names = [b"-rf", b"--", b"!", b"(", b"=", b"'", b"''\"$(touch gone)\";touch gone #", b"new\nline\n", b"tab\t", b" ", b"\xff\xfe.pgm",
                 b"back\\slash\\n", b"*?[a]", b"$HOME", b"~", b"\r", b"%s%n", b"a\n-e", b"dir\n/-f\n", b"-/x", b"\xc3\xa9/\xe9"]
        hostile = os.fsencode(self.folder) + b"/photos/"
        for i, name in enumerate(names):
            os.makedirs(os.path.dirname(hostile + name), exist_ok=True)
            (self.folder / "photos/p0.pgm").rename(self.folder / "p0")
            shutil.copy(self.folder / "p0", hostile + name + b".pgm")
            (self.folder / "p0").rename(self.folder / "photos/p0.pgm")
        for kept in (b"- kept\n'.pgm", b"\xff kept.pgm"):
            write_pgm(pathlib.Path(os.fsdecode(hostile + kept)), scene(90 + len(kept)))
            shutil.copy(hostile + kept, hostile + kept + b" longer.pgm")
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", "photos")
        to = os.fsdecode(b"-to '\n\xff")
        script = os.fsdecode(b"-moves '\n\xff.sh")
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script=" + script, "--to=" + to)
        before, paths = self.files(), sorted(self.folder.rglob("*.pgm*"))
        count = len(names) + 7
        for shell in (["sh"], ["bash"], ["busybox", "sh"]):
            if shutil.which(shell[0]) is None:
                continue
            for name, said in ((script, f"{count} moved, 0 skipped\n"), (script + ".undo", f"{count} moved, 0 skipped\n")):
                done = subprocess.run([*shell, "./" + name], cwd=self.folder, capture_output=True)
                self.assertEqual((done.returncode, done.stderr.decode(errors="replace")), (0, said))
                self.assertEqual(len(list((self.folder / to).rglob("*.pgm*"))), 0 if name != script else count)
            self.assertEqual((self.files(), sorted(self.folder.rglob("*.pgm*"))), (before, paths))
        self.assertEqual(list(self.folder.rglob("gone")), [])

    def test_scripts_run_twice(self):
        before = self.files()
        self.write_script()
        self.run_script("moves.sh")
        moved = self.files()
        self.assertIn("0 moved, 5 skipped", self.run_script("moves.sh", status=1))
        self.assertEqual(self.files(), moved)
        self.run_script("moves.sh.undo")
        self.assertIn("0 moved, 5 skipped", self.run_script("moves.sh.undo", status=1))
        self.assertEqual(self.files(), before)

    def test_a_file_in_the_place_that_undo_wants(self):
        self.write_script()
        self.run_script("moves.sh")
        (self.folder / "photos/p0_half.pgm").write_bytes(b"mine")
        (self.folder / "photos/p1_half.pgm").symlink_to("nowhere")
        (self.folder / "away/photos/p2_half.pgm").write_bytes(b"changed")
        before = self.files()
        self.assertIn("2 moved, 3 skipped", self.run_script("moves.sh.undo", status=1))
        self.assertEqual(sorted(self.files().values()), sorted(before.values()))

    def test_folders_that_cannot_be_written(self):
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        self.write_script()
        before = self.files()
        self.folder.chmod(0o755)
        for folder in (self.folder / "photos", self.folder):  # the copies' own, and that of --to
            done = subprocess.run(["sh", "moves.sh"], cwd=self.folder, capture_output=True, **user)
            self.assertIn(b"0 moved, 5 skipped", done.stderr)
            folder.chmod(0o777)
        self.assertEqual(self.files(), before)

    @unittest.skipUnless(os.path.isdir("/dev/shm"), "needs another file system")
    def test_another_file_system(self):
        away = tempfile.mkdtemp(dir="/dev/shm")
        self.addCleanup(shutil.rmtree, away)
        before = self.files()
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", away)
        self.assertEqual(self.run_script("moves.sh"), "5 moved, 0 skipped\n")
        self.assertEqual(len(self.files()), 4)
        self.run_script("moves.sh.undo")
        self.assertEqual(self.files(), before)

    def test_places_that_lead_to_what_is_moved(self):
        before = self.files()
        for i, to in enumerate((".", "photos/..")):
            self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", f"{i}.sh", "--to", to)
            self.assertIn("0 moved, 5 skipped", self.run_script(f"{i}.sh", status=1))
        (self.folder / "loop").mkdir()
        (self.folder / "loop/photos").symlink_to("../photos")
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "loop.sh", "--to", "loop")
        self.assertIn("0 moved, 5 skipped", self.run_script("loop.sh", status=1))
        self.assertEqual(self.files(), before)

    def test_a_script_does_not_replace_one_that_may_undo_moves(self):
        self.write_script()
        done = self.run_program("duplicates", "p.bow", "--script", "moves.sh", "--to", "away", status=2)
        self.assertIn(b"moves.sh: is there already", done.stderr)
        (self.folder / "moves.sh").unlink()
        done = self.run_program("duplicates", "p.bow", "--script", "moves.sh", "--to", "away", status=2)
        self.assertIn(b"moves.sh.undo: is there already", done.stderr)

    def test_nothing_is_overwritten(self):
        self.write_script()
        (self.folder / "away/photos").mkdir(parents=True)
        (self.folder / "away/photos/p0_half.pgm").write_bytes(b"mine")
        self.assertIn("4 moved, 1 skipped", self.run_script("moves.sh", status=1))
        self.assertEqual((self.folder / "away/photos/p0_half.pgm").read_bytes(), b"mine")

    def test_a_file_that_changed_before_is_left_out(self):
        (self.folder / "photos/p0_half.pgm").write_bytes(b"new")
        done = self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away")
        self.assertIn(b"p0_half.pgm: changed since it was indexed", done.stderr)
        self.assertEqual(self.run_script("moves.sh"), "4 moved, 0 skipped\n")

    def test_a_folder_is_kept(self):
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away", "--keep", "photos")
        self.assertEqual(self.run_script("moves.sh"), "0 moved, 0 skipped\n")


if __name__ == "__main__":
    unittest.main()
