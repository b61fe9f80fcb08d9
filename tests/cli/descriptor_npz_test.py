"""One picture's descriptors as .npz: with keypoints, and with what a sidecar records of the others."""
import csv
import json
import unittest

import numpy

from program import ProgramTest, write_picture

NAME = "caf\udce9.pgm"


class DescriptorNpz(ProgramTest):
    def prepare(self):
        write_picture(self.folder / NAME, 1)
        self.run_program("train", "-k", "8", "-o", "c.bin", NAME)

    def rows(self, *arguments, status=0):
        out = self.run_program("--centroids", "c.bin", *arguments, status=status).stdout
        return list(csv.reader(out.decode(errors="surrogateescape").splitlines()))[1:]

    def extracted(self, *options):
        self.run_program("extract", "-o", "x.npz", *options, NAME)
        return numpy.load(self.folder / "x.npz", allow_pickle=False)

    def test_numpy_reads_descriptors_keypoints_and_meta(self):
        for options in ([], ["--extractor", "akaze"], ["--threshold", "1e9"]):
            self.run_program("extract", "-o", "x.npy", *options, NAME)
            rows = numpy.load(self.folder / "x.npy")
            sidecar = json.loads((self.folder / "x.npy.json").read_text())
            with self.extracted(*options) as read:
                self.assertEqual(set(read), {"descriptors", "keypoints", "meta"})
                numpy.testing.assert_array_equal(read["descriptors"], rows)
                self.assertEqual(read["descriptors"].dtype, numpy.dtype("<f4"))
                self.assertEqual((read["keypoints"].dtype, read["keypoints"].shape), (numpy.dtype("<f4"), (len(rows), 5)))
                x, y, scale, orientation, response = read["keypoints"].T
                self.assertTrue(((x >= 0) & (x < 240) & (y >= 0) & (y < 180) & (scale > 0) & (response > 0)).all())
                self.assertEqual(options == ["--extractor", "akaze"], bool(orientation.any()))
                meta = json.loads(str(read["meta"]))
                self.assertEqual(meta.pop("version").count("."), 2)
                self.assertEqual((meta, meta["picture"]), (sidecar, NAME))
        self.assertFalse((self.folder / "x.npz.json").exists())
        self.assertEqual(len(rows), 0)

    def test_it_stands_for_its_picture(self):
        expected = self.rows(NAME)
        self.extracted()
        self.assertEqual(self.rows("x.npz"), expected)
        self.run_program("extract", "-o", "again.npz", "x.npz")
        self.assertEqual((self.folder / "again.npz").read_bytes(), (self.folder / "x.npz").read_bytes())
        # in a folder, too, where histograms are ignored
        (self.folder / "d").mkdir()
        (self.folder / "x.npz").rename(self.folder / "d/x.npz")
        self.run_program("--centroids", "c.bin", "-o", "d/h.npz", "d/x.npz")
        self.assertEqual(self.rows("d"), expected)
        done = self.run_program("assign", "--centroids", "c.bin", "-o", "w.npy", "d")
        self.assertIn(b" 1 read, 0 skipped, 1 ignored: 1 .npz, ", done.stderr)
        # a broken one says so, and does not vanish
        whole = (self.folder / "d/x.npz").read_bytes()
        for name, data in (("cut.npz", whole[:-100]), ("empty.npz", b"")):
            (self.folder / "d" / name).write_bytes(data)
            for call in ([], ["assign", "-o", "w.npy"]):
                done = self.run_program(*call, "--centroids", "c.bin", "d", status=1)
                self.assert_one_line(done.stderr, "skipped d/" + name, "zip archive")
                self.assertIn(b" 1 read, 1 skipped, 1 ignored: 1 .npz, ", done.stderr)
            (self.folder / "d" / name).unlink()
        self.extracted("--extractor", "akaze")
        done = self.run_program("--centroids", "c.bin", "x.npz", status=3)
        self.assert_one_line(done.stderr, "x.npz: made with --extractor akaze", "dense")

    def test_what_numpy_made_is_taken(self):
        rows = self.extracted()["descriptors"]
        expected = self.rows(NAME)[0][1:]
        for name, save in (("plain", numpy.savez), ("packed", numpy.savez_compressed)):
            save(self.folder / name, descriptors=rows)
            self.assertEqual(self.rows(name + ".npz"), [[name + ".npz", *expected]])
        points = numpy.zeros((len(rows), 5), "f4")
        numpy.savez(self.folder / "meta.npz", descriptors=rows, keypoints=points, meta=numpy.array(
            json.dumps({"picture": "a.jpg", "extractor": {"name": "imported", "upright": False, "threshold": 0,
                                                          "max_descriptors": 0, "max_side": 0}})))
        self.assertEqual(self.rows("meta.npz"), [["a.jpg", *expected]])
        # meta of other programs is ignored; a sidecar beside the file is read then
        self.run_program("extract", "-o", "meta.npy", NAME)
        for meta in ("made by me", "{", "{}", "5", 7, ["a", "b"], {"a": 1}):
            numpy.savez(self.folder / "meta.npz", descriptors=rows, meta=numpy.array(meta))
            self.assertEqual(self.rows("meta.npz"), [["meta.npz", *expected]], meta)
        (self.folder / "meta.npy.json").rename(self.folder / "meta.npz.json")
        self.assertEqual(self.rows("meta.npz"), self.rows(NAME))
        bad = rows.copy()
        bad[7, 3] = numpy.nan
        for words, values in ((("row 7 holds NaN",), {"descriptors": bad}), (("found '<f8'",), {"descriptors": rows.astype("f8")}),
                             (("of shape (64,)",), {"descriptors": rows[0]}), (("descriptors.npy", "is not in the archive"), {"rows": rows}),
                             (("keypoints", f"expected {len(rows)} x 5"), {"descriptors": rows, "keypoints": points[1:]}),
                             (("keypoints", f"expected {len(rows)} x 5"), {"descriptors": rows, "keypoints": points[:, :4]}),
                             (('"picture": text, found nothing',), {"descriptors": rows, "meta": numpy.array('{"extractor": {}}')})):
            with self.subTest(words=words):
                numpy.savez(self.folder / "bad.npz", **values)
                done = self.run_program("--centroids", "c.bin", "bad.npz", status=3)
                self.assert_one_line(done.stderr, "skipped bad.npz", *words)

    def test_descriptors_and_histograms_are_distinguished(self):
        self.extracted()
        self.run_program("--centroids", "c.bin", "-o", "h.npz", NAME)
        for call in ([], ["assign", "-o", "w.npy"]):
            done = self.run_program(*call, "--centroids", "c.bin", "h.npz", status=3)
            self.assert_one_line(done.stderr, "h.npz: holds histograms, not descriptors", "cluster")
        done = self.run_program("cluster", "-k", "1", "-o", "g.csv", "x.npz", status=3)
        self.assert_one_line(done.stderr, "x.npz: holds a picture's descriptors, not histograms", "--centroids")


if __name__ == "__main__":
    unittest.main()
