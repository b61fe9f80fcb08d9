"""Many pictures' descriptors in one file: extract -o all.fbin, and what it stands for."""
import json
import os
import shutil
import struct
import unittest

import numpy

from program import ProgramTest, complaints, write_picture

FLAT = "flat.pgm"
ODD = "caf\udce9 \"1\".pgm"


class Collection(ProgramTest):
    def prepare(self):
        self.names = ["p1.pgm", "sub/p0.pgm", FLAT, ODD]
        (self.folder / "sub").mkdir()
        self.write_pictures(self.names)
        (self.folder / FLAT).write_bytes(b"P5\n64 64\n255\n" + bytes(64 * 64))
        (self.folder / "bad.pgm").write_bytes(b"P5\n64 64\n255\n")
        self.run_program("extract", "-o", "all.fbin", *self.names[:2], "bad.pgm", *self.names[2:], status=1)
        self.run_program("train", "-k", "8", "-o", "c.bin", *self.names)

    def rows(self, *arguments, status=0):
        return self.run_program("--centroids", "c.bin", *arguments, status=status).stdout

    def sidecar(self):
        return json.loads((self.folder / "all.fbin.json").read_text())

    def refused(self, *words, name="all.fbin"):
        """All three verbs refuse it, in one line each, and continue."""
        for call in (["--centroids", "c.bin"], ["assign", "--centroids", "c.bin", "-o", "w.npy"], ["extract", "-o", "e"]):
            self.assert_one_line(self.run_program(*call, name, status=3).stderr, "skipped " + name, *words)
        self.run_program("--centroids", "c.bin", "--strict", name, status=3)

    def test_it_is_the_pictures_descriptors_end_to_end(self):
        self.run_program("extract", "-o", "d", *self.names)
        tables = [numpy.load(self.folder / "d" / name.replace(".pgm", ".npy")) for name in self.names]
        n, dimensions = numpy.fromfile(self.folder / "all.fbin", "<u4", 2)
        rows = numpy.fromfile(self.folder / "all.fbin", "<f4", offset=8).reshape(n, dimensions)
        numpy.testing.assert_array_equal(rows, numpy.concatenate(tables))
        sidecar = self.sidecar()
        self.assertEqual([picture["picture"] for picture in sidecar["pictures"]], self.names)
        for picture, table in zip(sidecar["pictures"], tables):
            numpy.testing.assert_array_equal(rows[picture["first"] :][: picture["descriptors"]], table)
        self.assertEqual(sidecar["pictures"][2]["descriptors"], 0)
        one = json.loads((self.folder / "d/p1.npy.json").read_text())
        self.assertEqual(sidecar["extractor"], one["extractor"])

    def test_it_stands_for_its_pictures(self):
        self.assertEqual(self.rows("all.fbin"), self.rows(*self.names))
        self.run_program("train", "-k", "8", "-o", "again.bin", "all.fbin")
        self.assertEqual((self.folder / "again.bin").read_bytes(), (self.folder / "c.bin").read_bytes())
        self.assertEqual((self.folder / "again.bin.json").read_bytes(), (self.folder / "c.bin.json").read_bytes())
        # extracted again: to one file, to a folder, which gives the pictures their paths
        self.run_program("extract", "-o", "copy.fbin", "all.fbin")
        for ending in ("", ".json"):
            self.assertEqual((self.folder / f"copy.fbin{ending}").read_bytes(), (self.folder / f"all.fbin{ending}").read_bytes())
        self.run_program("extract", "-o", "d", "all.fbin")
        self.assertTrue((self.folder / "d/sub/p0.npy").exists())
        self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "all.fbin")
        numpy.testing.assert_array_equal(numpy.bincount(numpy.load(self.folder / "w.npy"), minlength=8), sum(
            numpy.array(row.decode("latin").rsplit(",", 8)[1:], int) for row in self.rows("all.fbin").splitlines()[1:]))
        # in a folder without pictures; beside them it would count them twice
        self.assertNotIn(b"all.fbin", self.rows(".", status=1))
        (self.folder / "kept").mkdir()
        for ending in ("", ".json"):
            shutil.copy(self.folder / f"all.fbin{ending}", self.folder / f"kept/all.fbin{ending}")
        self.assertEqual(self.rows("kept"), self.rows("all.fbin"))

    def test_extracted_again_each_picture_has_a_place_whatever_its_name(self):
        long = "n" * 300
        for names, places in (
                (["..", "a.npy/b.pgm", "a.pgm", f"{long}/{long}.{long}"],
                 ["picture.npy", "a.npy_/b.npy", "a.npy", f"{long[:200]}/{long[:200]}.npy"]),
                ([f"a.{long}/b.pgm", f"a.{long}", f"a.{long}", "a/" * 3000 + "b.pgm"],
                 [f"a.{long[:19]}/b.npy", "a.npy", f"a.{long[:19]}.npy", "b.npy"])):
            sidecar = self.sidecar()
            for picture, name in zip(sidecar["pictures"], names):
                picture["picture"] = name
            (self.folder / "all.fbin.json").write_text(json.dumps(sidecar))
            self.run_program("extract", "-o", "d", "all.fbin")
            self.assertEqual(sorted(str(path.relative_to(self.folder / "d")) for path in (self.folder / "d").rglob("*.npy")),
                             sorted(places))
            shutil.rmtree(self.folder / "d")

    def test_without_its_sidecar_it_is_one_file_of_descriptors(self):
        (self.folder / "all.fbin.json").unlink()
        self.assertEqual([line.split(b",")[0] for line in self.rows("all.fbin").splitlines()[1:]], [b"all.fbin"])

    def test_what_was_made_otherwise_is_reported_once(self):
        self.run_program("extract", "--extractor", "akaze", "-o", "akaze.fbin", *self.names)
        for call in ([], ["assign", "-o", "w.npy"]):
            done = self.run_program(*call, "--centroids", "c.bin", "akaze.fbin", status=3)
            self.assert_one_line(done.stderr, "akaze.fbin: made with --extractor akaze", "dense")
        # nor do they get into one file; descriptors of unknown origin do, and then the whole file's is unknown
        done = self.run_program("extract", "-o", "mixed.fbin", "p1.pgm", "akaze.fbin", status=1)
        self.assert_one_line(done.stderr, "akaze.fbin: made with --extractor akaze", "dense")
        self.write_descriptors("plain.npy", 30)
        self.run_program("extract", "-o", "all.fbin", "p1.pgm", "plain.npy")
        self.assertEqual(self.sidecar()["extractor"]["name"], "imported")
        self.assertEqual([picture["picture"] for picture in self.sidecar()["pictures"]], ["p1.pgm", "plain.npy"])

    def test_what_does_not_fit_together_is_refused(self):
        data, sidecar = (self.folder / "all.fbin").read_bytes(), self.sidecar()
        n = struct.unpack("<I", data[:4])[0]

        def write(bytes_there=data, **changed):
            (self.folder / "all.fbin").write_bytes(bytes_there)
            (self.folder / "all.fbin.json").write_text(json.dumps({**sidecar, **changed}))

        write(data[:-4])
        self.refused(f"promises {n} rows")
        write(struct.pack("<I", n - 1) + data[4 : -4 * 64])
        self.refused(f"holds {n - 1} descriptors, but all.fbin.json records {n}")
        write(struct.pack("<II", n, 0))
        self.refused("expected at most")
        pictures = sidecar["pictures"]
        first = pictures[0]
        for pictures, name, words in (
                ([pictures[0], *pictures[2:]], "all.fbin.json", ("begins at row",)), (pictures[:-1], "all.fbin", ("but all.fbin.json",)),
                ({}, "all.fbin.json", ('"pictures": [...], found object',)), ([5], "all.fbin.json", ('"picture": text',)),
                ([{**pictures[0], "descriptors": -1}], "all.fbin.json", ('"descriptors": a whole number',)),
                ([{**pictures[0], "descriptors": 2**40}], "all.fbin.json", ("too large",)),
                ([{**first, "picture": ""}], "all.fbin.json", ('names a picture ""',)),
                ([{**first, "picture": "a\0b.jpg"}], "all.fbin.json", ("names a picture", "which no file is called")),
                ([{**first, "fingerprint": "what"}], "all.fbin.json", ('a fingerprint of "what"',))):
            with self.subTest(words=words):
                write(pictures=pictures)
                done = self.run_program("--centroids", "c.bin", "all.fbin", status=3)
                self.assert_one_line(done.stderr, "skipped " + name, *words)
        (self.folder / "all.fbin.json").write_text("{")
        self.assert_one_line(self.run_program("--centroids", "c.bin", "all.fbin", status=3).stderr, "no valid JSON")
        # a row that is no number costs its picture, no other
        bad = bytearray(data)
        bad[8 + 4 * 64 * 3 : 8 + 4 * 64 * 3 + 4] = struct.pack("<f", float("nan"))
        write(bytes(bad))
        done = self.run_program("--centroids", "c.bin", "all.fbin", status=1)
        self.assert_one_line(done.stderr, "all.fbin, picture p1.pgm: row 3 holds NaN")
        self.assertEqual(done.stdout.splitlines()[1:], self.rows(*self.names[1:]).splitlines()[1:])

    def test_it_appears_whole_or_not_at_all(self):
        before = (self.folder / "all.fbin").read_bytes()
        self.run_program("extract", "--strict", "-o", "all.fbin", "p1.pgm", "bad.pgm", status=3)
        done = self.run_program("extract", "-o", "all.fbin", "bad.pgm", "no.pgm", status=3)
        self.assertIn(b"so nothing is written", done.stderr)
        self.assertEqual((self.folder / "all.fbin").read_bytes(), before)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])
        done = self.run_program("extract", "-o", "all.fbin", "all.fbin", "p1.pgm", status=2)
        self.assert_one_line(done.stderr, "all.fbin would replace all.fbin")
        (self.folder / "none").touch()
        self.run_program("extract", "-o", "none.fbin", "--files-from", "none")
        self.assertEqual(self.rows("none.fbin").count(b"\n"), 1)

    def test_a_folder_or_list_of_one_picture_is_many(self):
        """What a script gets does not depend on how many pictures there are."""
        (self.folder / "list").write_text("sub/p0.pgm\n")
        for inputs in (["sub"], ["--files-from", "list"]):
            self.run_program("extract", "-o", "new/folder/all.fbin", *inputs)
            sidecar = json.loads((self.folder / "new/folder/all.fbin.json").read_text())
            self.assertEqual([picture["picture"] for picture in sidecar["pictures"]], ["sub/p0.pgm"])
        self.run_program("extract", "-o", "again.fbin", "new/folder/all.fbin")
        self.assertIn("pictures", json.loads((self.folder / "again.fbin.json").read_text()))
        self.run_program("extract", "-o", "one.fbin", "sub/p0.pgm")
        self.assertEqual(json.loads((self.folder / "one.fbin.json").read_text())["picture"], "sub/p0.pgm")

    def test_memory_does_not_grow_with_the_pictures(self):
        """Neither to write a file nor to read it."""
        peaks = []
        for copies in (2, 200):
            (self.folder / "list").write_text("p1.pgm\n" * copies)
            peaks.append((self.peak("extract", "-j", "2", "-o", "m.fbin", "--step", "4", "--files-from", "list"),
                          self.peak("--centroids", "c.bin", "-j", "2", "-o", "h.csv", "--batch", "1000", "m.fbin"),
                          self.peak("--centroids", "c.bin", "-j", "2", "-o", "h.npz", "--kernel", "gpu1", "--batch", "1000",
                                    "--files-from", "list")))
        self.assertGreater((self.folder / "m.fbin").stat().st_size, 60 << 20)
        for few, many in zip(*peaks):
            self.assertLess(many, few + 30)

    def links(self, pixels, count, seed=None):
        """As many pictures, which are one file."""
        (self.folder / "many").mkdir(exist_ok=True)
        (self.folder / "one.pgm").write_bytes(b"P5\n%d %d\n255\n" % pixels + bytes(pixels[0] * pixels[1]))
        if seed is not None:
            write_picture(self.folder / "one.pgm", seed, *pixels)
        for number in range(count):
            (self.folder / f"many/{number}.pgm").unlink(missing_ok=True)
            (self.folder / f"many/{number}.pgm").hardlink_to(self.folder / "one.pgm")

    def forecast(self, stderr):
        """What the first line says: how sure it is, and the bytes."""
        words = stderr.decode().split(" will hold ")[1].split(" (")[0]
        sure, number, unit = words.rsplit(" ", 2)
        return sure, float(number) * {"KB": 1e3, "MB": 1e6, "GB": 1e9}[unit]

    def test_how_large_it_will_be_is_said_before_the_first_picture(self):
        self.links((384, 288), 40)  # flat ones: nothing is found in them, which only extracting shows
        patches = sum(((384 - size) // 2 + 1) * ((288 - size) // 2 + 1) for size in (16, 32, 64))
        done = self.run_program("extract", "-o", "big.fbin", "--step", "2", "many", "bad.pgm", status=1)
        first, *others = done.stderr.decode().splitlines()
        self.assertTrue(first.startswith("bowhist: warning: big.fbin will hold at most about "), first)
        self.assertIn("skipped bad.pgm", others[0])
        sure, most = self.forecast(done.stderr)
        self.assertAlmostEqual(most / (41 * patches * 256), 1, delta=0.05)
        # a larger picture counts as it is extracted; less descriptors are less
        self.links((3840, 2880), 40)
        quick = ["--max-side", "384", "--step", "2"]
        self.assertEqual(self.forecast(self.run_program("extract", "-o", "big.fbin", *quick, "many").stderr)[0], sure)
        done = self.run_program("extract", "-o", "big.fbin", "--max-descriptors", "1000", "many")
        self.assertEqual([line for line in complaints(done.stderr) if "will hold" in line], [])
        done = self.run_program("extract", "-v", "-o", "big.fbin", "--max-descriptors", "1000", "many")
        self.assertEqual(self.forecast(done.stderr), ("at most about", 10e6))

    def test_of_detectors_the_first_pictures_show_how_large_it_will_be(self):
        self.links((240, 180), 40, seed=3)
        done = self.run_program("extract", "-v", "-o", "surf.fbin", "--extractor", "surf", "many")
        sure, forecast = self.forecast(done.stderr)
        self.assertEqual(sure, "about")
        self.assertAlmostEqual(forecast / (self.folder / "surf.fbin").stat().st_size, 1, delta=0.06)
        # of descriptors it is known
        done = self.run_program("extract", "-v", "-o", "again.fbin", "surf.fbin")
        self.assertAlmostEqual(self.forecast(done.stderr)[1] / (self.folder / "surf.fbin").stat().st_size, 1, delta=0.06)

    def test_assign_holds_a_large_file_once(self):
        numpy.save(self.folder / "small.npy", numpy.zeros((1000, 64), "<f4"))
        numpy.save(self.folder / "large.npy", numpy.zeros((3 << 19, 64), "<f4"))  # 384 MiB
        small, large = (self.peak("assign", "--centroids", "c.bin", "--kernel", "simd", "-o", "w.npy", name)
                        for name in ("small.npy", "large.npy"))
        self.assertLess(large - small, 384 * 1.5)

    def test_endings_say_what_is_written(self):
        for name in ("x.npy", "x.npz", "x.fvecs"):
            done = self.run_program("extract", "-o", name, *self.names, status=2)
            self.assert_one_line(done.stderr, name + " holds one picture, but there are 4", ".fbin")
        for name in ("one.txt", "one.jsonl", "ONE.CSV"):
            done = self.run_program("extract", "-o", name, "p1.pgm", status=2)
            self.assert_one_line(done.stderr, ".npy, .npz, .fvecs or .fbin", f"{name}/ would be one")
            self.assertFalse((self.folder / name).exists())
        for name in ("one.txt/", "one.txt", "photos.d", "2024.05", "v1.2"):  # the second is there by now
            self.run_program("extract", "-o", name, "p1.pgm")
            self.assertTrue((self.folder / name / "p1.npy").exists())


if __name__ == "__main__":
    unittest.main()
