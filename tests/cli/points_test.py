"""Export of a library as points of vector databases: their products are the scores of a search."""
import csv
import io
import json
import os
import unittest
import uuid

import numpy

from search_test import SearchTest, write_pgm

STRANGE = b"photos/caf\xe9 \"x\".pgm"


class PointsTest(SearchTest):
    def prepare(self):
        super().prepare()
        os.rename(self.folder / "photos/p4.pgm", os.path.join(os.fsencode(self.folder), STRANGE))
        write_pgm(self.folder / "photos/flat.pgm", numpy.full((90, 120), 7))  # without descriptors
        self.run_program("index", "-q", "-o", "p.bow", "--forget", "--kernel", "simd", "photos", status=0)

    def points(self, name, *arguments, words=b""):
        done = self.run_program("export", "p.bow", "-o", name, *arguments)
        self.assertIn(words, done.stderr)
        text = (self.folder / name).read_bytes().decode()  # UTF-8
        return [json.loads(line) for line in text.splitlines()], text

    def scores(self, by):
        """By the paths of both images."""
        done = self.run_program("search", "p.bow", "--all", "--by", by, "--kernel", "simd", status=1)
        rows = csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "surrogateescape")))
        return {(shown(row["query"]), shown(row["image"])): float(row["score"]) for row in rows}


def shown(path):
    return os.fsencode(path).decode("utf-8", "replace")


def sparse(words, values, size=300):
    row = numpy.zeros(size)
    row[numpy.asarray(words, int)] = numpy.asarray(values, "f4")
    return row


class Points(PointsTest):
    def test_products_are_scores(self):
        qdrant, _ = self.points("p.qdrant.jsonl")
        milvus, _ = self.points("p.milvus.jsonl", words=b"1 picture has no descriptors of a kind")
        rows = {point["payload"]["image"]: point for point in qdrant}
        self.assertEqual(len(rows), 10)
        self.assertEqual(rows["photos/flat.pgm"]["vector"], {})
        self.assertEqual([row["image"] for row in milvus], [name for name in rows if name != "photos/flat.pgm"])
        sets = {"qdrant": {name: (sparse(*row["vector"]["words"].values()), numpy.array(row["vector"]["code"], float))
                           for name, row in rows.items() if row["vector"]},
                "milvus": {row["image"]: (sparse([*row["words"]], [*row["words"].values()]), numpy.array(row["code"], float))
                           for row in milvus}}
        for images in sets.values():
            for kind, by in enumerate(("words", "code")):
                compared = 0
                for (a, b), score in self.scores(by).items():
                    if "photos/flat.pgm" in (a, b):
                        continue
                    one, other = images[a][kind], images[b][kind]
                    likeness = one @ other / (numpy.linalg.norm(one) * numpy.linalg.norm(other))
                    self.assertAlmostEqual(max(likeness, 0), score, delta=2e-6)
                    if by == "words":
                        self.assertAlmostEqual(numpy.linalg.norm(one), 1, delta=1e-6)
                    compared += 1
                self.assertEqual(compared, 9 * 8)

    def test_values_are_roots_rounded_once(self):
        points, text = self.points("p.qdrant.jsonl", "--what", "words")
        names, counts = self.rows("words")
        self.assertEqual([shown(name) for name in names], [point["payload"]["image"] for point in points])
        for point, row in zip(points, counts):
            words = numpy.flatnonzero(row)
            roots = numpy.floor(8 * numpy.sqrt(row[words]) + 0.5)
            vector = point["vector"].get("words", {"indices": [], "values": []})
            self.assertEqual(vector["indices"], words.tolist())
            expected = (roots / numpy.sqrt((roots**2).sum())).astype("f4")
            numpy.testing.assert_array_equal(numpy.array(vector["values"], "f4"), expected)
        self.assertNotIn('"code"', text)

    def test_ids_stay_and_differ(self):
        points, text = self.points("p.qdrant.jsonl", "--what", "code")
        self.assertNotIn('"words"', text)
        ids = [uuid.UUID(point["id"]) for point in points]
        self.assertEqual(len(set(ids)), 10)
        self.assertEqual({(one.version, one.variant) for one in ids}, {(8, uuid.RFC_4122)})
        self.assertEqual(points, self.points("again.qdrant.jsonl", "--what", "code")[0])
        self.assertEqual([point["id"] for point in points if point["payload"]["image"] != "photos/flat.pgm"],
                         [row["id"] for row in self.points("p.milvus.jsonl", "--what", "code")[0]])
        some, _ = self.points("some.qdrant.jsonl", "--where", "photos/trip/*")
        self.assertEqual([point["id"] for point in some], [p["id"] for p in points if p["payload"]["image"].startswith("photos/trip/")])

    def test_names_are_utf_8(self):
        _, text = self.points("p.milvus.jsonl")
        self.assertIn('"image":"photos/caf\ufffd \\"x\\".pgm"', text)
        self.assertNotIn("\\ud", text)

    def test_refused(self):
        self.run_program("export", "p.bow", "-o", "p.qdrant.jsonl", "--normalize", "l2", status=2)
        self.run_program("index", "-q", "-o", "w.bow", "--describe", "words", "--centroids", "p.bow", "--kernel", "simd", "photos/trip")
        done = self.run_program("export", "w.bow", "-o", "w.qdrant.jsonl", "--what", "code", status=2)
        self.assertIn(b"no codes", done.stderr)
        self.run_program("export", "w.bow", "-o", "w.qdrant.jsonl")
        self.assertNotIn("code", (self.folder / "w.qdrant.jsonl").read_text())
        self.run_program("export", "p.bow", "-o", "plain.jsonl")  # the ending alone chooses
        self.assertIn("histogram", (self.folder / "plain.jsonl").read_text())


if __name__ == "__main__":
    unittest.main()
