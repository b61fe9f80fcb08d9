"""What the scripts of duplicates act on: today's disk, companions, kinds, the trash and links."""
import csv
import io
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest
import urllib.parse

import duplicates_test
from program import ProgramTest
from search_test import scene, write_pgm


class Actions(ProgramTest):
    def prepare(self):
        for folder in ("photos", "backup"):
            (self.folder / folder).mkdir()
        for i in range(3):
            write_pgm(self.folder / f"photos/p{i}.pgm", scene(i))
            shutil.copy2(self.folder / f"photos/p{i}.pgm", self.folder / f"backup/p{i}.pgm")
        write_pgm(self.folder / "photos/half.pgm", duplicates_test.halved(scene(0)))

    def setUp(self):
        super().setUp()  # a library knows where its folders lie
        self.index("--words-k", "500", "--describe", "words", "--mirrored", "photos", "backup")

    def index(self, *arguments):
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", *arguments)

    def script(self, *arguments, name="moves.sh"):
        """Moves what lies in backup, and the half, unless arguments say else. @return what the program says"""
        where = () if {"--action", "--to"} & {*arguments} else ("--to", "away")
        keep = () if "--keep" in arguments else ("--keep", "photos/p0.pgm", "--keep", "photos/p1.pgm", "--keep", "photos/p2.pgm")
        done = self.run_program("duplicates", "p.bow", "-o", "g.csv", *keep, f"--script={name}", *where, *arguments)
        return done.stderr.decode()

    def run_script(self, name="moves.sh", status=0, environment=None):
        done = subprocess.run(["sh", name], cwd=self.folder, capture_output=True, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr.decode(errors="surrogateescape")

    def files(self, *folders):
        return {str(path.relative_to(self.folder)): (path.read_bytes(), path.stat().st_mtime_ns)
                for folder in folders or ("photos", "backup", "away") for path in (self.folder / folder).rglob("*") if path.is_file()}

    def print0(self, *arguments):
        return sorted(self.run_program("duplicates", "p.bow", "--print0", *arguments).stdout.decode().split("\0")[:-1])


class Disk(Actions):
    def test_a_copy_that_is_gone_is_not_listed(self):
        (self.folder / "backup/p1.pgm").unlink()
        (self.folder / "backup/p2.pgm").write_bytes(b"new")
        done = self.run_program("duplicates", "p.bow", "--print0", "--keep", "photos")
        self.assertEqual(done.stdout, b"backup/p0.pgm\0")
        self.assert_one_line(done.stderr.splitlines(keepends=True)[0], "2 pictures are left out", "backup/p1.pgm: is not there any more", "1 more")

    def test_the_last_file_is_not_listed_where_the_best_is_gone(self):
        best = next(row["image"] for row in self.rows() if row["best"] == "1" and "p1" in row["image"])
        other = {"photos": "backup", "backup": "photos"}[best.split("/")[0]] + "/p1.pgm"
        (self.folder / best).unlink()
        for arguments in (("--print0",), ("--blocks",)):
            self.assertNotIn(other, self.run_program("duplicates", "p.bow", *arguments).stdout.decode())
        self.run_program("duplicates", "p.bow", "--html", "page.html")
        self.assertNotIn("p1.pgm", (self.folder / "page.html").read_text())
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away")
        self.run_script()
        self.assertTrue((self.folder / other).is_file())

    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.run_program("duplicates", "p.bow", *arguments).stdout.decode())))

    def test_a_file_with_the_bytes_of_the_best_takes_its_place(self):
        def group():
            rows = self.rows("--keep", "photos/p0.pgm")
            number = next(row["group"] for row in rows if row["image"] == "photos/half.pgm")
            return {row["image"]: (row["best"], row["with"], row["kind"]) for row in rows if row["group"] == number}

        self.assertEqual(group(), {"photos/p0.pgm": ("1", "", ""), "backup/p0.pgm": ("0", "photos/p0.pgm", "bytes"),
                                   "photos/half.pgm": ("0", "photos/p0.pgm", "resized")})
        (self.folder / "photos/p0.pgm").unlink()
        self.assertEqual(group(), {"backup/p0.pgm": ("1", "", ""), "photos/half.pgm": ("0", "backup/p0.pgm", "resized")})
        (self.folder / "backup/p0.pgm").unlink()  # nothing stays that the half was held against
        self.assertNotIn("photos/half.pgm", self.print0())

    def test_one_file_of_two_names_is_no_copy(self):
        (self.folder / "backup/p1.pgm").unlink()
        os.link(self.folder / "photos/p1.pgm", self.folder / "backup/p1.pgm")  # its size and time, too
        self.assertEqual(self.print0("--keep", "photos"), ["backup/p0.pgm", "backup/p2.pgm"])
        self.assertEqual([path for path in self.print0() if "p1" in path], [])

    def test_files_of_the_reference_count(self):
        self.run_program("index", "-q", "-o", "new.bow", "--kernel", "simd", "--centroids", "p.bow", "--describe", "words", "--mirrored", "photos")
        self.run_program("index", "-q", "-o", "old.bow", "--kernel", "simd", "--centroids", "p.bow", "--describe", "words", "--mirrored", "backup")
        listed = lambda: self.run_program("duplicates", "new.bow", "--against", "old.bow", "--print0").stdout.decode().split("\0")
        self.assertIn("photos/p2.pgm", listed())
        (self.folder / "backup/p2.pgm").unlink()
        self.assertNotIn("photos/p2.pgm", listed())
        self.assertIn("photos/p1.pgm", listed())

    def test_a_kept_file_of_other_bytes_keeps_its_copies(self):
        file = self.folder / "photos/p1.pgm"
        times = file.stat()
        file.write_bytes(file.read_bytes()[:-1] + b"x")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))  # what a listing shows is as before
        self.assertIn("photos/p1.pgm: changed since it was indexed, so its copies stay", self.script())
        self.run_script()
        self.assertTrue((self.folder / "backup/p1.pgm").is_file() and not (self.folder / "backup/p2.pgm").is_file())

    def test_the_script_looks_at_the_bytes_of_what_is_kept(self):
        self.script()
        file = self.folder / "photos/p1.pgm"
        times = file.stat()
        file.write_bytes(file.read_bytes()[:-1] + b"x")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.assertIn("copy of changed: ./backup/p1.pgm", self.run_script(status=1))
        self.assertTrue((self.folder / "backup/p1.pgm").is_file())

    def test_a_move_that_takes_the_kept_file_is_taken_back(self):
        """As where two names of a folder are one: the other name leads nowhere after a move."""
        self.script()
        before = self.files()
        tools = self.folder / "tools"
        tools.mkdir()
        mv = tools / "mv"
        mv.write_text(f'#!/bin/sh\n{shutil.which("mv")} "$@"\ncase $3 in ./backup/p1.pgm) rm "{self.folder}/photos/p1.pgm";; esac\n')
        mv.chmod(0o755)
        said = self.run_script(status=1, environment={"PATH": f"{tools}:{os.environ['PATH']}"})
        self.assertIn("stopped, since ./photos/p1.pgm went away with its copy, which is now at ./backup/p1.pgm", said)
        self.assertIn("2 moved, 1 skipped", said)
        del before["photos/p1.pgm"]
        self.assertEqual(self.files("photos", "backup").keys() | {"backup/p0.pgm", "photos/half.pgm"}, before.keys())
        self.assertTrue((self.folder / "backup/p2.pgm").is_file())  # it stopped

    def test_to_within_a_root(self):
        self.assertIn("--to photos/spare: lies in photos", self.script("--to", "photos/spare", name="a.sh"))
        self.assertIn("--to backup: lies in backup", self.script("--to", "backup", name="b.sh"))
        self.assertNotIn("lies in", self.script(name="c.sh"))
        self.assertNotIn("lies in", self.script("--to", "photos_spare", name="d.sh"))


class Companions(Actions):
    def write(self, *names):
        for name in names:
            (self.folder / name).write_bytes(name.lower().replace("backup", "photos").encode())

    def test_sidecars_travel_and_come_back(self):
        names = ["backup/p0.xmp", "backup/P0.PGM.XMP", "backup/P0.aae", "backup/p0.JSON", "backup/p0.pgm.json",
                 "backup/p0.pgm.supplemental-metada.json"]
        self.write(*names, "backup/p0.txt", "backup/p00.xmp", "backup/p.xmp")
        before = self.files()
        self.script()
        self.assertEqual(self.run_script(), "4 moved, 0 skipped\n")
        self.assertEqual(sorted(name for name in self.files("away") if "/backup/" in name and "p0" in name.lower()),
                         sorted("away/" + name for name in [*names, "backup/p0.pgm"]))
        self.assertEqual(self.run_script("moves.sh.undo"), "4 moved, 0 skipped\n")
        self.assertEqual(self.files(), before)

    def test_a_sidecar_that_changed_keeps_its_picture(self):
        self.write("backup/p0.xmp", "backup/p1.xmp")
        self.script()
        (self.folder / "backup/p0.xmp").write_bytes(b"edited")
        (self.folder / "away/backup").mkdir(parents=True)
        (self.folder / "away/backup/p1.xmp").write_bytes(b"mine")
        said = self.run_script(status=1)
        self.assertIn("skipped, its companion ./backup/p0.xmp has another size: ./backup/p0.pgm\n", said)
        self.assertIn("companion ./backup/p1.xmp finds something in its place already", said)
        self.assertIn("2 moved, 2 skipped", said)
        self.assertTrue((self.folder / "backup/p0.pgm").is_file() and (self.folder / "backup/p1.pgm").is_file())

    def test_a_sidecar_stays_while_another_picture_of_its_stem_stays(self):
        write_pgm(self.folder / "backup/p0.ppm", scene(50))
        self.write("backup/p0.xmp", "backup/p0.pgm.xmp")
        self.script()
        for name in ("moves.sh", "moves.sh.undo"):  # what stays in any case is no business of theirs
            self.assertNotIn("p0.xmp", (self.folder / name).read_text())
        self.run_script()
        self.assertEqual(sorted(name for name in self.files("backup", "away") if "p0" in name),
                         ["away/backup/p0.pgm", "away/backup/p0.pgm.xmp", "backup/p0.ppm", "backup/p0.xmp"])

    def shared_stem(self):
        """Two pictures that move share a sidecar."""
        shutil.copy2(self.folder / "photos/p1.pgm", self.folder / "backup/P0.jpg")
        self.write("backup/p0.xmp")
        self.index("photos", "backup")
        self.script()

    def test_a_shared_sidecar_goes_with_the_last_picture(self):
        self.shared_stem()
        before = self.files()
        self.assertEqual(self.run_script(), "5 moved, 0 skipped\n")
        self.assertEqual(self.files("backup"), {})
        self.assertEqual(self.run_script("moves.sh.undo"), "5 moved, 0 skipped\n")
        self.assertEqual(self.files(), before)

    def test_a_shared_sidecar_stays_with_the_picture_that_is_skipped(self):
        for left in ("p0.pgm", "P0.jpg"):
            with self.subTest(left=left):
                self.setUp()
                self.shared_stem()
                os.utime(self.folder / "backup" / left, (1, 1))
                before = self.files()
                self.assertIn("4 moved, 1 skipped", self.run_script(status=1))
                self.assertEqual(sorted(self.files("backup")), sorted(["backup/" + left, "backup/p0.xmp"]))
                self.run_script("moves.sh.undo", status=1)
                self.assertEqual(self.files(), before)

    def test_a_picture_with_a_raw_file_or_a_video_stays(self):
        self.write("backup/P0.CR2", "backup/p1.mov", "backup/p2.txt")
        for arguments in (("--print0",), ("--blocks",)):
            self.assertIn(b"2 copies stay", self.run_program("duplicates", "p.bow", "--keep", "photos", *arguments).stderr)
        self.assertEqual(self.print0("--keep", "photos"), ["backup/p2.pgm"])
        self.script()
        self.assertEqual(self.run_script(), "2 moved, 0 skipped\n")
        self.assertEqual(sorted(self.files("backup")), ["backup/P0.CR2", "backup/p0.pgm", "backup/p1.mov", "backup/p1.pgm", "backup/p2.txt"])

    def test_it_moves_where_a_file_with_the_same_bytes_stays_for_each(self):
        self.write("backup/p0.nef", "backup/p0.mov", "photos/p0.nef", "photos/p0.mov", "backup/p1.dng", "photos/p1.dng")
        (self.folder / "photos/p1.dng").write_bytes(b"PHOTOS/P1.DNG")  # of its size
        self.assertEqual(self.print0("--keep", "photos"), ["backup/p0.pgm", "backup/p2.pgm"])
        self.script()
        (self.folder / "photos/p0.nef").rename(self.folder / "photos/again.nef")
        said = self.run_script(status=1)
        self.assertIn("no other file has the bytes of ./backup/p0.nef any more: ./backup/p0.pgm", said)
        self.assertIn("2 moved, 1 skipped", said)
        (self.folder / "photos/again.nef").rename(self.folder / "photos/p0.nef")
        self.assertIn("1 moved, 2 skipped", self.run_script(status=1))
        self.assertEqual(sorted(name for name in self.files("backup") if "p0" in name), ["backup/p0.mov", "backup/p0.nef"])

    def test_the_companion_is_not_its_own_twin(self):
        shutil.copy2(self.folder / "photos/p1.pgm", self.folder / "photos/again.pgm")
        self.write("photos/again.cr2")
        os.link(self.folder / "photos/again.cr2", self.folder / "photos/other.cr2")
        self.index("photos", "backup")
        self.assertNotIn("photos/again.pgm", self.print0("--keep", "photos/p1.pgm"))


class Limits(Actions):
    def test_only_some_kinds(self):
        self.assertEqual(self.print0("--keep", "photos/p0.pgm", "--only", "resized"), ["photos/half.pgm"])
        self.assertEqual(len(self.print0("--only", "bytes")), 3)
        self.assertEqual(len(self.print0("--only", "bytes,resized")), 4)
        self.assertEqual(self.print0("--only", "turned,mirrored"), [])
        write_pgm(self.folder / "photos/both.pgm", duplicates_test.halved(scene(1))[:, ::-1])
        self.index("photos", "backup")
        self.assertNotIn("photos/both.pgm", self.print0("--only", "resized"))
        self.assertIn("photos/both.pgm", self.print0("--only", "resized,mirrored"))
        done = self.run_program("duplicates", "p.bow", "--only", "small", status=2)
        self.assert_one_line(done.stderr, 'there is no "small"', "reencoded")

    def test_small_pictures_are_skipped(self):
        self.assertIn("photos/half.pgm", self.print0("--keep", "photos/p0.pgm", "--skip-below", "180"))
        self.assertNotIn("photos/half.pgm", self.print0("--keep", "photos/p0.pgm", "--skip-below", "181"))

    def test_what_a_script_lacks(self):
        for arguments, said in ((("--script", "m.sh"), "--script needs --to DIR, or --action trash, hardlink, symlink or reflink"),
                                (("--script", "m.sh", "--action", "trash", "--to", "away"), "--to belongs to --action move"),
                                (("--to", "away"), "--to needs --script"), (("--action", "trash"), "--action needs --script")):
            self.assert_one_line(self.run_program("duplicates", "p.bow", *arguments, status=2).stderr, said)

    def test_a_page_alone_prints_no_rows(self):
        page = ("duplicates", "p.bow", "--html", "page.html")
        self.assertEqual(self.run_program(*page).stdout, b"")
        self.assertIn(b"group,image", self.run_program(*page, "-o", "-").stdout)
        self.assertIn(b"photos/p1.pgm\n", self.run_program(*page, "--blocks").stdout)
        self.run_program(*page, "-o", "g.csv")
        self.assertTrue((self.folder / "g.csv").exists())

    def test_rows_say_what_was_compared(self):
        rows = list(csv.DictReader(io.StringIO(self.run_program("duplicates", "p.bow").stdout.decode())))
        self.assertEqual({row["compared"] for row in rows if row["kind"] in ("bytes", "")}, {"", "0"})


class Trash(Actions):
    def data(self):
        return {"XDG_DATA_HOME": str(self.folder / "data")}

    def trash(self, folder=None):
        return folder or self.folder / "data/Trash"

    def test_the_trash_of_the_home(self):
        odd = "backup/it's 100% \u00e9\n.pgm"
        (self.folder / "backup/p1.pgm").rename(self.folder / odd)
        (self.folder / "backup/p0.xmp").write_bytes(b"sidecar")
        self.index("photos", "backup")
        before = self.files()
        (self.folder / "data/Trash/files").mkdir(parents=True)
        (self.folder / "data/Trash/files/p2.pgm").write_bytes(b"another one")
        os.environ.update(self.data())
        self.addCleanup(os.environ.pop, "XDG_DATA_HOME")
        self.script("--action", "trash")
        self.assertEqual(self.files(), before)
        self.assertEqual(self.run_script(), "4 moved, 0 skipped\n")
        names = sorted(path.name for path in self.trash().glob("files/*"))
        self.assertEqual(names, sorted(["p0.pgm", "p0.xmp", "p2.pgm", "p2 2.pgm", "half.pgm", pathlib.Path(odd).name]))
        records = {path.name.removesuffix(".trashinfo"): path.read_text().splitlines() for path in self.trash().glob("info/*")}
        self.assertEqual(set(records), set(names) - {"p2.pgm"})
        for name, (first, was, date) in records.items():
            self.assertEqual(first, "[Trash Info]")
            self.assertRegex(date, r"^DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
            self.assertRegex(was, r"^Path=/[A-Za-z0-9%._~/-]+$")
            old = pathlib.Path(urllib.parse.unquote(was.removeprefix("Path=")))
            self.assertEqual((old.name.replace("p2.", "p2 2."), old.parent.parent), (name, self.folder.resolve()))
        self.assertEqual(stat.S_IMODE((self.trash() / "info").stat().st_mode), 0o700)
        self.assertEqual(self.run_script("moves.sh.undo"), "4 moved, 0 skipped\n")
        self.assertEqual(self.files(), before)
        self.assertEqual(list(self.trash().glob("info/*")), [])

    def test_a_name_that_is_taken_meanwhile(self):
        os.environ.update(self.data())
        self.addCleanup(os.environ.pop, "XDG_DATA_HOME")
        self.script("--action", "trash")
        (self.trash() / "info").mkdir(parents=True)
        (self.trash() / "info/p1.pgm.trashinfo").write_bytes(b"of another program")
        self.assertIn("3 moved, 1 skipped", self.run_script(status=1))
        self.assertTrue((self.folder / "backup/p1.pgm").is_file())
        self.assertEqual((self.trash() / "info/p1.pgm.trashinfo").read_bytes(), b"of another program")

    @unittest.skipUnless(os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK), "needs another file system")
    def test_the_trash_of_another_file_system(self):
        other = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
        self.addCleanup(shutil.rmtree, other)
        if other.stat().st_dev == self.folder.stat().st_dev:
            self.skipTest("needs another file system")
        shutil.copy2(self.folder / "photos/p1.pgm", other / "p1.pgm")
        self.index("photos", str(other))
        os.environ.update(self.data())
        self.addCleanup(os.environ.pop, "XDG_DATA_HOME")
        self.script("--action", "trash", "--within", str(other.parent), name="none.sh")
        self.run_program("duplicates", "p.bow", "-o", "g.csv", "--keep", "photos", "--script", "moves.sh", "--action", "trash")
        top = pathlib.Path(f"/dev/shm/.Trash-{os.getuid()}")
        was_there = top.exists()
        self.run_script()
        self.assertFalse((other / "p1.pgm").exists())
        records = [path for path in top.glob("info/*") if other.name in path.read_text()]
        self.assertEqual([path.read_text().splitlines()[1] for path in records], [f"Path={other.name}/p1.pgm"])
        self.run_script("moves.sh.undo")
        self.assertTrue((other / "p1.pgm").is_file())
        if not was_there:
            shutil.rmtree(top)


class Links(Actions):
    def setUp(self):
        super().setUp()
        for i, path in enumerate(sorted((self.folder / "backup").iterdir())):
            path.chmod(0o640)
            os.utime(path, ns=(10**18 + 12345 + i, 10**18 + 678901234 + i))
        self.index("photos", "backup")

    def linked(self, action, is_link, environment=None):
        before = self.files()
        modes = {name: (self.folder / name).stat().st_mode for name in before}
        self.assertIn("1 copy does not have the bytes", self.script("--action", action))
        self.assertEqual(self.files(), before)
        self.assertEqual(self.run_script(environment=environment), "3 linked, 0 skipped\n")
        for i in range(3):
            self.assertTrue(is_link(self.folder / f"backup/p{i}.pgm", self.folder / f"photos/p{i}.pgm"))
        self.assertEqual({name: data for name, (data, time) in self.files().items()}, {name: data for name, (data, time) in before.items()})
        self.assertEqual(self.run_script("moves.sh.undo"), "3 written anew, 0 skipped\n")
        self.assertEqual(self.files(), before)
        for name in before:
            file = self.folder / name
            self.assertTrue(not file.is_symlink() and file.stat().st_nlink == 1)
            self.assertEqual(file.stat().st_mode, modes[name])

    def test_hard_links(self):
        self.linked("hardlink", lambda link, kept: link.samefile(kept) and not link.is_symlink())
        self.assertIn("0 written anew, 3 skipped", self.run_script("moves.sh.undo", status=1))

    def test_symbolic_links(self):
        self.linked("symlink", lambda link, kept: link.is_symlink() and link.samefile(kept))

    def fake(self, name, text):
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
        return {"PATH": f"{tools}:{os.environ['PATH']}"}

    def test_copies_that_share_blocks(self):
        real = shutil.which("cp")
        environment = self.fake("cp", f'case $1 in --reflink=always) shift; exec {real} "$@";; *) exec {real} "$@";; esac')
        self.linked("reflink", lambda link, kept: not link.is_symlink() and link.stat().st_nlink == 1, environment)

    def test_where_the_file_system_shares_no_blocks(self):
        environment = self.fake("cp", f'case $1 in --reflink=always) exit 1;; *) exec {shutil.which("cp")} "$@";; esac')
        before = self.files()
        self.script("--action", "reflink")
        self.assertIn("0 linked, 3 skipped", self.run_script(status=1, environment=environment))
        self.assertEqual(self.files(), before)

    def test_all_bytes_are_compared_just_before(self):
        self.script("--action", "hardlink")
        environment = self.fake("cmp", 'case $* in *p1.pgm*) exit 1;; *) exit 0;; esac')
        said = self.run_script(status=1, environment=environment)
        self.assertIn("has other bytes than what it is a copy of: ./backup/p1.pgm", said)
        self.assertIn("2 linked, 1 skipped", said)
        self.assertFalse((self.folder / "backup/p1.pgm").samefile(self.folder / "photos/p1.pgm"))

    def test_a_kept_file_that_goes_with_its_copy(self):
        self.script("--action", "symlink")
        real = shutil.which("mv")
        environment = self.fake("mv", f'{real} "$@"\ncase $3 in ./backup/p1.pgm) rm photos/p1.pgm;; esac')
        self.assertIn("stopped, since ./photos/p1.pgm went away", self.run_script(status=1, environment=environment))
        self.assertTrue((self.folder / "backup/p1.pgm").is_file() and not (self.folder / "backup/p1.pgm").is_symlink())
        self.assertFalse((self.folder / "backup/p2.pgm").is_symlink())

    def test_a_script_that_was_killed_is_undone(self):
        self.script("--action", "hardlink")
        before = self.files()
        (self.folder / "backup/p1.pgm").rename(self.folder / "backup/p1.pgm.bowhist-before")
        self.run_script("moves.sh.undo", status=1)
        self.assertEqual(self.files(), before)

    def test_odd_names(self):
        (self.folder / "photos/p1.pgm").rename(self.folder / "photos/-k '\n.pgm")
        for name in ("-rf", "it's $HOME `odd` \n\t\"\\.pgm", "%s\n", " "):
            shutil.copy2(self.folder / "backup/p0.pgm", self.folder / f"backup/{name}.pgm")
        self.index("photos", "backup")
        before = self.files()
        for action in ("hardlink", "symlink"):
            self.script("--action", action, "--keep", "photos", name=f"-{action} '\n.sh")
            self.assertEqual(self.run_script(f"./-{action} '\n.sh"), "7 linked, 0 skipped\n")
            self.assertEqual(self.run_script(f"./-{action} '\n.sh.undo"), "7 written anew, 0 skipped\n")
            self.assertEqual(self.files(), before)

    def test_companions_stay_beside_links(self):
        (self.folder / "backup/p0.xmp").write_bytes(b"sidecar")
        self.script("--action", "hardlink")
        self.run_script()
        self.assertTrue((self.folder / "backup/p0.xmp").is_file())


if __name__ == "__main__":
    unittest.main()
