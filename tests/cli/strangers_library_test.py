"""A library that a stranger made, its checksums right: damaged, or read; never a crash, and never a run without end."""
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from crafted_library import craft
from program import ProgramTest, wait_until_it_listens
from server import Server

# Each verb that reads a library, by what it prints on standard output.
VERBS = {
    "status": ["status", "p.bow"],
    "integrity": ["status", "p.bow", "--integrity"],
    "search": ["search", "-q", "p.bow", "photos/p1.pgm", "--kernel", "simd"],
    "check": ["search", "-q", "p.bow", "photos/p1.pgm", "--check", "--kernel", "simd"],
    "duplicates": ["duplicates", "-q", "p.bow", "--html", "copies.html"],
    "cluster": ["cluster", "-q", "p.bow", "-o", "-", "--html", "groups.html"],
    "show": ["show", "-q", "p.bow", "--html", "words.html", "--kernel", "simd"],
    "export": ["export", "-q", "p.bow", "--what", "words", "-o", "-"],
    "export code": ["export", "-q", "p.bow", "--what", "code", "-o", "-"],
    "index": ["index", "-q", "-o", "p.bow", "photos", "--kernel", "simd"],
    "try": ["index", "-q", "-o", "p.bow", "--dry-run", "photos"],
}

ENDLESS = ("CREATE VIEW {} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
           "SELECT i AS id, x'41' AS path, 1 AS size, 1 AS modified, 1 AS file, i AS content, NULL AS skipped, NULL AS gone, "
           "'a' AS reason FROM n")


class Strangers(ProgramTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        self.write_pictures([f"photos/p{i}.pgm" for i in range(6)], 160, 120)
        shutil.copy(self.folder / "photos/p0.pgm", self.folder / "photos/copy.pgm")
        self.run_program("index", "-q", "-o", "whole.bow", "--words-k", "32", "--code-k", "4", "--mirrored", "--kernel", "simd", "photos")
        self.run_program("cluster", "-q", "whole.bow", "--name", "0=first")
        self.run_program("duplicates", "-q", "whole.bow")

    def craft(self, *statements, changed=(), **options):
        for name in ("p.bow-wal", "p.bow-shm"):
            (self.folder / name).unlink(missing_ok=True)
        craft(self.folder / "whole.bow", self.folder / "p.bow", *statements, changed=changed, **options)

    def end_of(self, *arguments, seconds=10):
        """@return the exit status, and what it says; it ends soon, with less than 1 GiB"""
        with open(self.folder / "said", "wb") as said, open(self.folder / "answer", "wb") as answer:
            process = subprocess.Popen([os.environ["BOWHIST"], *arguments], cwd=self.folder, stdout=answer, stderr=said)
        end = time.monotonic() + seconds
        done = 0
        while done == 0 and time.monotonic() < end:
            time.sleep(0.002)
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
        if done == 0:
            process.kill()
            process.wait()
            self.fail(f"{arguments}: still at work after {seconds} s")
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertLess(usage.ru_maxrss, 1 << 20, arguments)
        return process.returncode, (self.folder / "said").read_text(errors="replace")

    def assert_damaged(self, what, verbs=VERBS):
        for name in verbs:
            with self.subTest(what, verb=name):
                status, said = self.end_of(*VERBS[name])
                self.assertEqual(status, 3, said)
                self.assertIn("damaged", said)


class CraftedRows(Strangers):
    def test_norms_that_are_missing(self):
        for column in ("word_norms", "code_norms"):
            self.craft(f"UPDATE segments SET {column} = x''", changed=["segments"])
            self.assert_damaged(column, ["integrity", "search"])

    def test_places_that_are_missing_where_they_are_promised(self):
        for column in ("places", "mirrored"):
            self.craft(f"UPDATE words SET {column} = NULL", changed=["words"])
            self.assert_damaged(column, ["duplicates", "show"])

    def test_places_that_are_missing_do_not_end_a_server(self):
        self.craft("UPDATE words SET places = NULL", changed=["words"])
        with Server("p.bow", "--kernel", "simd", folder=self.folder) as server:
            for path in ("/duplicates", "/api/duplicates", "/words", "/groups"):
                server.ask(path)
            self.assertEqual(server.ask("/api/status")[0], 200)

    def test_pictures_without_pixels(self):
        for side in ("width", "height"):
            for value in (0, -1, -(1 << 63), 1 << 32, (1 << 63) - 1):
                self.craft((f"UPDATE contents SET {side} = ?", (value,)), changed=["contents"])
                self.assert_damaged(f"{side} {value}", ["cluster", "search"])

    def test_sizes_of_models(self):
        for kind in ("words", "code"):
            for size in (-1, 0, 1 << 40, (1 << 63) - 1):
                self.craft(("UPDATE models SET size = ? WHERE kind = ?", (size, kind)), changed=["models"])
                self.assert_damaged(f"{kind} {size}", ["status", "integrity", "search", "export", "index"])

    def test_a_file_with_the_id_of_none(self):
        for which in ("min", "max"):
            self.craft(f"UPDATE files SET id = 0 WHERE id = (SELECT {which}(id) FROM files)", changed=["files"])
            self.assert_damaged(which, ["integrity", "index", "try"])

    def test_values_of_the_wrong_kind(self):
        for table, column, value, verb in (("files", "size", "'many'", "search"), ("files", "name", "7", "cluster"),
                                           ("contents", "width", "1.5", "export"), ("words", "words", "5", "duplicates"),
                                           ("segments", "levels", "5", "search"), ("models", "size", "'many'", "status"),
                                           ("folders", "path", "NULL", "show"), ("about", "value", "NULL", "integrity")):
            self.craft(f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})", changed=[table],
                       lax=True)
            self.assert_damaged(f"{table}.{column}", ["integrity", verb])


class CraftedSchemas(Strangers):
    def test_a_view_without_an_end(self):
        for view in ("paths", "skipped"):
            self.craft(f"DROP VIEW {view}", ENDLESS.format(view))
            self.assert_damaged(view)

    def test_a_view_in_place_of_a_table(self):
        self.craft("DROP TABLE members", "CREATE VIEW members AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                   "SELECT i AS file, 0 AS number, 0 AS checksum FROM n")
        self.assert_damaged("members")

    def test_a_column_that_is_computed(self):
        self.craft("DROP TABLE unindexed", "CREATE TABLE unindexed(content INTEGER PRIMARY KEY, "
                   "checksum INTEGER NOT NULL DEFAULT (length(randomblob(100000000)))) STRICT")
        self.assert_damaged("unindexed", ["search", "index"])

    def test_views_and_tables_of_a_user_do_no_harm(self):
        expected = {name: self.read(VERBS[name], "whole.bow") for name in ("search", "export", "status")}
        self.craft(ENDLESS.format("mine"), "CREATE TABLE notes(text)", "ANALYZE", "DROP VIEW images", ENDLESS.format("images"),
                   "CREATE INDEX by_size ON files(size)",
                   "CREATE TRIGGER loud AFTER UPDATE ON about BEGIN INSERT INTO notes SELECT i FROM mine; END",
                   "CREATE TRIGGER louder AFTER INSERT ON about BEGIN INSERT INTO notes SELECT i FROM mine; END")
        for name, text in expected.items():
            if name != "status":  # its bytes
                self.assertEqual(self.read(VERBS[name], "p.bow"), text, name)
        for name, call in VERBS.items():
            with self.subTest(verb=name):
                self.assertEqual(self.end_of(*call)[0], 0)

    def read(self, call, library):
        return self.run_program(*[library if word == "p.bow" else word for word in call]).stdout

    def test_the_first_interruption_ends_a_long_read(self):
        self.craft("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) "
                   "INSERT INTO files(folder, name, size, modified, file, content, run, checksum) "
                   "SELECT 1, CAST('q' || i || '.pgm' AS BLOB), 1, 1, i, 1, 1, 0 FROM n")
        process = subprocess.Popen([os.environ["BOWHIST"], "status", "p.bow"], cwd=self.folder, stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL)
        wait_until_it_listens(process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=10)
        self.assertEqual((process.returncode, said), (130, b"bowhist: interrupted\n"))


class CraftedPaths(Strangers):
    def prepare(self):
        super().prepare()
        (self.folder / "outside").mkdir()
        for i in (0, 1):
            shutil.copy2(self.folder / f"photos/p{i}.pgm", self.folder / f"outside/p{i}.pgm")

    def test_a_folder_that_leads_out_of_its_root(self):
        for path in ("../outside/", "a/../../outside/", "../", "/etc/", "./", "a//", "a", "a/./"):
            self.craft(("UPDATE folders SET path = ?", (path.encode(),)), changed=["folders"])
            calls = {name: call for name, call in VERBS.items() if name != "status"}
            for name, call in {**calls, "script": ["duplicates", "p.bow", "--script", "move.sh", "--to", "spare"],
                               "copy": ["cluster", "p.bow", "--copy", "copies"]}.items():
                with self.subTest(path, verb=name):
                    status, said = self.end_of(*call)
                    self.assertEqual(status, 3, said)
                    self.assertIn("damaged", said)
            self.assertFalse((self.folder / "move.sh").exists() or (self.folder / "copies").exists())

    def test_a_name_that_is_none(self):
        for name in (b"", b".", b"..", b"../outside/p0.pgm", b"/etc/passwd", b"a/b"):
            self.craft(("UPDATE files SET name = ? WHERE id = 1", (name,)), changed=["files"])
            self.assert_damaged(name, ["search", "duplicates", "cluster", "export", "index"])

    def write_library_with_links(self):
        os.unlink(self.folder / "whole.bow")
        os.symlink("../outside", self.folder / "photos/link")
        os.unlink(self.folder / "photos/p2.pgm")
        os.symlink("../outside/p1.pgm", self.folder / "photos/p2.pgm")
        os.symlink("photos", self.folder / "album")
        self.run_program("index", "-q", "-o", "p.bow", "--words-k", "32", "--code-k", "4", "--kernel", "simd", "album")

    def test_nothing_that_lies_behind_a_link_is_moved(self):
        self.write_library_with_links()
        done = self.run_program("duplicates", "p.bow", "--script", "move.sh", "--to", "spare")
        self.assertIn(b"a link leads out of the folder that was indexed", done.stderr)
        script = (self.folder / "move.sh").read_text()
        moves = [line for line in script.splitlines() if line.startswith("move ")]
        self.assertEqual(len(moves), 1, script)  # of p0 and copy, one
        self.assertFalse(any("link/" in line or "p2" in line for line in moves), script)

    def test_nothing_that_lies_behind_a_link_is_copied(self):
        self.write_library_with_links()
        done = self.run_program("cluster", "p.bow", "--copy", "copies", status=1)
        self.assertEqual(done.stderr.count(b"a link leads out of the folder that was indexed"), 2)
        copies = sorted(path.name for path in (self.folder / "copies").rglob("*.pgm"))
        self.assertEqual(copies, ["copy.pgm", "p0.pgm", "p1.pgm", "p3.pgm", "p4.pgm", "p5.pgm"])

    def test_a_root_beside_the_working_directory_stays_right(self):
        (self.folder / "here").mkdir()
        call = {"cwd": self.folder / "here"}
        done = subprocess.run([os.environ["BOWHIST"], "index", "-q", "-o", "p.bow", "--words-k", "32", "--code-k", "4", "--kernel",
                               "simd", "../photos", "../outside/p1.pgm"], capture_output=True, **call)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run([os.environ["BOWHIST"], "duplicates", "-q", "p.bow", "--script", "move.sh", "--to", "spare"], check=True,
                       capture_output=True, **call)
        self.assertEqual((self.folder / "here/move.sh").read_text().count("\nmove "), 2)  # of p0, and of p1
        subprocess.run([os.environ["BOWHIST"], "cluster", "-q", "p.bow", "--copy", "copies"], check=True, capture_output=True, **call)
        self.assertEqual(len(list((self.folder / "here/copies").rglob("*.pgm"))), 8)


class ServedFiles(Strangers):
    SECRET = b"root:x:0:0:a secret that stays here\n"

    def test_answers_quote_no_file_and_no_absolute_path(self):
        self.run_program("index", "-q", "-o", "p.bow", "--words-k", "32", "--code-k", "4", "--kernel", "simd", "photos")
        (self.folder / "secret.txt").write_bytes(self.SECRET * 100)
        os.unlink(self.folder / "photos/p1.pgm")
        os.symlink("../secret.txt", self.folder / "photos/p1.pgm")
        (self.folder / "photos/p2.pgm").write_bytes(self.SECRET)
        shown = os.stat(self.folder / "photos/p3.pgm")
        (self.folder / "photos/p3.pgm").write_bytes((self.SECRET * 1000)[:shown.st_size])  # with the size and time of its row
        os.utime(self.folder / "photos/p3.pgm", ns=(shown.st_atime_ns, shown.st_mtime_ns))
        library = sqlite3.connect(self.folder / "p.bow")
        ids = dict(library.execute("SELECT CAST(name AS TEXT), id FROM files"))
        library.close()
        with Server(self.folder / "p.bow", "--kernel", "simd", folder=self.folder) as server:
            for name in ("p1.pgm", "p2.pgm", "p3.pgm"):
                id = ids[name]
                self.assertEqual(server.ask(f"/views/{id}")[2], server.ask(f"/thumbnails/{id}")[2], name)
                for path in (f"/views/{id}", f"/images/{id}", f"/images/{id}?region=0,0,80,80", f"/api/images/{id}",
                             f"/api/search?id={id}&region=0,0,80,80", f"/api/search?id={id}&region=900,900,1,1", "/words"):
                    for accept in ("text/html", "*/*"):
                        body = server.ask(path, headers={"Accept": accept})[2]
                        self.assertNotIn(b"secret", body, path)
                        self.assertNotIn(bytes(self.folder), body, path)
                page = server.ask(f"/images/{id}")[2]
                if name != "p3.pgm":
                    self.assertIn(b"its thumbnail is shown", page)
            self.assertNotIn(b"its thumbnail is shown", server.ask(f"/images/{ids['p4.pgm']}")[2])

    def test_a_damaged_row_is_named_without_an_absolute_path(self):
        self.craft("UPDATE words SET places = NULL", changed=["words"])
        with Server(self.folder / "p.bow", "--kernel", "simd", folder=self.folder) as server:
            status, _, body = server.ask("/api/duplicates")
            self.assertEqual(status, 422)
            self.assertIn(b"damaged", body)
            self.assertNotIn(bytes(self.folder), body)


class Crashes(Strangers):
    def test_a_crash_blames_no_driver_where_none_was_loaded(self):
        with Server("whole.bow", "--kernel", "simd", folder=self.folder) as server:
            server.process.send_signal(signal.SIGSEGV)
            said = server.process.communicate(timeout=20)[1].decode()
        self.assertNotIn("driver", said)
        self.assertIn("please report this", said)


if __name__ == "__main__":
    unittest.main()
