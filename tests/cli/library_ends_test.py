"""A library whose run ends early, on a full disk or by Ctrl-C, or whose files change meanwhile."""
import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import threading
import time
import unittest

from library_test import SMALL, LibraryTest
from program import wait_until_it_listens, write_picture

MOUNTS = shutil.which("unshare") and subprocess.run(
    ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0


class Ended(LibraryTest):
    def start(self, *arguments, **options):
        return subprocess.Popen([os.environ["BOWHIST"], "index", "-o", "p.bow", "--kernel", "simd", *arguments], cwd=self.folder,
                                stderr=subprocess.PIPE, **options)

    def assert_whole(self):
        """What an early end left is whole, and holds models if it holds descriptions."""
        if (self.folder / "p.bow").exists():
            self.run_program("status", "--integrity", "p.bow")

    def assert_finished_run_is(self, expected):
        self.make()
        self.assertEqual(self.export(), expected)
        self.assert_alone()

    def test_interrupted_at_any_moment(self):
        self.make(library="whole.bow")  # learns
        for i in range(24):  # several batches of descriptions
            write_picture(self.photos / f"large{i}.pgm", 100 + i, 400, 400)
        start = time.monotonic()
        self.index(library="whole.bow")
        seconds = time.monotonic() - start
        expected = self.export(library="whole.bow")
        draws = random.Random(4)
        interrupted = 0
        for turn in range(16):
            process = self.start("--centroids", "models.bow", "photos")
            wait_until_it_listens(process)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(draws.uniform(0, seconds))
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
            self.assertIn(process.returncode, (0, 130), said)
            interrupted += process.returncode == 130
            self.assert_whole()
            if turn % 4 == 3:
                self.assert_finished_run_is(expected)
                (self.folder / "p.bow").unlink()
        self.assertGreater(interrupted, 4)

    def test_files_that_may_not_grow(self):
        """A limit on the size of files fails as a full disk does, at any place."""
        self.make(library="whole.bow")
        expected = self.export(library="whole.bow")
        size = (self.folder / "whole.bow").stat().st_size
        draws = random.Random(5)
        failed = 0
        for limit in (1, 4096, *(draws.randrange(8192, 2 * size) for _ in range(8))):
            process = self.start("--centroids", "models.bow", "photos",
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
            said = process.communicate()[1]
            with self.subTest(limit):
                self.assertIn(process.returncode, (0, 3), said)
                failed += process.returncode == 3
                self.assert_one_line(said)
                self.assert_whole()
                if draws.random() < 0.5:
                    self.assert_finished_run_is(expected)
                    (self.folder / "p.bow").unlink()
        self.assertGreater(failed, 2)

    @unittest.skipUnless(MOUNTS, "nothing can be mounted here")
    def test_a_full_disk(self):
        """An update stops with a line; the library stays whole, and continues where there is room."""
        self.make()
        expected = self.export()
        for i in range(24):
            write_picture(self.photos / f"large{i}.pgm", 100 + i, 400, 400)
        (self.folder / "disk").mkdir()
        (self.folder / "after").mkdir()
        size = (self.folder / "p.bow").stat().st_size
        for room in (0, 64, 300):
            script = (f"mount -t tmpfs -o size={(size // 4096 + 1) * 4 + room}k none disk\ncp p.bow disk\n"
                      '"$0" index -o disk/p.bow --kernel simd photos; status=$?\n'
                      "cp disk/p.bow* after\nexit $status")
            done = subprocess.run(["unshare", "-m", "sh", "-c", script, os.environ["BOWHIST"]], cwd=self.folder,
                                  capture_output=True, check=False)
            with self.subTest(room):
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(b"no room left on its file system", done.stderr)
                self.run_program("status", "--integrity", "after/p.bow")
                before = self.export(library="after/p.bow")
                for rows, some in zip(expected, before):
                    self.assertLessEqual(set(rows.splitlines()), set(some.splitlines()))
                self.index(library="after/p.bow")
                shutil.copy(self.folder / "p.bow", self.folder / "whole.bow")
                self.index(library="whole.bow")
                self.assertEqual(self.export(library="after/p.bow"), self.export(library="whole.bow"))

    def test_an_error_keeps_what_was_described_and_its_models(self):
        (self.photos / "trip" / "z.jpg").write_bytes(b"no picture")
        self.index(*SMALL, "photos", library="models.bow", status=1)
        self.index("--centroids", "models.bow", "--strict", "photos", status=3)
        self.assertEqual(self.sql("SELECT count(*) FROM words"), [(6,)])
        self.assertEqual(self.sql("SELECT count(*) FROM models"), [(2,)])
        self.assert_whole()

    def test_rows_that_are_missing_are_found(self):
        self.make()
        whole = (self.folder / "p.bow").read_bytes()
        for table in ("words", "codes", "thumbnails", "contents", "folders", "roots", "models"):
            for which in ("max", "min"):
                (self.folder / "p.bow").write_bytes(whole)
                self.sql(f"DELETE FROM {table} WHERE rowid = (SELECT {which}(rowid) FROM {table})")
                with self.subTest(table):
                    self.run_program("status", "--integrity", "p.bow", status=3)


class Changing(LibraryTest):
    def test_files_that_change_while_they_are_read(self):
        """They grow, shrink, and are folders in between; once they rest, the library holds what they are."""
        self.make()
        stop = threading.Event()

        def disturb():
            draws = random.Random(6)
            while not stop.is_set():
                path = self.photos / f"p{draws.choice((0, 2, 4))}.pgm"
                act = draws.randrange(4)
                if path.is_dir():
                    path.rmdir()
                    write_picture(path, draws.randrange(50), 120, 90)
                elif act == 0:
                    path.unlink()
                    path.mkdir()
                elif act == 1:
                    with open(path, "ab") as file:
                        file.write(b"more")
                elif act == 2:
                    os.truncate(path, draws.randrange(5000))
                else:
                    write_picture(path, draws.randrange(50), 120, 90)  # in place
                time.sleep(draws.uniform(0, 0.004))
            for path in self.photos.glob("*.pgm"):
                if path.is_dir():
                    path.rmdir()
                    write_picture(path, 60, 120, 90)

        disturber = threading.Thread(target=disturb)
        disturber.start()
        try:
            for _ in range(8):
                done = subprocess.run([os.environ["BOWHIST"], "index", "-o", "p.bow", "--kernel", "simd"], cwd=self.folder,
                                      capture_output=True, check=False)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.run_program("status", "--integrity", "p.bow")
        finally:
            stop.set()
            disturber.join()
        subprocess.run([os.environ["BOWHIST"], "index", "-q", "-o", "p.bow", "--kernel", "simd"], cwd=self.folder, check=False)
        broken = self.status()["skipped"] > 0
        self.assert_as_fresh(status=1 if broken else 0)

    def test_an_image_becomes_a_folder_of_images(self):
        self.make()
        (self.photos / "p0.pgm").unlink()
        (self.photos / "p0.pgm").mkdir()
        write_picture(self.photos / "p0.pgm" / "inner.pgm", 70, 120, 90)
        self.assertIn("1 new, 0 changed, 0 moved, 1 gone", self.index())
        self.assertIn("photos/p0.pgm/inner.pgm", self.paths())
        self.assert_as_fresh()


if __name__ == "__main__":
    unittest.main()
