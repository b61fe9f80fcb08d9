"""What a search can be asked with: a part, a mirror, standard input, other weights of words; and what it writes."""
import csv
import io
import math
import os
import pathlib
import shutil
import subprocess
import unittest

import numpy

from program import wait_until_it_reads_on
from search_test import FULL, SearchTest, scene, similarity, write_pgm

MAP = ("a11", "a12", "tx", "a21", "a22", "ty")


def without_query(rows):
    return [{**row, "query": ""} for row in rows]


def map_of(row):
    return [float(row[name]) for name in MAP]


class Regions(SearchTest):
    def test_a_part_is_an_image_of_its_own(self):
        write_pgm(self.folder / "part.pgm", self.scenes[3][40:320, 100:460])
        shutil.copy(self.folder / "photos/trip/p3.pgm", self.folder / "whole.pgm")
        expected = without_query(self.search("part.pgm"))
        for query in ("whole.pgm", "photos/trip/p3.pgm"):
            self.assertEqual(without_query(self.search("--region", "100,40,360,280", query)), expected)

    def test_its_map_is_of_the_original(self):
        first = self.search("--region", "100,40,360,280", "photos/trip/p3.pgm", "--check", "--top", "1")[0]
        self.assertEqual(first["image"], "photos/trip/p3.pgm")
        numpy.testing.assert_allclose(map_of(first), [1, 0, 0, 0, 1, 0], atol=3)
        self.assertGreater(int(first["agree"]), 12)

    def test_of_every_image_its_own_is_left_out(self):
        rows = self.search("--all", "--region", "100,40,200,200", "--top", "1")
        self.assertEqual(len(rows), 9)
        self.assertFalse([row for row in rows if row["query"] == row["image"]])

    def test_the_library_knows_where_its_files_are(self):
        expected = self.search("--region", "100,40,360,280", "photos/trip/p3.pgm")
        self.folder = self.folder / "elsewhere"
        self.folder.mkdir()
        for query in (["--mirror", "--all"], ["--mirror", "photos/trip/p3.pgm"]):
            self.run_program("search", "../p.bow", *query)
        done = self.run_program("search", "../p.bow", "--kernel", "simd", "--region", "100,40,360,280", "photos/trip/p3.pgm")
        self.assertEqual(list(csv.DictReader(io.StringIO(done.stdout.decode()))), expected)

    def test_the_file_must_be_there_and_hold_it(self):
        self.run_program("index", "-o", "p.bow")  # its folder is this copy
        os.unlink(self.folder / "photos/p2.pgm")
        self.one_line(["--region", "1,1,90,90", "photos/p2.pgm"], "photos/p2.pgm")
        self.one_line(["--mirror", "photos/p2.pgm"], "photos/p2.pgm")
        for region in ("470,0,11,9", "0,352,9,9", "480,0,1,1", "0,2147483647,2147483647,2147483647", "0,0,2000,2000"):
            self.one_line(["--region", region, "photos/p0.pgm"], "480x360")
        self.one_line(["--region", "7,7,1,1", "photos/p0.pgm"], "descriptors")
        for region in ("1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3,-4", "", "a,b,c,d", "1,2,3,4,", "1,2,3,99999999999"):
            done = self.run_program("search", "p.bow", "--region", region, "photos/p0.pgm", status=2)
            self.assertIn(b"X,Y,W,H", done.stderr)

    def one_line(self, arguments, word):
        done = self.run_program("search", "p.bow", *arguments, status=3)
        line, last = done.stderr.decode().splitlines()
        self.assertIn(word, line)
        self.assertIn("none of the inputs could be used", last)
        self.assertEqual(len(done.stdout.splitlines()), 1)


class Mirrors(SearchTest):
    def test_a_mirrored_copy_is_found(self):
        write_pgm(self.folder / "flipped.pgm", self.scenes[3][:, ::-1])
        first = self.search("--mirror", "flipped.pgm", "--check", "--top", "1")[0]
        self.assertEqual((first["image"], first["score"]), ("photos/trip/p3.pgm", "1.000000"))
        numpy.testing.assert_allclose(map_of(first), [-1, 0, 479, 0, 1, 0], atol=1e-3)
        self.assertLess(float(self.search("flipped.pgm", "--top", "1")[0]["score"]), 0.9)

    def test_a_part_of_one_has_a_map_of_the_original(self):
        write_pgm(self.folder / "flipped.pgm", self.scenes[3][:, ::-1])
        first = self.search("--mirror", "--region", "60,30,360,300", "flipped.pgm", "--check", "--top", "1")[0]
        self.assertEqual(first["image"], "photos/trip/p3.pgm")
        numpy.testing.assert_allclose(map_of(first), [-1, 0, 479, 0, 1, 0], atol=3)

    def test_a_score_is_the_better_one(self):
        write_pgm(self.folder / "a.pgm", self.scenes[5][40:320, 100:460])
        write_pgm(self.folder / "b.pgm", self.scenes[5][40:320, 100:460][:, ::-1])
        scores = [{row["image"]: row["score"] for row in self.search(name)} for name in ("a.pgm", "b.pgm")]
        rows = self.search("--mirror", "a.pgm")
        self.assertEqual({row["image"]: row["score"] for row in rows},
                         {image: max(one[image] for one in scores) for image in scores[0]})
        order = [(-float(row["score"]), row["image"]) for row in rows]
        self.assertEqual(order, sorted(order))
        self.assertEqual(without_query(self.search("--mirror", "b.pgm")), without_query(rows))

    def test_together_with_others(self):
        each = [self.search("--mirror", f"photos/trip/p{i}.pgm", "--top", "3") for i in (1, 3, 5, 7)]
        self.assertEqual(self.search("--mirror", "photos/trip", "--top", "3"), sum(each, []))
        self.assertFalse([row for row in self.search("--all", "--mirror") if row["query"] == row["image"]])


class StandardInput(SearchTest):
    def ask(self, *arguments, data, status=0):
        done = subprocess.run([os.environ["BOWHIST"], "search", "p.bow", "--kernel", "simd", *arguments], cwd=self.folder, input=data,
                              capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return list(csv.DictReader(io.StringIO(done.stdout.decode()))), done.stderr.decode()

    def test_it_is_an_image(self):
        data = (self.folder / "photos/p2.pgm").read_bytes()
        rows, _ = self.ask("-", data=data)
        self.assertEqual(without_query(rows), without_query(self.search("photos/p2.pgm")))
        self.assertEqual({row["query"] for row in rows}, {"-"})
        rows, _ = self.ask("photos/p0.pgm", "-", "--top", "1", data=data)
        self.assertEqual([row["query"] for row in rows], ["photos/p0.pgm", "-"])

    def test_what_is_none_costs_a_line(self):
        for data in (b"", b"no picture\n", (self.folder / "p.bow").read_bytes()):
            _, said = self.ask("-", data=data, status=3)
            self.assertIn("skipped -: ", said)

    def test_it_is_named_once(self):
        data = (self.folder / "photos/p2.pgm").read_bytes()
        _, said = self.ask("-", "-", data=data, status=2)
        self.assertIn("once", said)
        self.ask("-", "--files-from", "-", data=data, status=2)

    def test_a_file_of_this_name(self):
        shutil.copy(self.folder / "photos/p2.pgm", self.folder / "-")
        (self.folder / "list").write_text("-\n")
        for arguments in (["--", "-"], ["./-"], ["--files-from", "list"]):
            rows, _ = self.ask("--top", "1", *arguments, data=b"")
            self.assertEqual([row["image"] for row in rows], ["photos/p2.pgm"])

    def test_a_library_that_is_updated_meanwhile(self):
        expected = without_query(self.search("photos/p2.pgm", "--check"))
        with subprocess.Popen([os.environ["BOWHIST"], "search", "p.bow", "--check", "-"], cwd=self.folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as search:
            search.stdin.write(b"P5\n")
            search.stdin.flush()
            wait_until_it_reads_on(search)  # the library is read
            write_pgm(self.folder / "photos/new.pgm", self.scenes[2])
            data = (self.folder / "photos/p2.pgm").read_bytes()
            os.unlink(self.folder / "photos/p2.pgm")
            self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
            found = search.communicate(data[3:])[0]
        self.assertEqual(without_query(csv.DictReader(io.StringIO(found.decode()))), expected)
        self.assertIn("photos/new.pgm", [row["image"] for row in self.search("photos/trip/p1.pgm")])


class Weights(SearchTest):
    def expected(self, counts, how):
        """Products of each two images, in whole numbers."""
        images, holding = len(counts), (counts > 0).sum(0)
        weights = numpy.ones(counts.shape[1], numpy.int64)
        values = counts
        if how == "tfidf":
            weights = [max(1, math.floor((math.log((1 + images) / (1 + n)) + 1)**2 + 0.5)) for n in holding]
        if how == "bm25":
            weights = [max(1, math.floor(4 * math.log(1 + (images - n + 0.5) / (n + 0.5))**2 + 0.5)) for n in holding]
            values = numpy.floor(16 * counts * 2.2 / (counts + 1.2) + 0.5).astype(numpy.int64)
        if how == "hellinger":
            values = numpy.floor(8 * numpy.sqrt(counts) + 0.5).astype(numpy.int64)
        return (values * numpy.asarray(weights, numpy.int64)) @ values.T

    def test_answers_are_those_of_the_exported_counts(self):
        names, counts = self.rows("words")
        for how in ("none", "hellinger", "tfidf", "bm25"):
            products = self.expected(counts, how)
            for q, query in enumerate(names[:3]):
                scores = {name: similarity(int(products[q, i]), int(products[q, q]), int(products[i, i])) for i, name in enumerate(names)}
                rows = self.search(query, "--by", "words", "--normalize", how)
                self.assertEqual({row["image"]: row["score"] for row in rows},
                                 {name: f"{score / FULL:.6f}" for name, score in scores.items()})

    def test_every_level_and_no_update_change_them(self):
        (self.folder / "elsewhere").mkdir()
        for how in ("tfidf", "bm25"):
            answers = [self.search("--all", "--normalize", how)]
            for options in (["--kernel", "gpu1"], ["-j", "1"]):
                done = self.run_program("search", "p.bow", "--all", "--normalize", how, *options)
                answers.append(list(csv.DictReader(io.StringIO(done.stdout.decode()))))
            for path in ("photos/p2.pgm", "photos/trip/p5.pgm"):  # away, and back last
                os.rename(self.folder / path, self.folder / "elsewhere/p.pgm")
                self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
                self.assertNotEqual(self.search("--all", "--normalize", how), answers[0])
                os.rename(self.folder / "elsewhere/p.pgm", self.folder / path)
                self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
                answers.append(self.search("--all", "--normalize", how))
            self.assertTrue(all(answer == answers[0] for answer in answers))

    def test_they_are_about_words(self):
        self.run_program("search", "p.bow", "photos/p0.pgm", "--by", "code", "--normalize", "bm25", status=2)
        self.run_program("search", "p.bow", "photos/p0.pgm", "--normalize", "l2", status=2)


class Outputs(SearchTest):
    def test_pairs_for_colmap(self):
        rows = self.search("--all", "--top", "3")
        self.run_program("search", "p.bow", "--all", "--top", "3", "-o", "pairs.txt")
        pairs = [tuple(line.split(" ")) for line in (self.folder / "pairs.txt").read_text().splitlines()]
        unordered = [frozenset(pair) for pair in pairs]
        self.assertEqual(len(set(unordered)), len(pairs))
        self.assertEqual(set(unordered), {frozenset((row["query"], row["image"])) for row in rows})
        self.assertTrue(all(len(pair) == 2 for pair in unordered))

    def test_pairs_name_images_as_from_their_folder(self):
        subprocess.run([os.environ["BOWHIST"], "index", "-q", "-o", "../dot.bow", "--words-k", "300", "--code-k", "8", "."],
                       cwd=self.folder / "photos/trip", check=True)
        self.run_program("search", "photos/dot.bow", "--all", "--top", "1", "-o", "pairs.txt")
        for line in (self.folder / "pairs.txt").read_text().splitlines():
            self.assertRegex(line, r"^p[1357]\.pgm p[1357]\.pgm$")

    def test_pairs_leave_the_query_itself_out(self):
        self.run_program("search", "p.bow", "photos/p0.pgm", "photos/p0.pgm", "--top", "2", "-o", "pairs.txt")
        self.assertEqual((self.folder / "pairs.txt").read_text(), "photos/p0.pgm photos/copy.pgm\n")

    def test_pairs_refuse_names_that_no_list_holds(self):
        for name in ("a b.pgm", "a\tb.pgm", "a\nb.pgm"):
            shutil.copy(self.folder / "photos/p0.pgm", self.folder / "photos" / name)
        shutil.copy(self.folder / "photos/p0.pgm", self.folder / "#.pgm")
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
        done = self.run_program("search", "p.bow", "#.pgm", "photos/p0.pgm", "photos/copy.pgm", "--top", "5", "-o", "pairs.txt", status=1)
        lines = done.stderr.decode().splitlines()
        self.assertEqual([line.count("COLMAP") for line in lines], [1, 1, 1, 1, 0])
        self.assertIn("4 skipped", lines[-1])
        self.assertEqual((self.folder / "pairs.txt").read_text(), "photos/p0.pgm photos/copy.pgm\n")
        os.unlink(self.folder / "pairs.txt")
        self.run_program("search", "p.bow", "photos/p0.pgm", "--strict", "-o", "pairs.txt", status=3)
        self.assertFalse((self.folder / "pairs.txt").exists())

    def test_numbers_and_scores(self):
        scores = sorted(float(row["score"]) for row in self.search("photos/trip"))
        some = ["photos/trip", "--check", "--top", "8", "--min-score", str(scores[len(scores) // 2])]
        rows = self.search(*some)
        self.run_program("search", "p.bow", *some, "-o", "r.npz")
        names, _ = self.rows("words")
        with numpy.load(self.folder / "r.npz") as file:
            self.assertEqual(list(file["images"]), names)  # as export writes them
            self.assertEqual(file["ids"].shape, (4, 8))
            found, counts = [], set()
            for query, ids, scores, agree, maps in zip(*(file[entry] for entry in ("queries", "ids", "scores", "agree", "maps"))):
                for rank, (number, score, count, numbers) in enumerate(zip(ids, scores, agree, maps), 1):
                    if number >= 0:
                        shown = [*(f"{numbers[i]:.{places}f}" for i, places in enumerate((6, 6, 3, 6, 6, 3)))] if count > 0 else [""] * 6
                        found.append([query, str(rank), names[number], f"{score:.6f}", str(count), *shown])
                    else:
                        self.assertEqual((score, count), (0, -1))
                    if count <= 0:
                        self.assertEqual(list(numbers), [0] * 6)
                    counts.add(min(count, 1))
        self.assertEqual(found, [list(row.values()) for row in rows])
        self.assertEqual(counts, {-1, 0, 1})

    def test_numbers_of_more_results_than_images(self):
        self.run_program("search", "p.bow", "--all", "--top", "1000000000", "-o", "r.npz")
        with numpy.load(self.folder / "r.npz") as file:
            self.assertEqual(sorted(file), ["ids", "images", "queries", "scores"])
            self.assertEqual(file["ids"].shape, (9, 9))
            self.assertTrue((file["ids"][:, 8] == -1).all() and (file["ids"][:, :8] >= 0).all())

    def test_the_example_searches_for_each_file_of_a_folder(self):
        (self.folder / "new").mkdir()
        shutil.copy(self.folder / "photos/p2.pgm", self.folder / "new/again.pgm")
        write_pgm(self.folder / "new/strange.pgm", scene(99))
        (self.folder / "new/notes.txt").write_text("no picture\n")
        example = pathlib.Path(__file__).parents[2] / "samples/search_folder.sh"
        done = subprocess.run(["bash", example, "p.bow", "new"], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{pathlib.Path(os.environ['BOWHIST']).parent}:{os.environ['PATH']}"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines(), ["query,rank,image,score", "new/again.pgm,1,photos/p2.pgm,1.000000"])


class Libraries(SearchTest):
    def test_few_images(self):
        (self.folder / "none").mkdir()
        write_pgm(self.folder / "flat.pgm", numpy.full((90, 120), 7))
        self.run_program("index", "-q", "-o", "one.bow", "--words-k", "20", "--code-k", "4", "photos/p0.pgm")
        for options in (["--mirror"], ["--region", "0,0,300,300"], ["--check"], ["--normalize", "bm25"], ["--normalize", "tfidf"]):
            rows = self.run_program("search", "one.bow", "--kernel", "simd", "photos/p0.pgm", *options).stdout.splitlines()
            self.assertEqual(len(rows), 2)
            self.assertIn(b"photos/p0.pgm,1,photos/p0.pgm,", rows[1])
        self.run_program("search", "one.bow", "--all", "-o", "none.txt")
        self.assertEqual((self.folder / "none.txt").read_text(), "")
        self.run_program("index", "-q", "-o", "one.bow", "--remove", "photos/p0.pgm")
        for how in ("hellinger", "tfidf"):
            done = self.run_program("search", "one.bow", "--normalize", how, "photos/p1.pgm", status=3)
            self.assertIn(b"holds no picture", done.stderr)

    def test_one_description(self):
        self.run_program("index", "-q", "-o", "w.bow", "--describe", "words", "--words-k", "100", "photos")
        self.run_program("index", "-q", "-o", "c.bow", "--describe", "code", "--code-k", "8", "photos")
        write_pgm(self.folder / "flipped.pgm", self.scenes[3][:, ::-1])
        for library in ("w.bow", "c.bow"):
            done = self.run_program("search", library, "--kernel", "simd", "--mirror", "flipped.pgm", "--top", "1")
            self.assertIn(b"photos/trip/p3.pgm,1.000000", done.stdout)
        self.run_program("search", "w.bow", "--check", "--mirror", "--region", "9,9,400,300", "flipped.pgm")
        self.run_program("search", "c.bow", "--check", "flipped.pgm", status=2)
        self.run_program("search", "c.bow", "--normalize", "bm25", "flipped.pgm", status=2)

    def test_queries_of_few_descriptors(self):
        write_pgm(self.folder / "flat.pgm", numpy.full((90, 120), 7))
        for options in ([], ["--mirror"], ["--region", "0,0,9,9"], ["--by", "words"], ["--by", "code"]):
            done = self.run_program("search", "p.bow", "flat.pgm", *options, status=3)
            self.assertIn(b"flat.pgm: has no descriptors", done.stderr)


if __name__ == "__main__":
    unittest.main()
