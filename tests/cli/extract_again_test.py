"""extract -o DIR/ run again keeps what is current, and makes only what is missing or outdated."""
import json
import os
import signal
import subprocess
import time
import unittest

import numpy

from program import ProgramTest, complaints, write_picture

NAMES = ("a.pgm", "b.pgm", "sub/c.pgm")


class ExtractAgain(ProgramTest):
    def prepare(self):
        (self.folder / "in/sub").mkdir(parents=True)
        for seed, name in enumerate(NAMES):
            write_picture(self.folder / "in" / name, seed)
        self.extract()

    def extract(self, *options, inputs=("in",), read=3, kept=0, skipped=0, output="d"):
        before = self.inodes(output)
        done = self.run_program("extract", "-o", output, "-v", *options, *inputs, status=1 if skipped else 0)
        *lines, last = done.stderr.decode().splitlines()
        self.assertIn(f" {read + kept} read, {skipped} skipped, ", last)
        printed = [line for line in lines if "had current descriptors already, which are kept" in line]
        self.assertEqual([int(line.split()[1]) for line in printed], [kept] if kept else [])
        after = self.inodes(output)
        self.assertEqual(sum(after[path] != before.get(path) for path in after), 2 * read)
        return done

    def place(self, name):
        return self.folder / "d" / name.replace(".pgm", ".npy")

    def inodes(self, output="d"):
        """Which files are there: one that is written again is another one, with another time."""
        return {path: (path.stat().st_ino, path.stat().st_mtime_ns)
                for path in (self.folder / output).rglob("*") if path.is_file()}

    def test_what_is_current_is_kept(self):
        self.extract(read=0, kept=3)
        self.assertEqual(complaints(self.run_program("extract", "-o", "d", "in").stderr), [])
        # whatever the options' order and spelling, and as files of their own
        self.extract("--extractor", "dense", "--step", "0", inputs=["in/b.pgm", "in/sub/c.pgm"], output="e", read=2)
        self.extract(inputs=["in/b.pgm", "in/sub/c.pgm"], output="e", read=0, kept=2)

    def test_nothing_is_decoded_for_what_is_kept(self):
        """A picture that is no longer one, of the same size and time, is not looked at."""
        path = self.folder / "in/a.pgm"
        times = path.stat()
        path.write_bytes(bytes(times.st_size))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.extract(read=0, kept=3)

    def test_what_changed_is_made_again(self):
        def touch(name):
            os.utime(self.folder / "in" / name)

        def rewrite(name):
            """Another picture at the same time, which has another size."""
            path = self.folder / "in" / name
            times = path.stat()
            write_picture(path, 9, 100, 100)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

        def other_moment(name):
            times = (self.folder / "in" / name).stat()
            os.utime(self.folder / "in" / name, ns=(times.st_atime_ns, times.st_mtime_ns + 1))

        def cut(name):
            with open(self.place(name), "r+b") as file:
                file.truncate(self.place(name).stat().st_size - 256)

        def edit(name):
            rows = numpy.load(self.place(name))
            rows[3, 5] += 1
            numpy.save(self.place(name), rows)

        def sidecar(**changed):
            def change(name):
                path = self.place(name).with_suffix(".npy.json")
                recorded = json.loads(path.read_text())
                for key, value in changed.items():
                    if value is None:
                        del recorded[key]
                    else:
                        recorded[key] = value
                path.write_text(json.dumps(recorded))
            return change

        def of_another_file(name):
            sidecar(picture="in/other.pgm")(name)

        changes = [touch, rewrite, other_moment, cut, edit, of_another_file, lambda name: self.place(name).unlink(),
                   lambda name: self.place(name).with_suffix(".npy.json").unlink(),
                   lambda name: self.place(name).with_suffix(".npy.json").write_text("{"), sidecar(source=None),
                   sidecar(version="0.0.9"), sidecar(version=None), sidecar(fingerprint="0"), sidecar(fingerprint=5),
                   sidecar(source="flickr"), sidecar(source={"bytes": -1, "modified": 0})]
        for change in changes:
            with self.subTest(change):
                change("b.pgm")
                self.extract(read=1, kept=2)
                fresh = self.run_program("extract", "-o", "one.npy", "in/b.pgm")
                self.assertEqual(complaints(fresh.stderr), [])
                self.assertEqual(self.place("b.pgm").read_bytes(), (self.folder / "one.npy").read_bytes())
                self.extract(read=0, kept=3)

    def test_another_recipe_is_made_again(self):
        for options in (["--max-descriptors", "20"], ["--max-side", "100"], ["--equalize"], ["--blur", "1.5"],
                        ["--filter", "sobel-x"], ["--threshold", "0.37"], ["--extractor", "surf", "--octaves", "3"], ["--enlarge"],
                        ["--extractor", "surf", "--max-descriptors", "50", "--spread", "3"], []):
            with self.subTest(options):
                self.extract(*options)
                self.extract(*options, read=0, kept=3)

    def test_other_verbs_do_not_care(self):
        """A sidecar of today says more, one of an older version less; both are sidecars."""
        rows = self.run_program("train", "-k", "4", "-o", "c.bin", "d") and (self.folder / "c.bin").read_bytes()
        for path in (self.folder / "d").rglob("*.json"):
            recorded = json.loads(path.read_text())
            self.assertEqual(set(recorded), {"picture", "extractor", "source", "fingerprint", "version"})
            path.write_text(json.dumps({"picture": recorded["picture"], "extractor": recorded["extractor"]}))
        self.run_program("train", "-k", "4", "-o", "c.bin", "d")
        self.assertEqual((self.folder / "c.bin").read_bytes(), rows)

    def test_new_and_bad_pictures(self):
        write_picture(self.folder / "in/new.pgm", 7)
        (self.folder / "in/bad.pgm").write_bytes(b"P5\n64 64\n255\n")
        self.extract(read=1, kept=3, skipped=1)
        self.extract(read=0, kept=4, skipped=1)
        # a bad picture takes its place, so that a good one of its name stays where it is
        (self.folder / "in/bad.png").write_bytes((self.folder / "in/a.pgm").read_bytes())
        self.extract(read=1, kept=4, skipped=1)
        self.assertTrue((self.folder / "d/bad.png.npy").exists())
        write_picture(self.folder / "in/bad.pgm", 8)
        self.extract(read=1, kept=5)

    def test_a_picture_without_descriptors_is_named_again(self):
        (self.folder / "in/flat.pgm").write_bytes(b"P5\n64 64\n255\n" + bytes(64 * 64))
        for _ in range(2):  # one without any is made again, to say why
            recorded = self.extract(read=1, kept=3).stderr
            self.assertIn(b"bowhist: in/flat.pgm: 0 descriptors\n", recorded)
            self.assertIn(b"1 of 4 inputs has fewer than 50 descriptors, 1 of them none", recorded)

    def test_a_drawing_is_made_each_time(self):
        for _ in range(2):
            done = self.run_program("extract", "-o", "d/", "--draw", "x.png", "in/a.pgm")
            self.assertIn(b" 1 read, 0 skipped, ", done.stderr)
            (self.folder / "x.png").unlink()

    def test_a_killed_run_resumes(self):
        for number in range(60):
            write_picture(self.folder / "in" / f"p{number:02}.pgm", number, 600, 600)
        process = subprocess.Popen([os.environ["BOWHIST"], "extract", "-j", "1", "-o", "d", "in"], cwd=self.folder,
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None and not (self.folder / "d/p03.npy.json").exists():
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        self.assertEqual(process.wait(), -signal.SIGKILL)
        before = self.inodes()
        self.assertIn(b" 63 read, 0 skipped, ", self.run_program("extract", "-o", "d", "in").stderr)
        after = self.inodes()
        self.assertGreaterEqual(sum(after[path] == before.get(path) for path in after), 14)
        self.assertGreaterEqual(sum(path not in before for path in after), 2)
        self.run_program("extract", "-o", "fresh", "in")
        for path in (self.folder / "fresh").rglob("*.npy*"):
            self.assertEqual(path.read_bytes(), (self.folder / "d" / path.relative_to(self.folder / "fresh")).read_bytes())
        self.assertEqual([name for name in os.listdir(self.folder / "d") if name.startswith(".")], [])


if __name__ == "__main__":
    unittest.main()
