"""What people bring instead of what was asked for: one line names it, and what to do."""
import io
import os
import pathlib
import shutil
import struct
import subprocess
import unittest
import zipfile
import zlib

import numpy

from program import ProgramTest, complaints, write_picture, write_vocabulary

ROWS = numpy.random.default_rng(1).standard_normal((40, 64)).astype("<f4")
HISTOGRAMS = "image,descriptors,w0,w1\na.jpg,3,1,2\nb.jpg,4,4,0\n"


def zipped(**entries):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return archive.getvalue()


class Messages(ProgramTest):
    def prepare(self):
        write_picture(self.folder / "a.pgm", 1)
        self.run_program("train", "-k", "4", "-o", "c.bin", "a.pgm")
        numpy.save(self.folder / "good.npy", ROWS)

    def write(self, name, content):
        (self.folder / name).write_bytes(content)

    def refused(self, name, *words):
        """As INPUT, as a vocabulary and as histograms the file is named for what it is, and costs nothing else."""
        done = self.run_program("--centroids", "c.bin", name, "good.npy", status=1)
        self.assertEqual(done.stdout.count(b"\n"), 2)
        self.assert_one_line(done.stderr, f"skipped {name}: ", *words)
        self.assert_one_line(self.run_program("--centroids", name, "good.npy", status=3).stderr, f"{name}: ", *words)
        if not name.endswith(".jpg"):  # cluster takes that for a picture, as INPUT is
            self.assert_one_line(self.run_program("cluster", "-k", "1", "-o", "g.csv", name, status=3).stderr, f"{name}: ", *words)

    def test_what_is_brought_instead_is_named(self):
        """A few of each reader's (tests/files/foreign_file_test.cpp has all), and archives."""
        kinds = {
            "a Git LFS pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
            "900 bytes, all of them zero": bytes(900),
            "an Excel file": zipped(**{"[Content_Types].xml": "", "xl/workbook.xml": ""}),
            "a zip archive of pictures (2 of 3 entries)": zipped(**{"a.jpg": "", "b.PNG": "", "c.txt": ""}),
            "a file of PyTorch": zipped(**{"archive/data.pkl": ""}),
            "rows of 64 bytes as in .bvecs": b"".join(struct.pack("<i", 64) + os.urandom(64) for _ in range(10)),
        }
        for what, content in kinds.items():
            for name in ("x.jpg", "x.dat"):
                with self.subTest(what, name=name):
                    self.write(name, content)
                    self.refused(name, what)

    def test_a_descriptor_file_of_another_kind_is_named(self):
        for ending in (".npy", ".fbin", ".fvecs", ".npz"):
            for what, content in (("a web page", b"<html>" + b" " * 500), ("git lfs pull", b"version https://git-lfs.github.com/spec/v1\n"),
                                  ("all of them zero", bytes(900)), ("a JPEG picture", b"\xff\xd8\xff\xe0" + os.urandom(99))):
                with self.subTest(what, ending=ending):
                    self.write("x" + ending, content)
                    done = self.run_program("--centroids", "c.bin", "x" + ending, "good.npy", status=1)
                    self.assert_one_line(done.stderr, f"skipped x{ending}: is no descriptor file but", what)

    def test_a_collection_that_is_another_file(self):
        write_picture(self.folder / "p.pgm", 1)
        self.run_program("extract", "-o", "all.fbin", "p.pgm", "p.pgm")
        self.write("all.fbin", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
        self.assert_one_line(self.run_program("--centroids", "c.bin", "all.fbin", "good.npy", status=1).stderr, "git lfs pull")

    def test_archives_list_their_entries(self):
        numpy.savez(self.folder / "x.npz", ROWS, labels=numpy.arange(40))
        entries = "labels ('<i8' of shape (40,)), arr_0 ('<f4' of shape (40, 64))"
        for call, status, wanted in ((["--centroids", "c.bin", "x.npz"], 3, "descriptors="),
                                     (["cluster", "-k", "1", "-o", "g.csv", "x.npz"], 3, "histograms="),
                                     (["--centroids", "x.npz", "good.npy"], 3, "numpy.save('c.npy'")):
            printed = self.run_program(*call, status=status).stderr
            self.assert_one_line(printed, *entries.split(", ", 1)[0].split(" (")[:1], "arr_0 ('<f4' of shape (40, 64))", wanted)
        (self.folder / "x.npz").rename(self.folder / "x.jpg")
        self.assert_one_line(self.run_program("--centroids", "c.bin", "x.jpg", status=3).stderr, "archive of NumPy", ".npz")

    def test_the_advice_for_rows_of_bytes_works(self):
        values = numpy.random.default_rng(1).integers(0, 256, (30, 64)).astype("u1")
        self.write("x.bvecs", b"".join(struct.pack("<i", 64) + row.tobytes() for row in values))
        self.write("x.u8bin", struct.pack("<II", *values.shape) + values.tobytes())
        for f in ("x.bvecs", "x.u8bin"):
            printed = self.run_program("--centroids", "c.bin", f, status=3).stderr.decode().splitlines()[0]
            call = printed[printed.index("numpy.save("):]
            subprocess.run([shutil.which("python3", path="/usr/bin"), "-c", f"import numpy; f = '{f}'; {call}"], cwd=self.folder, check=True)
            self.assertTrue((numpy.load(self.folder / "x.npy") == values).all())
            self.run_program("--centroids", "c.bin", "x.npy")

    def test_tables_of_spreadsheets_and_pandas_are_read(self):
        self.write("h.csv", HISTOGRAMS.encode())
        expected = self.run_program("cluster", "-k", "2", "-o", "-", "h.csv").stdout
        indexed = "".join(f"{number},{line}\n" for number, line in zip(["", 0, 1], HISTOGRAMS.splitlines()))
        for text in (HISTOGRAMS.replace(",", ";").encode("utf-16"), indexed.encode("utf-8-sig")):
            self.write("h.csv", text)
            self.assertEqual(self.run_program("cluster", "-k", "2", "-o", "-", "h.csv").stdout, expected)
            self.assertEqual(self.run_program("cluster", "-k", "2", "-o", "-", "-", input=text).stdout, expected)

    def test_what_is_read_is_listed_where_a_picture_is_unknown(self):
        self.write("x.jpg", b"no picture\x07 at all")
        printed = self.run_program("--centroids", "c.bin", "x.jpg", status=3).stderr
        self.assert_one_line(printed, "no picture that bowhist knows", "JPEG")
        readme = pathlib.Path(__file__).parents[2].joinpath("README.md").read_text()
        for name in printed.decode().split("it reads ")[1].splitlines()[0].replace(" and ", ", ").split(", "):
            self.assertIn(name, readme)

    def test_an_xcode_png(self):
        def chunk(kind, content):
            return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

        self.write("icon.png", b"\x89PNG\r\n\x1a\n" + chunk(b"CgBI", b"\x50\x00\x20\x02")
                   + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 6, 0, 0, 0)) + chunk(b"IDAT", b"x") + chunk(b"IEND", b""))
        printed = self.run_program("--centroids", "c.bin", "icon.png", status=3).stderr
        self.assert_one_line(printed, "a PNG as Xcode optimizes it", "xcrun pngcrush -revert-iphone-optimizations", "original")


class NoDescriptors(ProgramTest):
    def flat(self, name, side=64):
        (self.folder / name).write_bytes(b"P5\n%d %d\n255\n" % (side, side) + bytes([7]) * (side * side))

    def calls(self):
        write_vocabulary(self.folder / "c.bin", numpy.ones((4, 64)))
        return (["--centroids", "c.bin", "--extractor", "dense"], ["extract", "-o", "d"])

    def test_pictures_that_are_too_small(self):
        write_picture(self.folder / "a.pgm", 1)
        small = ["1 is smaller than the smallest patch, of 16 pixels, at --max-side 3", "a --max-side above 3"]
        for kernel in ("serial", "simd"):
            printed = self.run_program("train", "-k", "2", "-o", "t.bin", "--kernel", kernel, "--max-side", "3", "a.pgm", status=3).stderr
            self.assert_one_line(printed, "0 descriptors", *small)
        for call in self.calls():
            self.assert_one_line(self.run_program(*call, "--max-side", "3", "a.pgm").stderr, *small)
            self.assert_one_line(self.run_program(*call, "-j", "1", "--max-side", "3", *["a.pgm"] * 9).stderr, small[0].replace("1 is", "9 are"))
        write_picture(self.folder / "b.pgm", 1, 50, 15)
        self.assert_one_line(self.run_program("extract", "-o", "d", "b.pgm").stderr, "of 16 pixels;", "smaller --patches")
        printed = self.run_program("extract", "--extractor", "surf", "-o", "d", "b.pgm").stderr
        self.assert_one_line(printed, "1 is smaller than the smallest keypoint")

    def test_flat_pictures_and_high_thresholds(self):
        self.flat("flat.pgm")
        write_picture(self.folder / "a.pgm", 1)
        words = ["1 is of a single gray", "in 1 no patch reaches --threshold 1000000"]
        call = ["--threshold", "1000000", "flat.pgm", "a.pgm"]
        self.assert_one_line(self.run_program("train", "-k", "2", "-o", "t.bin", *call, status=3).stderr, "of 2 inputs", *words)
        for verb in self.calls():
            self.assert_one_line(self.run_program(*verb, *call).stderr, "2 of them none", *words, "--threshold below")

    def test_inputs_that_were_all_skipped(self):
        printed = complaints(self.run_program("train", "-k", "2", "-o", "t.bin", "x.jpg", "y.jpg", status=3).stderr)
        self.assertEqual(len(printed), 3)
        self.assertIn("0 descriptors: none of the inputs gave any: all were skipped", printed[-1])

    def test_folders_of_other_files_are_no_result(self):
        write_picture(self.folder / "a.pgm", 1)
        self.run_program("train", "-k", "2", "-o", "c.bin", "a.pgm")
        for name in ("notes/a.txt", "notes/b.txt", "notes/c.cr2"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text("text")
        (self.folder / "empty").mkdir()
        (self.folder / "h.csv").write_text("old")
        for call in (["--centroids", "c.bin", "-o", "h.csv"], ["train", "-k", "2", "-o", "t.bin"], ["extract", "-o", "d"]):
            for inputs in (["notes"], ["notes", "empty"]):
                printed = self.run_program(*call, "-q", *inputs, status=3).stderr
                self.assert_one_line(printed, "there is no picture", "most are .txt")
            if call[0] != "train":
                self.run_program(*call, "-q", "notes", "a.pgm")
        self.assertFalse((self.folder / "t.bin").exists())
        (self.folder / "h.csv").write_text("old")
        self.run_program("--centroids", "c.bin", "-o", "h.csv", "notes", status=3)
        self.assertEqual((self.folder / "h.csv").read_text(), "old")
        printed = self.run_program("assign", "--centroids", "c.bin", "-q", "-o", "w.npy", "notes", status=3).stderr
        self.assert_one_line(printed, "there is no descriptor file")

    def test_more_words_than_distinct_descriptors(self):
        numpy.save(self.folder / "two.npy", ROWS[[0, 1, 0, 0, 1, 1, 0, 1, 0]])
        self.run_program("extract", "-o", "two.fbin", "two.npy", "two.npy")
        for options in (["two.npy"], ["--restarts", "3", "two.npy"], ["--init", "random", "two.npy"], ["--init", "greedy", "two.npy"],
                        ["--sample", "0", "two.fbin"]):
            printed = self.run_program("train", "-k", "5", "-o", "t.bin", *options).stderr
            self.assert_one_line(printed, "of 5 words only 2 differ", "2 distinct rows", "smaller -k")
        self.assertEqual(complaints(self.run_program("train", "-k", "2", "-o", "t.bin", "two.npy").stderr), [])


class OtherJpegLibrary(ProgramTest):
    """A libjpeg of another version than bowhist was compiled for: one error, and no picture is blamed."""

    SOURCE = """
        #include <stdio.h>
        #include <jpeglib.h>
        #include <jerror.h>
        void jpeg_CreateDecompress(j_decompress_ptr decoder, int version, size_t size) {
            decoder->mem = NULL;
            decoder->err->msg_code = %s;
            decoder->err->msg_parm.i[0] = 80;
            decoder->err->msg_parm.i[1] = version;
            decoder->err->error_exit((j_common_ptr)decoder);
        }
        """

    def test_it_is_one_error_at_the_start(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("there is no C compiler")
        write_picture(self.folder / "a.pgm", 1)
        self.run_program("train", "-k", "2", "-o", "c.bin", "a.pgm")
        self.run_program("filter", "a.pgm", "-o", "a.jpg", "--equalize")
        for code in ("JERR_BAD_LIB_VERSION", "JERR_BAD_STRUCT_SIZE"):
            shim = self.folder / "libshim.so"
            (self.folder / "shim.c").write_text(self.SOURCE % code)
            subprocess.run([compiler, "-shared", "-fPIC", "-o", shim, "shim.c"], cwd=self.folder, check=True)
            for call in (["--centroids", "c.bin"], ["train", "-k", "2", "-o", "t.bin"], ["extract", "-o", "d"]):
                done = subprocess.run([os.environ["BOWHIST"], *call, "a.jpg", "a.jpg", "missing.jpg"], cwd=self.folder,
                                      env={**os.environ, "LD_PRELOAD": str(shim)}, capture_output=True, timeout=60)
                if b"ASan" in done.stderr:
                    self.skipTest("the address sanitizer takes no library before its own")
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertEqual(done.stdout, b"")
                self.assert_one_line(done.stderr, "libjpeg", "compiled for", "80")
                self.assertNotIn(b"damaged", done.stderr)
            shutil.copy(self.folder / "a.jpg", self.folder / "b.jpg")
            done = subprocess.run([os.environ["BOWHIST"], "filter", "b.jpg", "-o", "o.pgm", "--equalize"], cwd=self.folder,
                                  env={**os.environ, "LD_PRELOAD": str(shim)}, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 3)
            self.assert_one_line(done.stderr, "libjpeg", "compiled for")


if __name__ == "__main__":
    unittest.main()
