"""Libraries of earlier versions: read as they are, upgraded by the first run that writes.

tests/library/version2.tar.xz holds a library that the last program of version 2 made, with its pictures, drawn for it:
a scene in color, a grey and a sepia one (PNG), one that Exif turns, with an offset of its time (JPEG), a GIF of three
frames and one of its second frame, a TIFF of two pages; a file that is no picture; and rows of one that is gone.
"""
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tarfile
import time
import unittest

from crafted_library import write_checksums
from program import ProgramTest

OLD = pathlib.Path(__file__).parent.parent / "library" / "version2.tar.xz"
NEWEST = 3
KNOWN = "hash, width, height, captured, skipped, frames, color, orientation, metadata"


class UpgradeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        with tarfile.open(OLD) as archive:
            archive.extractall(self.folder)
        self.library = self.folder / "p.bow"

    def index(self, *arguments, library="p.bow", status=0):
        return self.run_program("index", "-o", library, "--kernel", "simd", *arguments, status=status).stderr.decode()

    def sql(self, command, library="p.bow"):
        with contextlib.closing(sqlite3.connect(f"file:{self.folder / library}?mode=ro", uri=True)) as opened:
            return opened.execute(command).fetchall()

    def change(self, command):
        with contextlib.closing(sqlite3.connect(self.library, isolation_level=None)) as opened:
            opened.execute(command)

    def version(self):
        return self.sql("PRAGMA user_version")[0][0]

    def contents(self, library="p.bow", names=KNOWN):
        """What is known of each file's content, by its name."""
        rows = self.sql(f"SELECT CAST(name AS TEXT), {names} FROM contents JOIN (SELECT name, content FROM files "
                        "WHERE gone IS NULL) ON contents.id = content", library)
        return {row[0]: row[1:] for row in rows}

    def exported(self):
        """What a library holds, as its readers print it."""
        all_ = []
        for arguments in (["export", "p.bow", "--what", "words"], ["export", "p.bow", "--what", "code"],
                          ["duplicates", "p.bow"], ["search", "p.bow", "photos/color.png", "--kernel", "simd"]):
            all_.append(self.run_program(*arguments).stdout)
        return all_

    def check_integrity(self):
        self.assertIn("damages", done := json.loads(self.run_program("status", "--integrity", "--json", "p.bow").stdout))
        self.assertEqual(done["damages"], [])


class Read(UpgradeTest):
    def test_readers_leave_it_as_it_is(self):
        before = self.library.read_bytes()
        self.run_program("status", "p.bow", "--integrity")
        self.run_program("export", "p.bow", "-o", "words.csv")
        self.run_program("search", "p.bow", "photos/grey.png", "--kernel", "simd")
        self.index("--dry-run")
        self.assertEqual(self.library.read_bytes(), before)

    def test_nothing_is_written_where_nothing_may_be(self):
        expected = self.exported()
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        with tarfile.open(OLD) as archive:
            archive.extractall(self.folder)
        before = self.library.read_bytes()
        self.library.chmod(0o444)
        self.folder.chmod(0o555)
        user = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            done = subprocess.run([os.environ["BOWHIST"], "duplicates", "p.bow"], cwd=self.folder, capture_output=True,
                                  check=False, **user)
        finally:
            self.folder.chmod(0o755)
        self.assertEqual((done.returncode, done.stdout), (0, expected[2]), done.stderr)
        self.assertEqual(self.library.read_bytes(), before)

    def test_a_version_that_is_not_known(self):
        self.change("PRAGMA user_version = 9")
        said = self.run_program("status", "p.bow", status=3).stderr
        self.assert_one_line(said, "version 9", f"versions 2 to {NEWEST}", "get a newer bowhist")
        self.change("PRAGMA user_version = 1")
        said = self.run_program("status", "p.bow", status=3).stderr
        self.assert_one_line(said, "version 1", "make it again")
        self.assertNotIn(b"newer", said)


class Upgraded(UpgradeTest):
    def test_the_next_index_makes_of_it_what_a_new_library_is(self):
        expected = self.exported()
        said = self.index(status=1)
        self.assertIn("7 unchanged; 0 described, 1 skipped; 1 skipped in all", said)  # broken.jpg is tried again
        self.assertIn("8 unchanged; 0 described, 0 skipped; 1 skipped in all", self.index())
        self.assertEqual(self.version(), NEWEST)
        self.check_integrity()
        self.assertEqual(self.exported(), expected)
        self.index("--centroids", "p.bow", "photos", library="new.bow", status=1)  # one is no picture
        self.assertEqual(self.contents(), self.contents("new.bow"))
        schema = "SELECT m.name, c.name, c.type, c.\"notnull\", c.pk FROM sqlite_master m, pragma_table_info(m.name) c ORDER BY 1, 2"
        new = [row for row in self.sql(schema) if row[0] != "compared"]
        self.assertEqual(new, self.sql(schema, "new.bow"))

    def test_a_picture_that_a_failing_machine_cost_is_back(self):
        self.index("--centroids", "p.bow", "photos", library="new.bow", status=1)
        with contextlib.closing(sqlite3.connect(self.library, isolation_level=None)) as opened:
            opened.text_factory = bytes
            (content,), = opened.execute("SELECT content FROM files WHERE name = CAST('sepia.png' AS BLOB)")
            opened.execute("UPDATE contents SET width = 0, height = 0, skipped = 'ended its decoder' WHERE id = ?", (content,))
            for table in ("words", "codes", "thumbnails"):
                opened.execute(f"DELETE FROM {table} WHERE content = ?", (content,))
            write_checksums(opened, "contents")
        self.index("--reindex", status=0)
        self.assertIn("1 new, 0 changed, 0 moved, 0 gone, 0 back, 6 unchanged; 1 described, 1 skipped", self.index("photos", status=1))
        self.assertEqual(self.contents(), self.contents("new.bow"))
        self.check_integrity()

    def test_what_is_known_of_each_picture(self):
        self.index(status=1)
        known = {name: dict(zip(KNOWN.split(", "), row)) for name, row in self.contents().items()}
        frames = {name: row["frames"] for name, row in known.items()}
        self.assertEqual(frames, {"three.gif": 3, "still.gif": 1, "two.tif": 2, "color.png": 1, "grey.png": 1,
                                  "sepia.png": 1, "turned.jpg": 1, "broken.jpg": None})
        self.assertEqual(known["grey.png"]["color"], 0)
        self.assertLess(known["sepia.png"]["color"], 2000)
        self.assertGreater(known["color.png"]["color"], 10000)
        turned = known["turned.jpg"]
        self.assertEqual((turned["orientation"], turned["metadata"]), (6, 1 + 2 + 8))
        self.assertEqual(turned["captured"], "2026-11-26T07:10:54+02:00")
        self.assertEqual((known["color.png"]["orientation"], known["color.png"]["metadata"]), (0, 0))

    def test_other_runs_that_write_read_no_picture(self):
        before = self.contents(names="hash, width, height, captured, skipped")
        for arguments in (["cluster", "p.bow"], ["duplicates", "p.bow", "--not-same", "photos/two.tif", "photos/three.gif"]):
            with self.subTest(arguments[0]):
                with tarfile.open(OLD) as archive:
                    archive.extractall(self.folder)
                self.assertEqual(self.version(), 2)
                self.run_program(*arguments)
                self.assertEqual(self.version(), NEWEST)
                self.check_integrity()
                self.assertEqual(self.contents(names="hash, width, height, captured, skipped"), before)
                self.assertEqual({row[0] for row in self.contents(names="frames").values()}, {None})
                self.assertEqual(self.contents(names="color")["grey.png"], (0,))
        self.index(status=1)
        self.assertEqual(self.contents(names="frames")["three.gif"], (3,))

    def test_files_that_are_away_are_read_when_they_are_back(self):
        moved = self.folder / "three.gif"
        (self.folder / "photos/three.gif").rename(moved)
        self.index(status=1)
        self.assertEqual(self.sql("SELECT count(*) FROM contents WHERE frames IS NULL AND skipped IS NULL"), [(2,)])
        moved.rename(self.folder / "photos/three.gif")
        self.assertIn("1 back", self.index())
        self.assertEqual(self.contents(names="frames")["three.gif"], (3,))
        self.check_integrity()
        self.index("--forget")  # one was gone from the start
        self.index()
        self.assertEqual(self.sql("SELECT count(*) FROM about WHERE name = 'unread headers'"), [(0,)])

    def test_times_of_changes_are_taken_as_they_are(self):
        grey = self.folder / "photos/grey.png"

        def edit(byte):
            stamp = grey.stat()
            grey.write_bytes(grey.read_bytes()[:-1] + byte)
            os.utime(grey, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
            time.sleep(0.05)

        edit(b"\x01")  # found if it is read
        self.run_program("cluster", "p.bow")
        self.assertEqual(self.sql("SELECT count(changed) FROM files"), [(0,)])
        self.assertEqual(self.index("--dry-run").count("8 unchanged"), 1)
        self.assertIn("7 unchanged; 0 described, 1 skipped", self.index(status=1))  # which is tried again once
        changed = dict(self.sql("SELECT CAST(name AS TEXT), changed FROM files WHERE gone IS NULL"))
        self.assertEqual(changed, {path.name: path.stat().st_ctime_ns for path in grey.parent.iterdir()})
        self.check_integrity()
        edit(b"\x02")
        self.assertIn("1 skipped; 2 skipped in all", self.index(status=1))  # a PNG needs its last byte

    def test_a_changed_file_is_described_as_ever(self):
        shutil.copy(self.folder / "photos/color.png", self.folder / "photos/grey.png")
        self.assertIn("1 changed", self.index(status=1))
        self.assertEqual(self.contents()["grey.png"], self.contents()["color.png"])

    def test_shards_of_an_earlier_version_become_a_library_of_the_newest(self):
        self.run_program("merge", "-o", "all.bow", "part1.bow", "part2.bow", status=1)  # one is no picture
        self.assertEqual(self.sql("PRAGMA user_version", "all.bow"), [(NEWEST,)])
        self.assertEqual(self.sql("PRAGMA user_version", "part1.bow"), [(2,)])
        self.assertEqual(self.contents("all.bow", "color")["grey.png"], (0,))
        self.assertEqual(self.contents("all.bow", "frames")["three.gif"], (None,))
        self.index(library="all.bow", status=1)
        self.index(status=1)
        self.assertEqual(self.contents("all.bow"), self.contents())

    def test_a_damaged_row_is_no_less_damaged_afterwards(self):
        self.change("UPDATE contents SET width = width + 1 WHERE id = (SELECT content FROM files WHERE name = CAST('two.tif' AS BLOB))")
        self.run_program("cluster", "p.bow", status=3)
        self.index(status=1)
        said = json.loads(self.run_program("status", "--integrity", "--json", "p.bow", status=3).stdout)
        self.assertEqual([line.split(" of ")[1] for line in said["damages"]], ["the table contents"])

    def test_a_damaged_thumbnail_gives_no_color(self):
        self.change("UPDATE thumbnails SET jpeg = substr(jpeg, 1, 100) WHERE content = "
                    "(SELECT content FROM files WHERE name = CAST('color.png' AS BLOB))")
        self.index(status=1)
        self.assertEqual(self.contents(names="color")["color.png"], (None,))
        self.assertIsNotNone(self.contents(names="color")["two.tif"][0])


if __name__ == "__main__":
    unittest.main()
