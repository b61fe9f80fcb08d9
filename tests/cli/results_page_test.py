"""The page of a search: queries and results, lines between keypoints that agree, in a browser."""
import csv
import html
import io
import os
import re
import shutil
import sqlite3
import unittest

from browser import Keys, PageTest
from search_test import scene, write_pgm

NAMES = ["<b>bold.pgm", "rtl \u202egpj.pgm", 'quo"te{}.pgm', "p3.pgm", "p4.pgm", "p5.pgm"]


class ResultsPage(PageTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        for seed, name in enumerate(NAMES):
            write_pgm(self.folder / "photos" / name, scene(seed))
        write_pgm(self.folder / "part.pgm", scene(3)[40:320, 100:460])
        write_pgm(self.folder / "flat.pgm", scene(3) * 0 + 90)
        self.run_program("index", "-o", "p.bow", "--words-k", "300", "--code-k", "8", "photos")

    def page(self, *arguments, name="r.html", status=0):
        done = self.run_program("search", "p.bow", "--html", name, *arguments, status=status)
        return done, (self.folder / name).read_text() if (self.folder / name).is_file() else ""

    def test_it_is_sound(self):
        self.page("--check", "--all")
        self.assert_sound_everywhere(self.folder / "r.html")
        self.page("--check", "--region", "60,40,300,220", "photos/p3.pgm", "part.pgm")
        self.assert_sound_everywhere(self.folder / "r.html")

    def test_it_has_the_rows_of_the_search(self):
        done, text = self.page("--check", "part.pgm", "photos/p4.pgm", "-o", "-")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        figures = re.findall(r'<figure data-item data-name="([^"]*)".*?<b>(\d+)</b> <span class="score">([0-9.]+)</span>.*?(\d+|none) agree<', text, re.S)
        self.assertEqual([(html.unescape(name), rank, agree.replace("none", "0")) for name, rank, _, agree in figures],
                         [(row["image"], row["rank"], row["agree"]) for row in rows])
        for figure, row in zip(figures, rows):
            self.assertAlmostEqual(float(figure[2]), float(row["score"]), delta=0.0006)
        done, _ = self.page("part.pgm")
        self.assertEqual(done.stdout, b"", "rows are printed where they are asked for")

    def test_lines_lead_from_keypoint_to_keypoint(self):
        self.page("--check", "part.pgm", "--top", "2")
        for width in (390, 1280):
            page = self.open(self.folder / "r.html", width)
            self.assertEqual(page.all("dialog"), [])
            button = page.all("[data-lines]")[0]
            agree = int(button.text.split()[0])
            self.assertGreaterEqual(agree, 12)
            # the part was cut at 100, 40
            pairs = [[float(n) for n in pair.split(",")] for pair in button.get_attribute("data-lines").split(";")]
            self.assertEqual(len(pairs), agree)
            for x, y, found_x, found_y in pairs:
                self.assertAlmostEqual(found_x - x, 100, delta=4)
                self.assertAlmostEqual(found_y - y, 40, delta=4)
            button.send_keys(Keys.ENTER)
            self.assertEqual(len(page.all("dialog.matches line")), agree)
            self.assertEqual(len(page.all("dialog.matches image")), 2)
            self.assertEqual(len(page.all("dialog.matches polygon")), 1)
            inside = page.run("""const box = document.querySelector('.matches > svg').viewBox.baseVal;
                return [...document.querySelectorAll('.matches line')].every(l => ['x1', 'x2'].every(k => l[k].baseVal.value >= 0 && l[k].baseVal.value <= box.width)
                  && ['y1', 'y2'].every(k => l[k].baseVal.value >= 0 && l[k].baseVal.value <= box.height))""")
            self.assertTrue(inside)
            self.assert_sound(page)
            page.press(Keys.ESCAPE)
            self.assertEqual(page.all("dialog"), [])
            self.assertTrue(page.run("return document.activeElement.hasAttribute('data-lines')"), "the focus returns")
            self.assert_quiet(page)

    def test_filter_and_large_view(self):
        self.page("--all", "--top", "3")
        page = self.open(self.folder / "r.html")
        page.type("p5")
        self.assertTrue(all("p5" in (e.get_attribute("data-name") or "") or "p5" in e.find_element("xpath", "ancestor::section").get_attribute("data-name")
                            for e in page.all(".query figure")))
        page.press(Keys.ESCAPE)
        page.settle()
        page.all("[data-thumb]")[0].click()
        self.assertIn("rank 1", page.find("dialog.lightbox").text)

    def test_without_scripts_results_are_there(self):
        self.page("--check", "part.pgm")
        page = self.open(self.folder / "r.html", scripts=False)
        self.assertEqual(len(page.all(".query figure img")), len(NAMES))
        self.assertEqual(page.all("button.agree"), [])
        self.assertIn("agree", page.find(".query .grid").text)

    def test_a_part_of_a_query_is_outlined(self):
        _, text = self.page("--region", "60,40,300,200", "photos/p3.pgm")
        self.assertIn('<rect class="region" x="60" y="40" width="300" height="200"/>', text)
        self.assertIn('viewBox="0 0 480 360"', text)

    def test_standard_input_has_no_thumbnail(self):
        with open(self.folder / "part.pgm", "rb") as file:
            done = self.run_program("search", "p.bow", "-", "--html", "r.html", stdin=file)
        text = (self.folder / "r.html").read_text()
        self.assertIn("Standard input", text)
        self.assertIn("cannot be shown", text)
        self.assertEqual(text.count("<figure "), len(NAMES))

    def test_a_folder_has_pages_of_queries(self):
        self.page("--all", "--top", "2", name="site/")
        self.assert_sound_everywhere(self.folder / "site/index.html")
        text = (self.folder / "site/index.html").read_text()
        links = [html.unescape(link) for link in re.findall(r'<div data-item><a href="([^"]*)"', text)]
        self.assertEqual(len(links), len(NAMES))
        for link in links:
            file, _, query = link.partition("#")
            self.assertIn(f'id="{query}"', (self.folder / "site" / file).read_text())
        self.assert_sound_everywhere(self.folder / "site" / links[0].partition("#")[0])

    def test_gone_images_and_damaged_thumbnails(self):
        (self.folder / "p.bow").unlink()  # it knows where this folder was copied from
        self.run_program("index", "-o", "p.bow", "--words-k", "300", "--code-k", "8", "photos")
        self.run_program("index", "-o", "n.bow", "--words-k", "300", "--describe", "words", "--no-positions", "--no-thumbnails", "photos")
        (self.folder / "photos/p4.pgm").unlink()
        self.page("photos/p3.pgm", "--check")  # thumbnails are the library's
        self.assertEqual(self.open(self.folder / "r.html").all(".missing"), [])
        (self.folder / "photos/p5.pgm").write_bytes(b"P5 damaged")
        for library in ("n.bow", "p.bow"):
            if library == "p.bow":
                with sqlite3.connect(self.folder / library) as file:
                    file.execute("UPDATE thumbnails SET jpeg = x'ffd8'")
            done = self.run_program("search", library, "photos/p3.pgm", "--html", "r.html")
            self.assertIn(b"no thumbnail: photos/p", done.stderr)
            page = self.open(self.folder / "r.html")
            self.assertEqual(len(page.all(".missing")), 2)
            self.assertEqual(len(page.all(".query figure img")), len(NAMES) - 2)
            self.assert_sound(page)
        done = self.run_program("search", "n.bow", "photos/p3.pgm", "--check", "--html", "r.html", status=2)
        self.assert_one_line(done.stderr, "does not hold where words lie")

    def test_nothing_is_found(self):
        _, text = self.page("photos/p3.pgm", "--min-score", "1.0", "--top", "1", "--region", "10,10,100,100")
        self.assertIn("nothing was found", text)
        self.assert_sound_everywhere(self.folder / "r.html")

    def test_wrong_usage(self):
        done = self.run_program("search", "p.bow", "part.pgm", "--html", "r.txt", status=2)
        self.assert_one_line(done.stderr, "r.txt")
        done = self.run_program("search", "p.bow", "part.pgm", "--html", "none/r.html", status=3)
        self.assert_one_line(done.stderr, "none/r.html")


if __name__ == "__main__":
    unittest.main()
