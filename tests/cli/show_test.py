"""Show: what the words of a vocabulary look like, held against histograms and descriptors; its page in a browser."""
import base64
import csv
import html
import os
import pathlib
import re
import shutil
import sqlite3
import unittest

import numpy

from browser import PageTest
from program import ProgramTest, write_picture

NAMES = [b"<b>bold.pgm", "rtl \u202egpj.pgm".encode(), b"\xff.pgm", b'quo"te.pgm', b"p4.pgm", b"p5.pgm"]


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Show(ProgramTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        for seed, name in enumerate(NAMES):
            write_picture(os.path.join(os.fsencode(self.folder), b"photos", name), seed)
        self.run_program("train", "-k", "12", "-o", "c.bin", "photos")
        self.run_program("train", "-k", "12", "--extractor", "surf", "--threshold", "5", "-o", "s.bin", "photos")

    def test_numbers_are_those_of_histograms(self):
        for vocabulary in ("c.bin", "s.bin"):
            self.run_program("show", vocabulary, "photos", "-o", "w.csv")
            self.run_program("--centroids", vocabulary, "-o", "h.npz", "photos")
            with numpy.load(self.folder / "h.npz") as file:
                counts = file["histograms"].astype(int)
            rows = rows_of(self.folder / "w.csv")
            self.assertEqual([int(row["word"]) for row in rows], list(range(12)))
            self.assertEqual([int(row["count"]) for row in rows], counts.sum(0).tolist())
            self.assertEqual([int(row["images"]) for row in rows], (counts > 0).sum(0).tolist())
            images = (counts.sum(1) > 0).sum()
            idf = numpy.log((1 + images) / (1 + (counts > 0).sum(0))) + 1
            numpy.testing.assert_allclose([float(row["idf"]) for row in rows], idf, atol=1e-6)

    def test_the_same_by_every_level_and_number_of_threads(self):
        pages = []
        for options in (["-j", "1", "--kernel", "serial"], ["-j", "2", "--kernel", "simd"], ["--kernel", "gpu1"]):
            self.run_program("show", "s.bin", "photos", "--html", "w.html", *options)
            pages.append((self.folder / "w.html").read_bytes())
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(pages[0], pages[2])

    def test_a_page_has_patches_of_each_word(self):
        done = self.run_program("show", "s.bin", "photos", "--html", "w.html", "--nearest", "4", "--border", "2")
        self.assertEqual(done.stdout, b"")
        text = (self.folder / "w.html").read_text()
        cards = re.findall(r'<article class="word".*?</article>', text, re.S)
        self.assertEqual(len(cards), 12)
        for card in cards:
            count = int(re.search(r'data-count="(\d+)"', card)[1])
            nearest = card.split("<figcaption>border")[0].count("<img ")
            self.assertEqual(nearest, min(4, count))
            for jpeg in re.findall(r'src="data:image/jpeg;base64,([^"]*)"', card):
                self.assertTrue(base64.b64decode(jpeg).startswith(b"\xff\xd8"))
        distances = [float(d) for d in re.findall(r"distance ([0-9.]+)", cards[0])]
        self.assertTrue(all(d > 0 for d in distances))
        self.assertIn(html.escape("<b>bold.pgm"), text)
        self.assertNotIn("<b>bold.pgm", text)

    def test_a_library_needs_no_input(self):
        self.run_program("index", "-o", "p.bow", "--words-k", "40", "--describe", "words", "photos")
        self.run_program("show", "p.bow", "--html", "w.html", "-o", "w.csv")
        self.run_program("export", "p.bow", "-o", "h.npz")
        with numpy.load(self.folder / "h.npz") as file:
            counts = file["histograms"].astype(int)
        self.assertEqual([int(row["count"]) for row in rows_of(self.folder / "w.csv")], counts.sum(0).tolist())
        self.run_program("show", "p.bow", "photos", "-o", "same.csv")
        self.assertEqual((self.folder / "same.csv").read_bytes(), (self.folder / "w.csv").read_bytes())
        done = self.run_program("show", "p.bow", "--images", "2", "--html", "two.html", "-o", "two.csv")
        self.assertIn(b"2 read", done.stderr)
        self.assertEqual((self.folder / "two.csv").read_bytes(), (self.folder / "w.csv").read_bytes())
        self.assertIn("patches from 2 of them", (self.folder / "two.html").read_text())

    def test_a_library_that_descends_shows_the_words_that_it_has(self):
        self.run_program("train", "--tree", "6x6", "--extractor", "surf", "--threshold", "5", "-o", "t.bin", "photos")
        self.run_program("index", "-o", "t.bow", "--describe", "words", "--centroids", "t.bin", "--descend", "photos")
        pages = []
        for inputs in ([], ["photos"]):
            self.run_program("show", "t.bow", *inputs, "-o", "w.csv", "--html", "w.html", "--kernel", "simd")
            pages.append((self.folder / "w.csv").read_bytes())
        self.assertEqual(pages[0], pages[1])
        self.run_program("--centroids", "t.bin", "--descend", "-o", "h.npz", "photos")
        with numpy.load(self.folder / "h.npz") as file:
            self.assertEqual([int(row["count"]) for row in rows_of(self.folder / "w.csv")], file["histograms"].sum(0).tolist())

    def test_images_that_are_gone_are_skipped(self):
        self.run_program("index", "-o", "p.bow", "--words-k", "40", "--describe", "words", "photos")
        (self.folder / "photos/p4.pgm").unlink()
        (self.folder / "photos/p5.pgm").write_bytes(b"P5 damaged")
        done = self.run_program("show", "p.bow", "--html", "w.html", status=1)
        self.assertIn(b"p4.pgm", done.stderr)
        self.assertIn(b"p5.pgm", done.stderr)
        self.assertIn(b"4 read, 2 skipped", done.stderr)
        self.assertNotIn("p4.pgm", (self.folder / "w.html").read_text())

    def test_descriptor_files_have_no_patches(self):
        self.run_program("extract", "-o", "d", "photos/p4.pgm", "photos/p5.pgm")
        self.run_program("show", "c.bin", "d", "--html", "w.html", "-o", "d.csv")
        text = (self.folder / "w.html").read_text()
        self.assertIn("There are no patches", text)
        self.assertEqual(text.count("<img "), 0)
        self.run_program("show", "c.bin", "photos/p4.pgm", "photos/p5.pgm", "-o", "p.csv")
        self.assertEqual((self.folder / "d.csv").read_bytes(), (self.folder / "p.csv").read_bytes())
        done = self.run_program("show", "s.bin", "d", "--html", "w.html", status=3)
        self.assertIn(b"none of the inputs could be used", done.stderr)

    def test_a_library_without_positions_or_words(self):
        self.run_program("index", "-o", "n.bow", "--words-k", "40", "--describe", "words", "--no-positions", "photos")
        self.run_program("show", "n.bow", "--html", "w.html")
        self.assertGreater((self.folder / "w.html").read_text().count("<img "), 40)
        self.run_program("index", "-o", "c.bow", "--code-k", "8", "--describe", "code", "photos")
        done = self.run_program("show", "c.bow", "--html", "w.html", status=2)
        self.assert_one_line(done.stderr, "c.bow has no words to show")

    def test_some_words_are_drawn_evenly(self):
        self.run_program("show", "c.bin", "photos", "--html", "w.html", "--words", "4")
        text = (self.folder / "w.html").read_text()
        shown = [int(count) for count in re.findall(r'data-count="(\d+)"', text)]
        self.run_program("show", "c.bin", "photos", "-o", "w.csv")
        counts = sorted((int(row["count"]) for row in rows_of(self.folder / "w.csv")), reverse=True)
        self.assertEqual(shown, counts[::3])
        self.assertIn("4 of 12 words are shown", text)

    def test_a_folder_holds_patches_as_files(self):
        self.run_program("show", "c.bin", "photos", "--html", "site/")
        text = (self.folder / "site/index.html").read_text()
        sources = re.findall(r'<img [^>]*src="([^"]*)"', text)
        self.assertGreater(len(sources), 12)
        for source in sources:
            self.assertTrue((self.folder / "site" / source).read_bytes().startswith(b"\xff\xd8"), source)

    def test_wrong_usage(self):
        for arguments, words in ((["show"], "takes a vocabulary"), (["show", "c.bin"], "there is no INPUT"),
                                 (["show", "c.bin", "photos", "--html", "w.txt"], "w.txt"), (["show", "c.bin", "photos", "--words", "x"], "--words")):
            self.assert_one_line(self.run_program(*arguments, status=2).stderr, words)
        self.assertEqual(self.run_program("show", "photos/p4.pgm", "photos", status=3).stdout, b"")
        os.link(self.folder / "photos/p4.pgm", self.folder / "photos/w.html")
        done = self.run_program("show", "c.bin", "photos", "--html", "photos/w.html", status=2)
        self.assert_one_line(done.stderr, "would replace")
        done = self.run_program("show", "c.bin", "photos", "--html", "none/w.html", status=3)
        self.assert_one_line(done.stderr, "none/w.html")


class GroupPatches(ProgramTest):
    """The overview of a library's groups has patches of the words that set each apart."""

    def prepare(self):
        (self.folder / "photos").mkdir()
        for seed in range(12):  # two textures: their words differ
            y, x = numpy.mgrid[:200, :260]
            pixels = 120 + 70 * numpy.sin(y / 3.0 + seed) if seed % 2 else 120 + 70 * numpy.sin(x / 9.0 + seed) * numpy.sin(y / 9.0)
            pixels += numpy.random.default_rng(seed).normal(0, 6, pixels.shape)
            (self.folder / f"photos/p{seed:02d}.pgm").write_bytes(b"P5\n260 200\n255\n" + pixels.clip(0, 255).astype(numpy.uint8).tobytes())

    def patches(self, library):
        self.run_program("cluster", library, "--html", "s.html")
        cards = re.findall(r"<summary data-card>.*?</summary>", (self.folder / "s.html").read_text(), re.S)
        return [len(re.findall("<img ", patches[0])) if (patches := re.search(r'<span class="patches".*', card, re.S)) else 0 for card in cards]

    def test_groups_have_patches_where_places_are_known(self):
        self.run_program("index", "-o", "p.bow", "--words-k", "60", "--code-k", "8", "photos")
        self.run_program("index", "-o", "n.bow", "--words-k", "60", "--code-k", "8", "--no-positions", "photos")
        found = self.patches("p.bow")
        self.assertGreaterEqual(len(found), 2)
        self.assertTrue(all(1 <= patches <= 5 for patches in found), found)
        self.assertEqual(set(self.patches("n.bow")), {0})
        for photo in (self.folder / "photos").iterdir():
            photo.unlink()
        self.assertEqual(set(self.patches("p.bow")), {0}, "what is gone has thumbnails, and no patches")


class WordsPage(PageTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        for seed, name in enumerate([*NAMES, *(b"q%02d.pgm" % i for i in range(20))]):
            write_picture(os.path.join(os.fsencode(self.folder), b"photos", name), seed)
        self.run_program("train", "-k", "250", "--extractor", "surf", "--threshold", "5", "-o", "s.bin", "photos")
        self.run_program("show", "s.bin", "photos", "--html", "w.html")

    def test_it_is_sound(self):
        self.assert_sound_everywhere(self.folder / "w.html")

    def numbers(self, page, key):
        return [float(n) for n in page.run(f"return [...document.querySelectorAll('.word')].map(e => e.dataset.{key})")]

    def test_words_are_sorted_by_each_number(self):
        page = self.open(self.folder / "w.html")
        self.assertEqual(self.numbers(page, "count"), sorted(self.numbers(page, "count"), reverse=True))
        for key in ("images", "idf", "order"):
            button = page.find(f"[data-sort={key}]")
            button.click()
            self.assertEqual(self.numbers(page, key), sorted(self.numbers(page, key), reverse=True))
            self.assertEqual(button.get_attribute("aria-pressed"), "true")
            button.click()
            self.assertEqual(self.numbers(page, key), sorted(self.numbers(page, key)))
        self.assertEqual(page.run("return [...document.querySelectorAll('[data-part]')].map(e => e.childElementCount)"), [100, 100, 50])
        self.assert_quiet(page)

    def test_the_filter_and_the_large_view(self):
        page = self.open(self.folder / "w.html", 390)
        page.type("word 17")
        self.assertTrue(all("17" in card.text.split("\n")[0] for card in page.all(".word")))
        self.assertGreaterEqual(len(page.all(".word")), 1)
        page.press("\ue00c")  # Esc
        page.settle()
        page.find("[data-thumb]").click()
        self.assertIn("distance", page.find("dialog.lightbox").text)
        self.assert_quiet(page)

    def test_without_scripts_there_are_patches(self):
        page = self.open(self.folder / "w.html", scripts=False)
        self.assertGreater(len(page.all(".word img")), 100)
        self.assertEqual(page.all("[data-sort]"), [])


if __name__ == "__main__":
    unittest.main()
