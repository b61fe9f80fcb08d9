"""`search --distinct` shows one of each group of copies, whatever they are: equal, smaller, in another library."""
import csv
import io
import shutil
import unittest

from search_test import SearchTest, write_pgm
from server import Server

COPIES = {"photos/p0.pgm", "photos/copy.pgm", "photos/half.pgm", "photos/trip/p1.pgm", "photos/trip/half1.pgm"}


def half(pixels):
    return pixels.reshape(pixels.shape[0] // 2, 2, pixels.shape[1] // 2, 2).mean(axis=(1, 3)).round()


class Distinct(SearchTest):
    def prepare(self):
        super().prepare()
        write_pgm(self.folder / "photos/half.pgm", half(self.scenes[0]))
        write_pgm(self.folder / "photos/trip/half1.pgm", half(self.scenes[1]))
        self.run_program("index", "-o", "p.bow", "--kernel", "simd")
        found = csv.DictReader(io.StringIO(self.run_program("duplicates", "p.bow").stdout.decode()))
        self.assertEqual({row["image"] for row in found if row["group"]}, COPIES)

    @staticmethod
    def first_of_each(rows):
        met, kept = set(), []
        for row in rows:
            group = "1" if "1.pgm" in row["image"] else "0" if row["image"] in COPIES else row["image"]
            if group not in met:
                met.add(group)
                kept.append({**row, "rank": str(len(kept) + 1)})
        return kept

    def test_one_of_each_group(self):
        expected = self.first_of_each(self.search("photos/p0.pgm"))
        self.assertEqual(len(expected), 8)
        self.assertEqual(self.search("--distinct", "photos/p0.pgm"), expected)
        for top in (1, 2, 7):
            self.assertEqual(self.search("--distinct", "--top", str(top), "photos/p0.pgm"), expected[:top])

    def test_with_a_check(self):
        rows = self.search("--check", "--distinct", "photos/trip/p1.pgm")
        self.assertEqual(rows, self.first_of_each(self.search("--check", "photos/trip/p1.pgm")))

    def test_among_all_a_query_is_no_result(self):
        rows = self.search("--all", "--distinct", "--top", "20")
        for query in {row["query"] for row in rows}:
            own = [row for row in rows if row["query"] == query]
            self.assertNotIn(query, [row["image"] for row in own])
            self.assertEqual(own, self.first_of_each(own))
            self.assertEqual(len(own), 8 if query in COPIES else 7)

    def test_of_several_libraries(self):
        (self.folder / "more").mkdir()
        shutil.copy(self.folder / "photos/half.pgm", self.folder / "more/equal.pgm")
        write_pgm(self.folder / "more/quarter.pgm", half(half(self.scenes[0])))
        self.run_program("index", "-o", "m.bow", "--centroids", "p.bow", "--kernel", "simd", "more")
        rows = self.search("--also", "m.bow", "--distinct", "photos/p0.pgm")
        self.assertEqual(rows, self.first_of_each(self.search("photos/p0.pgm")))

    def test_a_server_shows_one_of_each_group(self):
        """By id, by what is sent, and on the page of an image."""
        expected = [(int(row["rank"]), row["image"], float(row["score"])) for row in self.search("--distinct", "photos/p0.pgm")]
        with Server("p.bow", "--kernel", "simd", folder=self.folder) as server:
            first, = [row["id"] for row in server.json("/api/search?top=99", "POST", (self.folder / "photos/p0.pgm").read_bytes())["results"]
                      if row["image"] == "photos/p0.pgm"]
            server.json("/api/duplicates")  # waits until they are found
            for top in (1, 2, 7, 20):
                for ask in ([f"id={first}"], ["", "POST", (self.folder / "photos/p0.pgm").read_bytes()]):
                    found = server.json(f"/api/search?distinct=1&top={top}&{ask[0]}", *ask[1:])["results"]
                    self.assertEqual([(row["rank"], row["image"], row["score"]) for row in found], expected[:top])
            self.assertEqual(len(server.json(f"/api/search?id={first}&distinct=0")["results"]), 11)
            page = server.ask(f"/images/{first}?region=&distinct=1")[2].decode()
            self.assertEqual((page.count("<figure"), " checked>" in page), (len(expected), True))  # a copy stands for itself
            self.assertEqual(server.ask(f"/api/search?id={first}&distinct=yes")[0], 400)

    def test_a_library_without_places(self):
        self.run_program("index", "-o", "code.bow", "--describe", "code", "--centroids", "p.bow", "--kernel", "simd", "photos")
        self.assert_one_line(self.run_program("search", "code.bow", "--distinct", "photos/p0.pgm", status=2).stderr, "words")


if __name__ == "__main__":
    unittest.main()
