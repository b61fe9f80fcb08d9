"""Duplicates: forms that differ in a month or in one digit are no copies, and copies of a form are found.

The forms are drawn by tests/quality/forms.py, which measures the same with many more of them.
"""
import collections
import csv
import io
import pathlib
import subprocess
import sys
import unittest

from program import ProgramTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "quality"))
import forms

LAYOUTS = ("invoice", "pay_slip", "calendar_page")


class Forms(ProgramTest):
    def prepare(self):
        self.forms = forms.drawn_forms(6, 1, LAYOUTS, forms.FACES)
        self.truth = {}
        for dpi in (75, 150):
            self.truth[dpi] = forms.write_forms(self.folder, self.forms, dpi)
            self.run_program("index", "-q", "-o", f"{dpi}.bow", "--words-k", "500", "--code-k", "8", "--kernel", "simd", str(dpi))
            self.run_program("duplicates", "-q", f"{dpi}.bow", "-o", "kept.csv")  # the library keeps what was compared

    def judged(self, dpi, *arguments):
        rows = self.run_program("duplicates", f"{dpi}.bow", *arguments).stdout.decode()
        return forms.judged(csv.DictReader(io.StringIO(rows)), self.truth[dpi])

    def test_no_two_forms_are_drawn_alike(self):
        for dpi in self.truth:
            drawings = {forms.drawn(form, dpi, 1).tobytes() for form, _ in self.forms}
            self.assertEqual(len(drawings), len(self.forms))

    def test_no_group_holds_two_forms(self):
        for dpi in self.truth:
            for match in ("normal", "strict"):
                with self.subTest(dpi=dpi, match=match):
                    self.assertEqual(self.judged(dpi, "--match", match)[0], [])

    def test_another_digit_beside_thick_letters(self):
        goods = (("Cable, 3 m", 97327), ("Coffee beans", 90598), ("Door handle", 85563), ("Paint, 5 l", 3901), ("Hinge, brass", 32743), ("Window seal", 6896),
                 ("Service visit", 14938), ("Coffee beans", 61581), ("Desk lamp", 50006), ("Paint, 5 l", 13465))
        (self.folder / "thick").mkdir()
        for number, digits in ((10, "2024-4086"), (20, "2024-4036")):
            forms.write_form(self.folder / "thick", number, forms.Form("invoice", 5, digits, 23751, "P. Lindqvist", goods, face="DejaVuSerif"), 100)
        rows = csv.DictReader(io.StringIO(self.run_program("duplicates", "-q", "thick").stdout.decode()))
        groups = collections.defaultdict(set)
        for row in rows:
            groups[row["group"]].add(pathlib.Path(row["image"]).name[:4])
        self.assertEqual([numbers for group, numbers in groups.items() if group and len(numbers) > 1], [])

    def test_copies_of_a_form_are_found_at_150_dpi(self):
        self.assertEqual(self.judged(150)[1], dict.fromkeys(forms.COPIES, len(self.forms)))

    def test_a_script_leaves_a_whole_file_of_each_form(self):
        # a library knows where its files lie: so this one is of the copies of this test
        self.run_program("index", "-q", "-o", "here.bow", "--centroids", "75.bow", "--kernel", "simd", "75")
        self.run_program("duplicates", "-q", "here.bow", "-o", "g.csv", "--script", "moves.sh", "--to", "away")
        subprocess.run(["sh", "moves.sh"], cwd=self.folder, capture_output=True, check=True)
        stays = (self.truth[75][path.name] for path in (self.folder / "75").iterdir())
        self.assertEqual({form for form, copy in stays if copy != "cropped"}, set(range(len(self.forms))))


if __name__ == "__main__":
    unittest.main()
