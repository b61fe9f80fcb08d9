"""A library on a file system without locks or shared memory (CIFS, NFS, FUSE), and one whose path is long."""
import contextlib
import errno
import os
import shutil
import sqlite3
import subprocess
import time
import unittest

from library_test import LibraryTest
from program import write_picture
from server import Server

# The system's calls stand in for such a file system. NO_LOCKS and NO_FLOCKS hold the error that they end with.
SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

static int fails(const char *variable) {
    const char *error = getenv(variable);
    if (error) errno = atoi(error);
    return error != 0;
}
int fcntl64(int file, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if ((command == F_SETLK || command == F_GETLK) && fails("NO_LOCKS")) return -1;
    return ((int (*)(int, int, void *))dlsym(RTLD_NEXT, "fcntl64"))(file, command, argument);
}
int fcntl(int file, int command, ...) __attribute__((alias("fcntl64")));
int flock(int file, int operation) {
    return fails("NO_FLOCKS") ? -1 : ((int (*)(int, int))dlsym(RTLD_NEXT, "flock"))(file, operation);
}
void *mmap64(void *at, size_t size, int protection, int flags, int file, off64_t offset) {
    char place[64], name[4096];
    snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    ssize_t length = file < 0 ? 0 : readlink(place, name, sizeof name);
    if (length > 4 && memcmp(name + length - 4, "-shm", 4) == 0 && fails("NO_MEMORY")) return MAP_FAILED;
    return ((void *(*)(void *, size_t, int, int, int, off64_t))dlsym(RTLD_NEXT, "mmap64"))(at, size, protection, flags, file, offset);
}
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) __attribute__((alias("mmap64")));
"""
NO_LOCKS = "its file system keeps no locks"
NO_MEMORY = "its file system shares no memory between processes"
READ_AS_IT_STANDS = "so it is read as it stands; let no run write it meanwhile"
REMEDY = "keep it on a local disk (the photos may stay where they are)"


@unittest.skipUnless(shutil.which("cc"), "nothing stands in for such a file system")
class Unshared(LibraryTest):
    def prepare(self):
        (self.folder / "shim.c").write_text(SOURCE)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "shim.so", "shim.c", "-ldl"], cwd=self.folder, check=True)

    def setUp(self):
        super().setUp()
        if subprocess.run([os.environ["BOWHIST"], "--version"], env={**os.environ, **self.without()}, capture_output=True).returncode:
            self.skipTest("the address sanitizer takes no library before its own")
        self.make()
        self.whole = (self.folder / "p.bow").read_bytes()

    def without(self, **errors):
        return {"LD_PRELOAD": str(self.folder / "shim.so"), **{name: str(error) for name, error in errors.items()}}

    def said(self, *arguments, status=0, **errors):
        return self.run_program(*arguments, status=status, environment=self.without(**errors)).stderr.decode()

    def assert_refused(self, said, reason):
        self.assert_one_line(said.encode(), reason, REMEDY)
        self.assertNotIn("another run", said)

    def test_writers_name_what_is_missing(self):
        for error in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL):
            for kind in ("NO_LOCKS", "NO_FLOCKS"):
                reason = f"{NO_LOCKS} ({os.strerror(error)})"
                start = time.monotonic()
                self.assert_refused(self.said("index", "-o", "p.bow", status=3, **{kind: error}), f"p.bow: {reason}")
                self.assert_refused(self.said("index", "-o", "new.bow", "photos", status=3, **{kind: error}), f"new.bow: {reason}")
                self.assertLess(time.monotonic() - start, 4)  # nothing waits for another run
        self.assert_refused(self.said("index", "-o", "p.bow", status=3, NO_MEMORY=errno.ENODEV), NO_MEMORY)
        self.assertEqual([path.name for path in self.folder.glob("new.bow*")], [])
        self.assertEqual((self.folder / "p.bow").read_bytes(), self.whole)

    def test_readers_take_it_as_it_stands(self):
        expected = self.export()
        for errors in ({"NO_LOCKS": errno.ENOLCK}, {"NO_LOCKS": errno.EINVAL}, {"NO_MEMORY": errno.ENODEV}):
            with self.subTest(errors):
                for call in (["status", "p.bow"], ["search", "p.bow", "photos/p0.pgm"], ["show", "p.bow", "--html", "w.html"],
                             ["duplicates", "p.bow"], ["index", "--dry-run", "-o", "p.bow", "photos"]):
                    said = self.said(*call, **errors)
                    self.assertEqual(said.count(READ_AS_IT_STANDS), 1, said)
                for table, what in zip(expected, ("words", "code"), strict=True):
                    self.said("export", "p.bow", "--what", what, "-o", "e.csv", **errors)
                    self.assertEqual((self.folder / "e.csv").read_bytes(), table)
                self.assertEqual((self.folder / "p.bow").read_bytes(), self.whole)

    def test_groups_are_written_elsewhere(self):
        for kind in ("NO_LOCKS", "NO_FLOCKS"):
            said = self.said("cluster", "p.bow", "-k", "2", "--method", "kmeans", "-o", "g.csv", **{kind: errno.ENOLCK})
            self.assertIn("so that it does not keep these groups", said)
            self.assertEqual(len((self.folder / "g.csv").read_text().splitlines()), 7)
            (self.folder / "g.csv").unlink()
            self.assertIn(REMEDY, self.said("cluster", "p.bow", "-k", "2", "--method", "kmeans", status=3, **{kind: errno.ENOLCK}))

    def test_a_log_beside_it_is_not_left_out(self):
        with contextlib.closing(sqlite3.connect(self.folder / "p.bow", isolation_level=None)) as writer:
            writer.execute("UPDATE about SET checksum = checksum + 1")
            self.assertGreater((self.folder / "p.bow-wal").stat().st_size, 0)
            self.assert_one_line(self.said("status", "p.bow", status=3, NO_LOCKS=errno.ENOLCK).encode(), "p.bow-wal", NO_LOCKS)

    def test_a_server_sees_that_the_file_changed(self):
        with Server("p.bow", "--kernel", "simd", folder=self.folder, environment=self.without(NO_LOCKS=errno.ENOLCK)) as server:
            self.assertEqual(server.json("/api/status")["images"], 6)
            write_picture(self.photos / "more.pgm", 9, 120, 90)
            self.index()
            end = time.monotonic() + 20
            while server.json("/api/status")["images"] != 7:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.1)


class LongPath(LibraryTest):
    def test_it_names_the_limit_of_sqlite(self):
        self.make()
        folder = self.folder.resolve()
        while len(str(folder)) < 400:
            folder /= "d" * 90
        folder.mkdir(parents=True)
        for length in (504, 505, 600):
            library = folder / ("x" * (length - len(str(folder)) - 1))
            shutil.copy(self.folder / "p.bow", library)
            if length == 504:
                self.run_program("status", str(library))
                continue
            for place in (str(library), os.path.relpath(library, self.folder)):
                for call in (["status", place], ["index", "-o", place, "photos"]):
                    said = self.run_program(*call, status=3).stderr
                    self.assert_one_line(said, f"its whole path has {length} bytes", "SQLite opens no more than 504")
            library.unlink()
            self.run_program("index", "-o", str(library), "photos", status=3)
            self.assertFalse(library.exists())


if __name__ == "__main__":
    unittest.main()
