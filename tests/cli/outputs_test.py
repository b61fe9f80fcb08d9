"""Outputs that resist: mount points, folders that take no new file, names that a file system cannot hold."""
import os
import shutil
import subprocess
import unittest

from program import ProgramTest, write_picture

MOUNTS = shutil.which("unshare") and subprocess.run(
    ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0


class Outputs(ProgramTest):
    def prepare(self):
        self.write_pictures(("a.pgm", "b.pgm"))
        self.write_centroids(k=8)
        self.write_descriptors("d.npy", 40)
        self.run_program("--centroids", "c.bin", "--extractor", "dense", "-o", "in.npz", "a.pgm", "b.pgm")

    def run_mounted(self, mounts, *arguments, status=0, **options):
        """Runs the program where `mounts`, lines of shell, were done, which nothing else sees."""
        script = "set -e\n" + mounts + '\nexec "$@"'
        program = os.environ["BOWHIST"]
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", program, *arguments], cwd=self.folder,
                              capture_output=True, timeout=300, **options)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stderr!r}")
        return done

    def temporary(self):
        return [path for path in self.folder.rglob(".bowhist*")]


@unittest.skipUnless(MOUNTS, "nothing can be mounted here")
class MountPoints(Outputs):
    CALLS = (
        *((["--centroids", "c.bin", "--extractor", "dense", "a.pgm", "b.pgm", "-o"], f"h{ending}")
          for ending in (".csv", ".npy", ".npz", ".jsonl", ".svm", ".fbin", ".fvecs")),
        (["train", "-k", "4", "a.pgm", "b.pgm", "-o"], "t.bin"),
        (["train", "-k", "4", "a.pgm", "-o", "u.bin", "--plot"], "p.svg"),
        (["train", "-k", "4", "a.pgm", "-o", "u.bin", "--checkpoint"], "t.npz"),
        (["extract", ".", "-o"], "all.fbin"),
        *((["extract", "a.pgm", "-o"], f"x{ending}") for ending in (".npy", ".npz", ".fvecs", ".fbin")),
        (["assign", "--centroids", "c.bin", "d.npy", "-o"], "w.npy"),
        (["cluster", "-k", "1", "in.npz", "-o"], "g.csv"),
        (["cluster", "-k", "1", "in.npz", "-o", "g2.csv", "--html"], "g.html"),
        (["filter", "a.pgm", "--equalize", "-o"], "o.png"),
        (["filter", "a.pgm", "--integral"], "i.npy"),
    )

    def fresh(self, call, name, status=0):
        """What the call writes where nothing is in its way: the file, and its sidecar if it has one."""
        self.run_program(*call, name, status=status)
        pair = [self.folder / name, self.folder / (name + ".json")]
        bytes_there = [path.read_bytes() for path in pair if path.exists()]
        for path in pair:
            path.unlink(missing_ok=True)
        return bytes_there

    def test_every_output_is_written_in_place(self):
        """The file and its sidecar, each a mount point: of a longer file or a shorter one, in turn."""
        for number, (call, name) in enumerate(self.CALLS):
            with self.subTest(name):
                expected = self.fresh(call, name)
                old = (b"", b"old" * 100000)[number % 2]
                if name == "t.npz":  # a checkpoint is read first
                    self.run_program(*call, name)
                    old = (self.folder / name).read_bytes()
                mounts = ""
                for place in (name, name + ".json")[: len(expected)]:
                    (self.folder / place).write_bytes(b"")
                    (self.folder / ("real-" + place)).write_bytes(old)
                    mounts += f"mount --bind real-{place} {place}\n"
                self.run_mounted(mounts, *call, name)
                self.assertEqual([(self.folder / ("real-" + place)).read_bytes()
                                  for place in (name, name + ".json")[: len(expected)]], expected)
                self.assertEqual(self.temporary(), [])
                for place in self.folder.glob("real-*"):
                    place.unlink()

    def test_a_folder_that_takes_no_new_file(self):
        """As in a container whose file system is read-only, but for the mounted file."""
        expected = self.fresh(*self.CALLS[2])
        (self.folder / "out").mkdir()
        (self.folder / "out/h.npz").write_bytes(b"")
        (self.folder / "real").write_bytes(b"old")
        mounts = "mount --bind out out\nmount -o remount,ro,bind out out\nmount --bind real out/h.npz"
        self.run_mounted(mounts, *self.CALLS[2][0], "out/h.npz")
        self.assertEqual((self.folder / "real").read_bytes(), expected[0])
        done = self.run_mounted(mounts, *self.CALLS[2][0], "out/new.npz", status=3)
        self.assert_one_line(done.stderr, "out/new.npz: cannot be created", "Read-only")
        done = self.run_mounted(mounts, "index", "-o", "out/new.bow", "a.pgm", status=3)
        self.assert_one_line(done.stderr, "out/new.bow: cannot be opened to write", "Read-only")
        done = self.run_mounted(mounts, *self.CALLS[2][0], "out/h.npz", status=3,
                                env={**os.environ, "TMPDIR": str(self.folder / "out")})
        self.assert_one_line(done.stderr, "out/h.npz: cannot be created", "Read-only")

    def test_what_cannot_be_written_is_refused_before_the_first_picture(self):
        for call, name in self.CALLS:
            if name in ("h.csv", "t.bin", "all.fbin", "x.npz", "g.csv", "w.npy"):
                pair = [self.folder / name, self.folder / (name + ".json")]
                for path in pair:
                    path.write_bytes(b"{}")
                for read_only in pair[: 2 if name in ("t.bin", "all.fbin") else 1]:
                    with self.subTest(read_only.name):
                        mounts = f"mount --bind {read_only.name} {read_only.name}\nmount -o remount,ro,bind {read_only.name}"
                        before = [path.read_bytes() for path in pair]
                        asked = [f"missing{argument[-4:]}" if argument.endswith((".pgm", "d.npy")) else argument for argument in call]
                        done = self.run_mounted(mounts, *asked, name, status=3)
                        self.assert_one_line(done.stderr, read_only.name + ": cannot be replaced", "Read-only")
                        self.assertEqual([path.read_bytes() for path in pair], before)
                for path in pair:
                    path.unlink()

    def test_a_full_disk_leaves_what_was_there(self):
        """Of pairs, too: the old file with its old sidecar."""
        (self.folder / "disk").mkdir()
        for call, name in ((["extract", ".", "-o"], "all.fbin"), (self.CALLS[2][0], "h.npz")):
            with self.subTest(name):
                for place in (name, name + ".json"):
                    (self.folder / place).write_bytes(b"")
                if name == "all.fbin":
                    self.run_program("extract", "--max-descriptors", "3", "-o", name, ".")
                (self.folder / "old").write_bytes((self.folder / name).read_bytes())
                sidecar = (self.folder / (name + ".json")).read_bytes()
                mounts = ("mount -t tmpfs -o size=8k none disk\ncp old disk/real\nhead -c 4096 /dev/zero > disk/filler\n"
                          f"mount --bind disk/real {name}\n")
                script = mounts + f'"$@" && exit 1; status=$?; cp {name} after; exit $status'
                program = os.environ["BOWHIST"]
                if name == "h.npz":
                    call = [*call[:1], "big.bin", *call[2:]]
                    self.write_centroids("big.bin", k=3000)
                done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", program, *call, name], cwd=self.folder,
                                      capture_output=True)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assert_one_line(done.stderr, name + ": cannot be written", "No space left")
                self.assertEqual((self.folder / "after").read_bytes(), (self.folder / "old").read_bytes())
                self.assertEqual((self.folder / (name + ".json")).read_bytes(), sidecar)


@unittest.skipUnless(MOUNTS, "nothing can be mounted here")
class Room(Outputs):
    def test_a_disk_that_is_too_small_is_reported_first(self):
        (self.folder / "disk").mkdir()
        done = self.run_mounted("mount -t tmpfs -o size=1m none disk", "extract", "-o", "disk/all.fbin", ".", status=3)
        warning, error = done.stderr.decode().splitlines()
        self.assertIn("disk/all.fbin will hold at most about ", warning)
        self.assertIn("and its disk has 1.0 MB left", warning)
        self.assertIn("disk/all.fbin: cannot be written: No space left", error)


class Empty(Outputs):
    def test_an_output_without_a_name_is_wrong_usage(self):
        """As -o "$UNSET" gives it. In particular it is not standard output."""
        for call in (["--centroids", "c.bin", "a.pgm", "-o"], ["train", "-k", "2", "a.pgm", "-o"], ["extract", "a.pgm", "-o"],
                     ["extract", "a.pgm", "-o", "d", "--draw"], ["assign", "--centroids", "c.bin", "d.npy", "-o"],
                     ["cluster", "-k", "1", "in.npz", "-o"], ["cluster", "-k", "1", "in.npz", "-o", "g.csv", "--html"],
                     ["filter", "a.pgm", "--equalize", "-o"], ["filter", "a.pgm", "--histogram"], ["filter", "a.pgm", "--integral"],
                     ["train", "-k", "2", "a.pgm", "-o", "t.bin", "--plot"], ["bench", "transpose", "--plot"],
                     ["train", "-k", "2", "a.pgm", "-o", "t.bin", "--checkpoint"], ["kernels", "--dump"]):
            with self.subTest(call):
                done = self.run_program(*call, "", status=2)
                self.assertEqual(done.stdout, b"")
                self.assert_one_line(done.stderr, f"{call[-1]} takes a name, and this one is empty")
        for call in (["train", "-k", "2", "a.pgm"], ["extract", "a.pgm"], ["assign", "--centroids", "c.bin", "d.npy"],
                     ["cluster", "-k", "1", "in.npz"], ["filter", "a.pgm", "--equalize"]):
            self.run_program(*call, "--output=", status=2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.pgm", "b.pgm", "c.bin", "d.npy", "in.npz"])


class Names(Outputs):
    def test_a_path_too_long_costs_its_picture_a_line(self):
        deep = "/".join(["f" * 200] * 4)
        output = "/".join([str(self.folder)] + ["o" * 200] * 16)
        output += "/" + "p" * (4096 - 900 - len(output))
        (self.folder / "in" / deep).mkdir(parents=True)
        os.makedirs(self.folder / "in/b")
        write_picture(self.folder / "in" / deep / ("n" * 150 + ".pgm"), 1)
        for name in ("in/a.pgm", "in/b/c.pgm"):
            write_picture(self.folder / name, 2)
        done = self.run_program("extract", "-o", output + "/", "in", status=1)
        self.assert_one_line(done.stderr, "skipped ", "nnn", "too long")
        self.assertIn(b" 2 read, 1 skipped, ", done.stderr)
        there = subprocess.run(["find", self.folder / ("o" * 200), "-name", "*.npy"], capture_output=True, text=True).stdout.split()
        self.assertEqual(sorted(os.path.basename(path) for path in there), ["a.npy", "c.npy"])
        self.run_program("extract", "--strict", "-o", output + "/", "in", status=3)

    def test_long_names_are_cut_between_letters(self):
        """Some file systems take UTF-8 only."""
        (self.folder / "in").mkdir()
        for name in ("\u00e9" * 120 + ".pgm", "x" + "\u00e9" * 120 + ".pgm", "\u20ac" * 80 + ".pgm", "y" * 251):
            write_picture(self.folder / "in" / name, 1)
        self.run_program("extract", "-o", "out/", *(os.path.join("in", name) for name in os.listdir(self.folder / "in")))
        places = os.listdir(os.fsencode(self.folder / "out/in"))
        self.assertEqual(len(places), 8)
        for place in places:
            place.decode("utf-8")

    @unittest.skipUnless(shutil.which("cc"), "nothing stands in for such a file system")
    def test_letters_that_a_file_system_would_not_take(self):
        """The system's calls stand in for one, as FAT and NTFS answer."""
        (self.folder / "fat.c").write_text(
            "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <errno.h>\n#include <string.h>\n#include <sys/types.h>\n"
            'static int bad(const char *path) { if (!strpbrk(path, ":?<>|*")) return 0; errno = EINVAL; return 1; }\n'
            "int rename(const char *a, const char *b) {\n"
            '    return bad(b) ? -1 : ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(a, b); }\n'
            "int mkdir(const char *a, mode_t m) {\n"
            '    return bad(a) ? -1 : ((int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir"))(a, m); }\n')
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "fat.so", "fat.c", "-ldl"], cwd=self.folder, check=True)
        for name in ("in/2024-01-01 12:30:05.pgm", "in/what?.pgm", "in/plain.pgm", "in/sub:1/x.pgm", "in/z<|>*\".pgm"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_picture(self.folder / name, 1)
        done = self.run_program("extract", "-o", "d/", "in", status=1, environment={"LD_PRELOAD": str(self.folder / "fat.so")})
        *lines, last = done.stderr.decode().splitlines()
        for line, name in zip(lines, ("12:30:05", "sub:1", "what?", "z<|>"), strict=True):
            self.assertIn("skipped in/", line)
            self.assertIn(name, line)
            self.assertIn("Invalid argument; its file system takes no such name", line)
        self.assertIn(" 1 read, 4 skipped, ", last)

    @unittest.skipUnless(MOUNTS, "nothing can be mounted here")
    def test_a_full_disk_ends_the_run(self):
        (self.folder / "disk").mkdir()
        done = self.run_mounted("mount -t tmpfs -o size=64k none disk", "extract", "-o", "disk/d", "a.pgm", "b.pgm", status=3)
        self.assert_one_line(done.stderr, "a.npy: cannot be written", "No space left")
        done = self.run_mounted("mount -t tmpfs -o ro none disk", "extract", "-o", "disk/d", "a.pgm", "b.pgm", status=3)
        self.assert_one_line(done.stderr, "disk/d: ", "Read-only")


if __name__ == "__main__":
    unittest.main()
