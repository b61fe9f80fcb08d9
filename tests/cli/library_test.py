"""A library: indexed once, kept up to date, exported; damaged, killed, and read by Python."""
import contextlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

import numpy

from crafted_library import craft
from program import ProgramTest, levels, write_picture

SMALL = ["--words-k", "40", "--code-k", "8"]


class LibraryTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.photos = self.folder / "photos"
        (self.photos / "trip").mkdir(parents=True)
        for i in range(6):
            write_picture(self.photos / ("trip" if i % 2 else ".") / f"p{i}.pgm", i, 120, 90)

    def index(self, *arguments, status=0, library="p.bow"):
        done = self.run_program("index", "-o", library, "--kernel", "simd", *arguments, status=status)
        return done.stderr.decode(errors="replace")

    def make(self, *arguments, library="p.bow"):
        """A library of photos by small models, which are made once."""
        if not (self.folder / "models.bow").exists():
            self.index(*SMALL, "photos", library="models.bow")
        return self.index("--centroids", "models.bow", *arguments, "photos", library=library)

    def status(self, *arguments, library="p.bow", status=0):
        return json.loads(self.run_program("status", "--json", library, *arguments, status=status).stdout)

    def export(self, *arguments, library="p.bow"):
        """Both exports, as bytes."""
        both = []
        for what in ("words", "code"):
            self.run_program("export", library, "--what", what, "-o", "e.csv", *arguments)
            both.append((self.folder / "e.csv").read_bytes())
        return both

    def paths(self, *arguments, library="p.bow"):
        words, code = self.export(*arguments, library=library)
        names = [[line.split(b",")[0] for line in table.splitlines()[1:]] for table in (words, code)]
        self.assertEqual(*names)
        return [name.decode() for name in names[0]]

    def assert_as_fresh(self, status=0):
        """What the library holds equals a fresh one over the same files."""
        (self.folder / "fresh.bow").unlink(missing_ok=True)
        self.index("--centroids", "p.bow", "photos", library="fresh.bow", status=status)
        self.assertEqual(self.export(), self.export(library="fresh.bow"))

    def assert_alone(self):
        """A finished run leaves one file."""
        self.assertEqual([path.name for path in self.folder.glob("p.bow?*")], [])

    def sql(self, command, *values, library="p.bow"):
        with contextlib.closing(sqlite3.connect(self.folder / library, isolation_level=None)) as opened:
            return opened.execute(command, values).fetchall()

    def as_user(self, *arguments):
        """As one who is not above permissions."""
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        return subprocess.run([os.environ["BOWHIST"], *arguments], cwd=self.folder, capture_output=True, check=False, **user)


class Indexed(LibraryTest):
    def test_from_a_folder_to_a_library(self):
        said = self.index(*SMALL, "photos")
        self.assertIn("6 new, 0 changed, 0 moved, 0 gone, 0 back, 0 unchanged; 6 described, 0 skipped", said)
        self.assert_alone()
        status = self.status()
        self.assertEqual((status["images"], status["gone"], status["skipped"]), (6, 0, 0))
        self.assertEqual(status["roots"], [{"path": "photos", "paths": 6, "place": str(self.photos)}])
        self.assertEqual(status["models"]["words"]["size"], 40)
        self.assertEqual(status["models"]["code"]["size"], 128)
        self.assertEqual(self.paths(), sorted(f"photos/{'trip/' if i % 2 else ''}p{i}.pgm" for i in range(6)))
        table = self.run_program("status", "p.bow").stdout.decode()
        self.assertIn("surf --threshold 10 --octaves 3", table)

    def test_its_rows_are_those_of_the_models_alone(self):
        self.make()
        (model, record), = self.sql("SELECT model, record FROM models WHERE kind = 'words'")
        (self.folder / "c.bin").write_bytes(model)
        (self.folder / "c.bin.json").write_bytes(record)
        (model,), = self.sql("SELECT model FROM models WHERE kind = 'code'")
        (self.folder / "m.npz").write_bytes(model)
        for what, file in (("words", "c.bin"), ("code", "m.npz")):
            for ending in (".csv", ".npz", ".jsonl"):
                self.run_program("--centroids", file, "--kernel", "simd", "-o", f"alone{ending}", "photos")
                self.run_program("export", "p.bow", "--what", what, "-o", f"e{ending}")
                self.assertEqual((self.folder / f"e{ending}").read_bytes(), (self.folder / f"alone{ending}").read_bytes())

    def test_k_follows_the_keypoints(self):
        self.index("--describe", "words", "photos")
        words, = self.sql("SELECT sum(length(words)) / 2 FROM words")
        self.assertEqual(self.status()["models"]["words"]["size"], min(words[0], max(256, words[0] // 10)))
        self.assertNotIn("code", self.status()["models"])

    def test_an_update_reads_what_changed(self):
        self.make()
        write_picture(self.photos / "new.pgm", 77, 120, 90)
        write_picture(self.photos / "p0.pgm", 78, 121, 90)
        os.rename(self.photos / "p2.pgm", self.photos / "trip" / "moved.pgm")
        os.unlink(self.photos / "p4.pgm")
        (self.photos / "broken.jpg").write_bytes(b"no picture")
        ids = dict(self.sql("SELECT CAST(path AS TEXT), id FROM paths"))
        said = self.index(status=1)
        self.assertIn("1 new, 1 changed, 1 moved, 1 gone, 0 back, 3 unchanged; 2 described, 1 skipped; 1 skipped in all", said)
        self.assertIn("broken.jpg", said)
        self.assert_as_fresh(status=1)
        self.assert_alone()
        after = dict(self.sql("SELECT CAST(path AS TEXT), id FROM paths"))
        self.assertEqual(after["photos/trip/moved.pgm"], ids["photos/p2.pgm"])
        self.assertNotIn("broken", self.index())  # the same broken file is not tried again
        self.assertEqual(list(self.status()["reasons"].values()), [1])

    def test_what_comes_back_is_not_read(self):
        self.make()
        shutil.move(self.photos / "trip", self.folder / "away")
        self.assertIn("3 gone", self.index())
        shutil.move(self.folder / "away", self.photos / "trip")
        self.assertIn("3 back, 3 unchanged; 0 described", self.index())

    def test_an_empty_or_missing_root_loses_nothing(self):
        self.make()
        shutil.move(self.photos, self.folder / "disk")
        self.photos.mkdir()
        self.assertIn("an empty folder", self.index(status=3))
        self.photos.rmdir()
        self.index(status=3)
        self.assertEqual(self.status()["images"], 6)
        self.assertIn("6 unchanged", self.index("--root", "photos=disk"))
        self.assertEqual(self.paths()[0], "disk/p0.pgm")

    def test_other_roots_stay_as_they_are(self):
        self.make()
        (self.folder / "more").mkdir()
        write_picture(self.folder / "more" / "q.pgm", 9, 120, 90)
        os.unlink(self.photos / "p0.pgm")
        self.index("more", "photos/trip/p1.pgm")
        self.assertEqual(self.status()["gone"], 0)
        self.index()
        self.assertEqual(self.status()["gone"], 1)

    def test_links_are_one_image_and_copies_several(self):
        os.link(self.photos / "p0.pgm", self.photos / "a_hard.pgm")
        os.symlink("p2.pgm", self.photos / "z_soft.pgm")
        shutil.copy(self.photos / "p4.pgm", self.photos / "copy.pgm")
        self.assertIn("9 new, 0 changed, 0 moved, 0 gone, 0 back, 0 unchanged; 6 described", self.make())
        paths = self.paths()
        self.assertIn("photos/a_hard.pgm", paths)
        self.assertNotIn("photos/p0.pgm", paths)
        self.assertIn("photos/copy.pgm", paths)
        self.assertNotIn("photos/z_soft.pgm", paths)
        self.assertEqual((self.status()["images"], self.status()["paths"]), (7, 9))
        os.unlink(self.photos / "a_hard.pgm")
        self.index()
        self.assertIn("photos/p0.pgm", self.paths())
        self.assert_as_fresh()

    def test_excludes_and_hidden_files_are_remembered(self):
        write_picture(self.photos / ".hidden.pgm", 9, 120, 90)
        self.make("--exclude", "trip", "--hidden")
        self.assertEqual(self.status()["images"], 4)
        write_picture(self.photos / "trip" / "more.pgm", 8, 120, 90)
        write_picture(self.photos / ".other.pgm", 10, 120, 90)
        self.assertIn("1 new, 0 changed, 0 moved, 0 gone, 0 back, 4 unchanged", self.index())

    def test_names_are_bytes(self):
        names = [b"a\nb.pgm", b'say "x".pgm', b"not \xff utf-8.pgm", b"-dash.pgm", b"%20?x=y&#.pgm", b"x" * 251 + b".pgm"]
        for i, name in enumerate(names):
            write_picture(os.fsencode(self.photos) + b"/" + name, 20 + i, 120, 90)
        self.make()
        self.run_program("export", "p.bow", "-o", "e.npz")
        self.run_program("--centroids", "p.bow", status=3)
        images = {bytes(path) for path, in self.sql("SELECT CAST(path AS BLOB) FROM paths")}
        self.assertLessEqual({b"photos/" + name for name in names}, images)
        self.assertEqual(self.index().count("skipped"), 1)

    def test_a_long_path(self):
        deep = self.photos
        while len(str(deep)) < 3800:
            deep = deep / ("d" * 200)
        os.makedirs(deep)
        write_picture(deep / "x.pgm", 30, 120, 90)
        self.make()
        self.assertEqual(self.status()["images"], 7)

    def test_dry_runs_write_nothing(self):
        self.run_program("index", "-o", "none.bow", "--dry-run", "photos")
        self.assertFalse((self.folder / "none.bow").exists())
        self.make()
        self.assertIn("leave --dry-run out", self.index("--dry-run", "--reindex", status=2))
        before = (self.folder / "p.bow").read_bytes()
        write_picture(self.photos / "new.pgm", 77, 120, 90)
        os.unlink(self.photos / "p4.pgm")
        os.rename(self.photos / "p2.pgm", self.photos / "trip" / "there.pgm")
        (self.photos / "same_size.pgm").write_bytes((self.photos / "new.pgm").read_bytes()[:-1] + b"x")
        write_picture(self.photos / "p0.pgm", 78, 121, 90)
        done = self.run_program("index", "-o", "p.bow", "--dry-run", "--forget")
        self.assertEqual(done.stdout.decode().splitlines(), [
            "new     photos/new.pgm", "changed photos/p0.pgm", "gone    photos/p4.pgm", "new     photos/same_size.pgm",
            "moved   photos/trip/there.pgm"])
        said = "2 new, 1 changed, 1 moved, 1 gone, 0 back, 3 unchanged"
        self.assertIn(said, done.stderr.decode())
        self.assertEqual((self.folder / "p.bow").read_bytes(), before)
        self.assert_alone()
        self.assertIn(said, self.index())

    def test_dry_runs_need_no_writing(self):
        self.make()
        os.unlink(self.photos / "p4.pgm")
        (self.folder / "p.bow").chmod(0o444)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        self.assertEqual(self.as_user("index", "-o", "p.bow", "--dry-run").stdout, b"gone    photos/p4.pgm\n")
        self.assertEqual(self.as_user("index", "-o", "p.bow").returncode, 3)
        self.assertEqual(json.loads(self.as_user("status", "--json", "p.bow").stdout)["images"], 6)

    def test_a_folder_that_cannot_be_listed_loses_nothing(self):
        (self.photos / "trip" / "below").mkdir()
        write_picture(self.photos / "trip" / "below" / "p6.pgm", 6, 120, 90)
        self.make()
        self.folder.chmod(0o777)
        (self.folder / "p.bow").chmod(0o666)
        (self.photos / "trip").chmod(0)
        self.addCleanup((self.photos / "trip").chmod, 0o755)
        done = self.as_user("index", "-o", "p.bow", "--kernel", "simd")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"trip", done.stderr)
        self.assertEqual((self.status()["gone"], self.status()["images"]), (0, 7))

    def test_forgotten_and_removed_images_leave_their_room(self):
        self.make()
        before = (self.folder / "p.bow").stat().st_size
        shutil.rmtree(self.photos / "trip")
        self.index()
        self.assertEqual(self.status()["gone"], 3)
        self.assertIn("3 forgotten", self.index("--forget"))
        self.assertEqual((self.status()["gone"], self.status()["images"]), (0, 3))
        self.assertLess((self.folder / "p.bow").stat().st_size, before)
        self.assertEqual(self.sql("SELECT count(*) FROM words"), [(3,)])
        self.assertIn("bowhist: 1 removed, ", self.index("--remove", "photos/p0.pgm"))
        self.assertIn("2 removed", self.index("--remove", "*/p[24].pgm"))
        said = self.index("--remove", "p0.pgm")
        self.assertIn("no path that --remove names", said)
        self.assertIn("bowhist: 0 removed, ", said)
        self.assertEqual(self.status()["images"], 0)
        self.assertEqual(self.export()[0].count(b"\n"), 1)

    def test_removing_names_the_rule_that_keeps_files_out(self):
        self.make("--exclude", "*.tif")
        said = self.index("--remove", "photos/trip")
        self.assertIn("taken out, but still there: photos/trip/p1.pgm and 2 more; ", said)
        self.assertIn("bowhist index -o p.bow --exclude *.tif --exclude GLOB photos", said)
        self.index("--exclude", "trip/", "photos")
        self.assertEqual(self.status()["images"], 3)
        self.assertNotIn("still there", self.index("--remove", "photos/trip"))
        (self.photos / "p0.pgm").unlink()
        self.assertNotIn("still there", self.index("--remove", "photos/p0.pgm"))
        self.index("photos/trip/p1.pgm")
        self.assertNotIn("still there", self.index("--remove", "photos/trip/p1.pgm"))  # no run looks for it
        self.assertIn("2 unchanged", self.index())

    def test_forgetting_deletes_what_changed_files_held(self):
        self.make()
        write_picture(self.photos / "p0.pgm", 78, 121, 90)
        self.index()
        self.assertEqual(self.sql("SELECT count(*) FROM words"), [(7,)])
        self.index("--forget")
        self.assertEqual(self.sql("SELECT count(*) FROM words"), [(6,)])
        self.assert_as_fresh()

    def test_verify_finds_bytes_that_changed_in_silence(self):
        self.make()
        path = self.photos / "p0.pgm"
        stamp = path.stat()
        path.write_bytes(path.read_bytes()[:-1] + b"\x01")
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        shutil.copy(self.folder / "p.bow", self.folder / "before.bow")  # as if the disk had changed them
        craft(self.folder / "before.bow", self.folder / "p.bow",
              ("UPDATE files SET changed = ? WHERE name = CAST('p0.pgm' AS BLOB)", (path.stat().st_ctime_ns,)), changed=["files"])
        self.assertIn("0 changed", self.index())
        said = self.index("--verify", "100%")
        self.assertIn("its bytes changed, and its size and time did not", said)
        self.assertIn("1 changed", said)
        self.assert_as_fresh()

    def test_thumbnails_and_places(self):
        self.make()
        for keypoints, places in self.sql("SELECT length(words) / 2, length(places) / 5 FROM words"):
            self.assertEqual(keypoints, places)
        self.assertEqual(self.sql("SELECT count(*) FROM thumbnails WHERE substr(jpeg, 1, 2) = x'ffd8'"), [(6,)])
        self.make("--no-thumbnails", "--no-positions", library="bare.bow")
        self.assertEqual(self.sql("SELECT count(*) FROM thumbnails", library="bare.bow"), [(0,)])
        self.assertEqual(self.sql("SELECT count(places) FROM words", library="bare.bow"), [(0,)])
        self.assertEqual(self.export(library="bare.bow"), self.export())
        self.index("--describe", "words", "photos", status=2)

    def test_relearning_replaces_all_at_once(self):
        self.make()
        before = self.export()
        self.index("--relearn", "--words-k", "30", "--code-k", "8", "--seed", "5")
        self.assertEqual(self.status()["models"]["words"]["size"], 30)
        self.assertNotEqual(self.export(), before)
        self.assert_as_fresh()
        self.index("--relearn", "--centroids", "models.bow")
        self.assertEqual(self.export(), before)

    def test_relearning_needs_every_root(self):
        self.make()
        before = self.export()
        self.photos.rename(self.folder / "away")
        self.assertIn("reads every picture", self.index("--relearn", "--words-k", "30", status=3))
        self.photos.mkdir()
        self.index("--relearn", "--words-k", "30", status=3)
        self.assertEqual(self.export(), before)

    def test_where_takes_some(self):
        self.make()
        self.assertEqual(self.paths("--where", "*/trip/*"), [f"photos/trip/p{i}.pgm" for i in (1, 3, 5)])
        said = self.run_program("export", "p.bow", "--where", "trip", "-o", "none.csv").stderr
        self.assertIn(b"--where trip", said)

    def test_python_reads_it(self):
        """As docs/formats.md shows it."""
        self.make()
        self.run_program("export", "p.bow", "-o", "e.npz")
        self.run_program("export", "p.bow", "--what", "code", "-o", "c.npz")
        rows = numpy.load(self.folder / "e.npz")
        histograms = rows["histograms"] if "histograms" in rows else rows[[n for n in rows if rows[n].ndim == 2][0]]
        codes = numpy.load(self.folder / "c.npz")
        codes = codes[[n for n in codes if codes[n].ndim == 2][0]]
        library = sqlite3.connect(self.folder / "p.bow")
        images = library.execute("SELECT path, content FROM images ORDER BY path").fetchall()
        self.assertEqual(len(images), 6)
        for (path, content), histogram, row in zip(images, histograms, codes):
            words, = library.execute("SELECT words FROM words WHERE content = ?", (content,)).fetchone()
            counts = numpy.bincount(numpy.frombuffer(words, "<u2"), minlength=len(histogram))
            self.assertEqual(counts.tolist(), histogram.tolist())
            code, = library.execute("SELECT code FROM codes WHERE content = ?", (content,)).fetchone()
            self.assertEqual(numpy.frombuffer(code, "i1").tolist(), row.tolist())
        library.close()


    def test_the_sample_finds_what_is_alike(self):
        self.make()
        shutil.copy(self.photos / "trip" / "p3.pgm", self.photos / "copy.pgm")
        self.index()
        sample = pathlib.Path(__file__).parents[2] / "samples" / "read_library.py"
        done = subprocess.run([sys.executable, sample, "p.bow", "photos/trip/p3.pgm"], cwd=self.folder, check=True,
                              capture_output=True, text=True)
        lines = done.stdout.splitlines()
        self.assertEqual(sorted(lines[:2]), ["1.000 photos/copy.pgm", "1.000 photos/trip/p3.pgm"])

    def test_every_level_and_thread_makes_the_same(self):
        self.make()
        expected = self.export()
        for level in [level for level in levels() if level in ("serial", "simd", "gpu2", "gpu6")]:
            for threads in (["-j", "1"], []) if level == "simd" else ([],):
                (self.folder / "q.bow").unlink(missing_ok=True)
                self.run_program("index", "-q", "-o", "q.bow", "--kernel", level, *threads, "--centroids", "p.bow", "photos")
                self.assertEqual(self.export(library="q.bow"), expected, level)


class Grouped(LibraryTest):
    def test_groups_stay_in_the_library(self):
        self.make()
        self.run_program("cluster", "p.bow", "-o", "g.csv")
        groups = dict(self.sql("SELECT file, number FROM members"))
        self.assertEqual(len(groups), 6)
        self.run_program("cluster", "p.bow", "--name", "0=Beach")
        write_picture(self.photos / "new.pgm", 77, 120, 90)
        os.rename(self.photos / "p2.pgm", self.photos / "moved.pgm")
        self.index()
        self.run_program("cluster", "p.bow")
        after = dict(self.sql("SELECT file, number FROM members"))
        self.assertEqual({file: after[file] for file in groups}, groups)
        self.assertEqual(len(after), 7)
        self.assertEqual(self.sql("SELECT name FROM groups WHERE number = 0"), [("Beach",)])
        self.run_program("status", "--integrity", "p.bow")
        self.assert_alone()
        self.run_program("cluster", "p.bow", "--name", "99=No", status=2)
        self.run_program("cluster", "p.bow", "photos", status=2)
        self.run_program("cluster", "p.bow", "--update", "g.json", status=2)

    def test_its_codes_and_words_give_the_groups_of_an_export(self):
        self.make()
        self.run_program("export", "p.bow", "--what", "code", "-o", "c.npz")
        self.run_program("cluster", "c.npz", "-k", "2", "-o", "alone.csv")
        self.run_program("cluster", "p.bow", "-k", "2", "-o", "g.csv")
        self.assertEqual((self.folder / "g.csv").read_bytes(), (self.folder / "alone.csv").read_bytes())
        self.make("--describe", "words", library="w.bow")
        self.run_program("export", "w.bow", "-o", "h.npz")
        self.run_program("cluster", "h.npz", "-k", "2", "-o", "alone.csv")
        self.run_program("cluster", "w.bow", "-k", "2", "-o", "g.csv")
        self.assertEqual((self.folder / "g.csv").read_bytes(), (self.folder / "alone.csv").read_bytes())


class Refused(LibraryTest):
    def test_where_nothing_can_be_learned_each_image_says_why(self):
        (self.folder / "bad").mkdir()
        for i in range(2):
            (self.folder / f"bad/{i}.jpg").write_bytes(b"no picture")
        lines = self.index("bad", status=3).splitlines()
        self.assertEqual([line.startswith(f"bowhist: skipped bad/{i}.jpg: ") for i, line in enumerate(lines[:-1])], [True] * 2)
        self.assertIn("all were skipped", lines[-1])

    def test_other_files(self):
        (self.folder / "text.bow").write_text("no library")
        with contextlib.closing(sqlite3.connect(self.folder / "other.bow")) as other:
            other.execute("CREATE TABLE t(x)")
        for name, status in (("text.bow", 3), ("other.bow", 3), ("missing.bow", 3)):
            self.run_program("status", name, status=status)
            self.run_program("export", name, status=status)
        before = (self.folder / "text.bow").read_bytes()
        self.index("photos", library="text.bow", status=3)
        self.assertEqual((self.folder / "text.bow").read_bytes(), before)
        self.index("photos", library="photos", status=2)
        self.assertIn(b"a folder, no library", self.run_program("status", "photos", status=3).stderr)

    def test_what_is_not_in_it(self):
        self.make("--describe", "words", library="w.bow")
        said = self.run_program("export", "w.bow", "--what", "code", "-o", "c.npz", status=2).stderr
        self.assert_one_line(said, "w.bow has no codes", "--what words", "index -o NEW.bow")

    def test_another_version(self):
        self.make()
        self.sql("PRAGMA user_version = 7")
        self.assertIn(b"version 7", self.run_program("status", "p.bow", status=3).stderr)
        self.index(status=3)

    def test_another_model(self):
        self.make()
        self.index(*SMALL, "--seed", "9", "photos", library="q.bow")
        self.assertIn("another model", self.index("--centroids", "q.bow", status=2))

    def test_a_library_is_no_image(self):
        self.make()
        shutil.copy(self.folder / "p.bow", self.folder / "copy.bow")
        said = self.index("p.bow", "copy.bow", status=3)
        self.assertEqual(said.count("bowhist: skipped "), 2)
        self.assertIn("no picture but a library of images", said)
        self.assertIn("6 unchanged", self.index())

    def test_without_images_there_is_no_library(self):
        (self.folder / "empty").mkdir()
        (self.folder / "empty" / "x.jpg").write_bytes(b"no")
        self.index("empty", library="e.bow", status=3)
        self.assertFalse((self.folder / "e.bow").exists())
        self.index(library="e.bow", status=2)

    def test_flipped_bits_are_found(self):
        self.make()
        self.run_program("cluster", "p.bow")
        whole = (self.folder / "p.bow").read_bytes()
        export = self.export()
        size, = self.sql("PRAGMA page_size")[0]
        draws = random.Random(1)
        places = {}
        for name, page, kind in self.sql("SELECT name, pageno, pagetype FROM dbstat WHERE name NOT LIKE 'sqlite_%' AND (ncell > 0 OR "
                                         "pagetype = 'overflow') AND pagetype <> 'internal'"):
            last = page * size - 1 - draws.randrange(8)  # of the first cell
            places.setdefault((name, kind), last if kind == "leaf" else (page - 1) * size + 4 + draws.randrange(100))
        self.assertGreaterEqual(len({name for name, _ in places}), 11, places)
        self.assertIn(("models", "overflow"), places)
        for (name, kind), place in sorted(places.items()):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << draws.randrange(8)
            (self.folder / "p.bow").write_bytes(damaged)
            with self.subTest((name, kind)):
                self.assertIn(name.encode(), self.run_program("status", "--integrity", "p.bow", status=3).stderr)
            for what, expected in zip(("words", "code"), export):
                done = subprocess.run([os.environ["BOWHIST"], "export", "p.bow", "--what", what], cwd=self.folder,
                                      capture_output=True, check=False)
                if done.returncode == 0:
                    self.assertEqual(done.stdout, expected, name)
        (self.folder / "p.bow").write_bytes(whole)
        self.run_program("status", "--integrity", "p.bow")

    def test_a_damaged_index_is_made_again(self):
        self.make()
        self.sql("UPDATE postings SET postings = x'00' WHERE id = (SELECT min(id) FROM postings)")
        for table, advice in ((None, b"bowhist index -o p.bow --reindex"), ("codes", b"make it again: bowhist index -o NEW.bow")):
            if table:
                self.sql(f"UPDATE {table} SET checksum = 1")
            done = self.run_program("status", "p.bow", "--integrity", status=3)
            self.assertIn(advice, done.stderr.splitlines()[-1])

    def test_verbs_verify_what_they_read(self):
        self.make()
        whole = (self.folder / "p.bow").read_bytes()
        for what, change in (("words", "words SET words = zeroblob(length(words))"), ("code", "codes SET code = zeroblob(length(code))"),
                             ("words", "contents SET width = 1"), ("code", "files SET size = 1"),
                             ("words", "folders SET path = x'782f' WHERE path = x''"), ("code", "roots SET path = x'78'"),
                             ("words", "models SET recipe = 'x'")):
            (self.folder / "p.bow").write_bytes(whole)
            self.sql(f"UPDATE {change}")
            with self.subTest(change):
                self.assertIn(b"damaged", self.run_program("export", "p.bow", "--what", what, status=3).stderr)

    def test_a_truncated_library(self):
        self.make()
        whole = (self.folder / "p.bow").read_bytes()
        page, = self.sql("PRAGMA page_size")[0]
        for size in (50, page, len(whole) // 2, len(whole) - page):
            (self.folder / "p.bow").write_bytes(whole[:size])
            self.run_program("status", "--integrity", "p.bow", status=3)
            self.run_program("export", "p.bow", status=3)

    def test_a_file_becomes_a_folder(self):
        self.make()
        os.unlink(self.photos / "p0.pgm")
        (self.photos / "p0.pgm").mkdir()
        self.assertIn("1 gone", self.index())

    def test_a_second_writer_names_the_first(self):
        self.make()
        os.mkfifo(self.folder / "list")
        first = subprocess.Popen([os.environ["BOWHIST"], "index", "-o", "p.bow", "--files-from", "list"],
                                 cwd=self.folder, stderr=subprocess.PIPE)
        self.addCleanup(first.wait)
        self.addCleanup(first.stderr.close)
        while "writer" not in dict(self.sql("SELECT name, name FROM about")):
            time.sleep(0.02)
        said = self.index("photos", status=3)
        self.assertIn(f"process {first.pid} on", said)
        self.assertEqual(len(self.export()[0].splitlines()), 7)  # readers do not wait
        waiting = subprocess.Popen([os.environ["BOWHIST"], "index", "-o", "p.bow", "--wait", "20", "photos"],
                                   cwd=self.folder, stderr=subprocess.PIPE)
        self.addCleanup(waiting.stderr.close)
        (self.folder / "list").write_text("photos/p0.pgm\n")
        self.assertEqual(first.wait(), 0)
        self.assertEqual(waiting.wait(), 0)


class Killed(LibraryTest):
    def kill_after(self, seconds, *arguments):
        process = subprocess.Popen([os.environ["BOWHIST"], "index", "-o", "p.bow", "--kernel", "simd", *arguments],
                                   cwd=self.folder, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.kill()
        process.wait()

    def test_a_killed_run_costs_nothing(self):
        """A short form of tests/measure/library_kills.py."""
        self.make(library="whole.bow")
        expected = self.export(library="whole.bow")
        draws = random.Random(3)
        for _ in range(3):
            self.kill_after(draws.uniform(0.01, 0.25), "--centroids", "models.bow", "photos")
        if (self.folder / "p.bow").exists():
            done = subprocess.run([os.environ["BOWHIST"], "status", "--integrity", "p.bow"], cwd=self.folder, capture_output=True,
                                  check=False)
            is_empty = done.returncode == 3 and b"p.bow: empty" in done.stderr  # killed before anything was written
            self.assertTrue(done.returncode == 0 or is_empty, done.stderr)
        self.make()
        self.assertEqual(self.export(), expected)
        self.assert_alone()

    def test_the_next_run_of_any_verb_removes_what_is_left(self):
        self.make()
        self.kill_after(0.05)
        (self.folder / "p.bow-wal").touch()
        self.run_program("status", "p.bow")
        self.assert_alone()


if __name__ == "__main__":
    unittest.main()
