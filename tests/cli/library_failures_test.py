"""A failure of the machine is no fault of a picture: what it costs is back after one undisturbed run."""
import json
import os
import resource
import shutil
import signal
import subprocess
import threading
import unittest

from PIL import Image, ImageFilter

from isolation_test import running_in
from library_test import LibraryTest
from program import write_picture

# All pages but the first cannot be read.
UNREAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>
ssize_t pread64(int file, void *to, size_t bytes, off64_t from) {
    if (from >= 4096) { errno = EIO; return -1; }
    return ((__typeof__(&pread64))dlsym(RTLD_NEXT, "pread64"))(file, to, bytes, from);
}
"""
HIDDEN = "libheif.so.1"  # the module of all codecs loads it


class FailuresTest(LibraryTest):
    """A library of six pictures, then 12 PNGs and JPEGs more, and four files that are at fault themselves."""

    def setUp(self):
        super().setUp()
        self.make()
        for i in range(12):
            write_picture(self.folder / "drawn.pgm", 50 + i, 700, 500)
            picture = Image.open(self.folder / "drawn.pgm").filter(ImageFilter.GaussianBlur(1))
            picture.save(self.photos / f"n{i}.png")
            picture.save(self.photos / f"j{i}.jpg")
        for name in ("n0.png", "j0.jpg"):
            whole = (self.photos / name).read_bytes()
            half = len(whole) // 2
            (self.photos / f"bad-{name}").write_bytes(whole[:half] + bytes(64) + whole[half + 64:])
        (self.photos / "empty.jpg").touch()
        (self.photos / "text.jpg").write_bytes(b"no picture")
        self.bad = {f"photos/{name}" for name in ("bad-n0.png", "bad-j0.jpg", "empty.jpg", "text.jpg")}

    def disturbed(self, disturb=lambda process: None, environment=None, preexec=None):
        """The names that a run skips while it is disturbed."""
        process = subprocess.Popen([os.environ["BOWHIST"], "index", "-o", "p.bow", "--kernel", "simd"], cwd=self.folder, preexec_fn=preexec,
                                   stderr=subprocess.PIPE, start_new_session=True, env={**os.environ, **(environment or {})})
        disturber = threading.Thread(target=disturb, args=(process,))
        disturber.start()
        said = process.communicate()[1].decode()
        disturber.join()
        self.assertEqual(process.returncode, 1, said)
        return {line.split(": ")[1].removeprefix("skipped ") for line in said.splitlines() if ": skipped " in line}

    def hidden_library(self):
        (self.folder / "lib").mkdir(exist_ok=True)
        (self.folder / "lib" / HIDDEN).touch()
        return {"LD_LIBRARY_PATH": str(self.folder / "lib")}

    def skips(self):
        return {skip["path"]: skip["reason"] for skip in self.status()["skips"]}

    def assert_cured(self):
        undisturbed = subprocess.run([os.environ["BOWHIST"], "index", "-o", "p.bow", "--kernel", "simd", "photos"], cwd=self.folder,
                                     capture_output=True, check=False)
        self.assertIn(undisturbed.returncode, (0, 1), undisturbed.stderr)
        self.assertEqual(set(self.skips()), self.bad)
        self.assertEqual(self.sql("SELECT count(*) FROM files WHERE skipped IS NOT NULL AND gone IS NULL"), [(0,)])
        self.assertRegex(self.index(), r"0 new, 0 changed, 0 moved, 0 gone, 0 back, 34 unchanged; 0 described, 0 skipped; 4 skipped in all")
        self.assert_as_fresh(status=1)
        self.assertEqual(self.run_program("status", "--integrity", "p.bow").returncode, 0)


class Failures(FailuresTest):
    def test_a_library_that_is_hidden(self):
        shutil.copy(self.photos / "n1.png", self.photos / "n1-again.png")
        skipped = self.disturbed(environment=self.hidden_library())
        self.assertEqual(skipped, self.bad | {f"photos/n{i}.png" for i in range(12)} | {"photos/n1-again.png"})
        self.assertIn("cannot be loaded", self.skips()["photos/n2.png"])
        (self.photos / "n1-again.png").unlink()
        self.index("photos/n3.png")  # one is tried, the rest later
        self.assertNotIn("photos/n3.png", self.skips())
        self.assertIn("photos/n4.png", self.skips())
        self.assert_cured()

    def test_decoders_that_are_killed(self):
        killed = []

        def kill(process):
            while process.poll() is None:
                for worker in set(running_in(process.pid)) - {str(process.pid)}:
                    try:
                        os.kill(int(worker), signal.SIGKILL)
                        killed.append(worker)
                    except ProcessLookupError:
                        pass

        self.disturbed(kill)
        self.assertGreater(len(killed), 0)
        self.assert_cured()

    def test_little_memory(self):
        for most in (180, 200, 210, 240):  # MiB; too little for codecs to load, for them to decode, for any
            with self.subTest(most):
                shutil.copy(self.folder / "models.bow", self.folder / "p.bow")
                limit = (most << 20, most << 20)
                subprocess.run([os.environ["BOWHIST"], "index", "-q", "-o", "p.bow", "--kernel", "simd"], cwd=self.folder, check=False,
                               stderr=subprocess.DEVNULL, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
                self.assert_cured()

    def test_few_open_files(self):
        for most in range(4, 32):
            done = subprocess.run([os.environ["BOWHIST"], "index", "-q", "-o", "p.bow", "--kernel", "simd"], cwd=self.folder, check=False,
                                  capture_output=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
            with self.subTest(most):  # no library is damaged by it, and no disk full
                for advice in (b"make the library again", b"make room"):
                    self.assertNotIn(advice, done.stderr)
        self.assert_cured()

    def test_a_disk_that_cannot_be_read(self):
        """SQLite calls EIO damage."""
        (self.folder / "shim.c").write_text(UNREAD)
        subprocess.run(["cc", "-w", "-shared", "-fPIC", "-o", "shim.so", "shim.c"], cwd=self.folder, check=True)
        done = self.run_program("index", "-o", "p.bow", "--kernel", "simd", status=3, environment={"LD_PRELOAD": str(self.folder / "shim.so")})
        self.assert_one_line(done.stderr, "p.bow: this library cannot be read (Input/output error)")
        self.assert_cured()

    def test_a_copy_shares_a_failure_and_its_end(self):
        for i in range(5):
            shutil.copy(self.photos / "n1.png", self.photos / f"copy{i}.png")
        skipped = self.disturbed(environment=self.hidden_library())
        self.assertLessEqual({f"photos/copy{i}.png" for i in range(5)}, skipped)
        said = self.index(status=1)  # one PNG is damaged
        self.assertRegex(said, r"17 new, 0 changed, 0 moved, 0 gone, 0 back, 21 unchanged; 12 described, 1 skipped; 4 skipped in all")

    def test_a_file_that_moves_while_it_fails_is_the_same_file(self):
        self.index(status=1)
        before = dict(self.sql("SELECT CAST(path AS TEXT), id FROM paths"))
        os.rename(self.photos / "n5.png", self.photos / "trip" / "n5.png")
        (self.photos / "trip" / "n5.png").chmod(0)
        self.folder.chmod(0o777)
        (self.folder / "p.bow").chmod(0o666)
        done = self.as_user("index", "-o", "p.bow", "--kernel", "simd")  # root reads all files
        self.assertEqual(done.returncode, 1, done.stderr)
        (self.photos / "trip" / "n5.png").chmod(0o644)
        self.index()
        self.assertEqual(self.sql("SELECT id FROM paths WHERE CAST(path AS TEXT) = 'photos/trip/n5.png' AND gone IS NULL"),
                         [(before["photos/n5.png"],)])


class Counts(FailuresTest):
    def test_what_is_skipped_counts_as_nothing_else(self):
        self.assertRegex(self.index(status=1), r"24 new, 0 changed, 0 moved, 0 gone, 0 back, 6 unchanged; 24 described, 4 skipped; 4 skipped in all")
        self.assertRegex(self.index(), r"0 new, 0 changed, 0 moved, 0 gone, 0 back, 34 unchanged; 0 described, 0 skipped; 4 skipped in all")
        shutil.copy(self.photos / "bad-n0.png", self.photos / "copy.png")
        said = self.index(status=1)
        self.assertRegex(said, r"0 new, 0 changed, 0 moved, 0 gone, 0 back, 34 unchanged; 0 described, 1 skipped; 5 skipped in all")
        self.assertIn("skipped photos/copy.png: damaged", said)
        shutil.copy(self.photos / "n7.png", self.photos / "empty.jpg")
        self.assertRegex(self.index(), r"1 new, 0 changed, 0 moved, 0 gone, 0 back, 34 unchanged; 0 described, 0 skipped; 4 skipped in all")

    def test_retry_tries_all_again(self):
        self.index(status=1)
        said = self.index("--retry", status=1)
        self.assertRegex(said, r"0 new, 0 changed, 0 moved, 0 gone, 0 back, 30 unchanged; 0 described, 4 skipped; 4 skipped in all")
        self.assertEqual(said.count(": skipped "), 4)
        self.assertIn("leave --dry-run out", self.index("--retry", "--dry-run", status=2))

    def test_status_names_them(self):
        self.index(status=1)
        skips = self.skips()
        self.assertEqual(skips["photos/empty.jpg"], "an empty file; get the picture again")
        table = self.run_program("status", "-v", "p.bow").stdout.decode()
        for path, reason in skips.items():
            self.assertIn(f"{path}: {reason}\n", table)
        self.assertNotIn("empty.jpg", self.run_program("status", "p.bow").stdout.decode())
        self.assertEqual(json.loads(self.run_program("status", "--json", "p.bow").stdout)["skipped"], 4)

    def test_what_is_ignored_counts_by_kind(self):
        (self.folder / "raw" / ".git").mkdir(parents=True)
        for i in range(17):
            (self.folder / "raw" / f"r{i}.{'cr2' if i < 12 else 'JXL'}").write_bytes(b"raw")
        said = self.index("--centroids", "models.bow", "raw", library="raw.bow", status=3)
        self.assertIn("no picture could be read, so raw.bow stays as it was (most files are .cr2)", said)
        write_picture(self.folder / "raw" / "p.pgm", 7, 120, 90)
        said = self.index("--centroids", "models.bow", "raw", library="raw.bow")
        self.assertIn("1 described, 0 skipped, 18 ignored: 1 folder (.git), 12 .cr2, 5 .jxl, ", said)


if __name__ == "__main__":
    unittest.main()
