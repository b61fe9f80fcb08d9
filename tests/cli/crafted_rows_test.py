"""Each column of each table of a library gets values that no run writes, with the right checksums: it is damaged, or read."""
import collections
import csv
import io
import itertools
import os
import sqlite3
import unittest

from crafted_library import cases
from server import Server
from strangers_library_test import VERBS, Strangers

PAGES = ("/", "/groups", "/duplicates", "/words", "/status", "/api/status", "/api/duplicates", "/api/spare", "/api/not-same",
         "/images/1", "/api/images/2", "/api/search?id=1", "/thumbnails/1", "/views/2", "/api/search?id=3&region=0,0,90,90")
# How a library ends that cannot be read, beside "damaged".
OTHER_ENDS = ("holds no picture", "no picture could be read", "is not in p.bow", "no image", "a database of another program", "there is no model", "has no ",
              "holds ", "is not there", "there is no such")


class CraftedRows(Strangers):
    def serve(self):
        """@return an exit status, and what it says"""
        try:
            server = Server("p.bow", "--kernel", "simd", folder=self.folder)
        except AssertionError as refused:
            return 3, str(refused)
        with server:
            for page in PAGES:
                server.ask(page)
            status, said = server.end()
        return 0 if status == 130 else status, said

    def answer(self):
        """@return the rows that a verb printed, without ranks"""
        text = (self.folder / "answer").read_text(errors="surrogateescape")
        return collections.Counter(tuple(value for name, value in row.items() if name != "rank")
                                   for row in csv.DictReader(io.StringIO(text)))

    def names_of(self, table):
        """@return the pictures that the last row of a table is about; nothing: all"""
        of = {"files": "id = (SELECT max(id) FROM files)", "codes": "content = (SELECT max(content) FROM codes)",
              "contents": "content = (SELECT max(id) FROM contents)", "words": "content = (SELECT max(content) FROM words)",
              "thumbnails": "content = (SELECT max(content) FROM thumbnails)", "groups": "0", "members": "0", "compared": "0"}
        if table not in of:
            return None
        library = sqlite3.connect(self.folder / "whole.bow")
        try:
            return [name for name, in library.execute(f"SELECT CAST(name AS TEXT) FROM files WHERE {of[table]}")]
        finally:
            library.close()

    def look(self, verb, changed=None):
        """Reads the crafted library by a verb. @return what is wrong, or nothing"""
        status, said = self.serve() if verb == "serve" else self.end_of(*VERBS[verb])
        if status < 0 or "unexpected" in said or status not in (0, 1, 2, 3):
            return f"status {status}: {said}"
        if status == 3 and "damaged" not in said and not any(end in said for end in OTHER_ENDS):
            return f"status 3: {said}"
        if status == 0 and changed is not None and verb in self.whole:
            others = [row for row in (self.whole[verb] - self.answer()) if not any(name in str(row) for name in changed)]
            if others:
                return f"rows that nobody changed differ: {others[:3]}"
        return None

    def run_cases(self, every, verbs_a_case):
        """Reads each of some crafted libraries by some verbs, in turn. @return how many there were, and what went wrong"""
        verbs = itertools.cycle([*VERBS, "serve"])
        self.craft()
        self.whole = {}
        for verb in ("search", "export", "export code"):
            self.assertEqual(self.end_of(*VERBS[verb])[0], 0)
            self.whole[verb] = self.answer()
        wrong, made = [], 0
        for name, table, statement in itertools.islice(cases(self.folder / "whole.bow"), 0, None, every):
            try:
                self.craft(statement, changed=[table], lax=True)
            except sqlite3.Error:
                continue  # ids are numbers, and some columns differ in each row
            made += 1
            for _ in range(verbs_a_case):
                verb = next(verbs)
                try:
                    problem = self.look(verb, self.names_of(table) if name.endswith("one") else None)
                except (AssertionError, OSError) as error:
                    problem = repr(error)
                if problem:
                    wrong.append(f"{name}, {verb}: {problem.strip()}")
        return made, wrong

    def test_crafted_rows_are_damaged_or_read(self):
        every = int(os.environ.get("BOWHIST_TEST_CRAFTED_EVERY", 17))
        verbs = int(os.environ.get("BOWHIST_TEST_CRAFTED_VERBS", 1))
        made, wrong = self.run_cases(every, verbs)
        print(f"{made} libraries, {len(wrong)} wrong", *wrong, sep="\n")
        self.assertGreater(made, 60)
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
