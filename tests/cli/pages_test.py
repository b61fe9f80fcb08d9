"""The pages of cluster and duplicates in a browser: at 390 and 1280 pixels, light and dark, by keys, without scripts."""
import html.parser
import os
import unicodedata
import unittest

import numpy

from browser import Keys, PageTest
from program import write_picture

NAMES = [b"deep/er/a.pgm", b"<b>bold<b>.pgm", b"<img src=x onerror=alert(1)>.pgm", b'quo"te&amp;.pgm', "rtl \u202egpj.pgm".encode(), b"\xff\xfe.pgm", unicodedata.normalize("NFD", "grün 東京.pgm").encode(),
         b"new\nline.pgm", b"100%25 #1?.pgm", b"long " + b"name " * 40 + b".pgm"]


class Sheet(PageTest):
    def prepare(self):
        (self.folder / "deep/er").mkdir(parents=True)
        names = [*NAMES, *(b"p%02d.pgm" % i for i in range(30))]
        for seed, name in enumerate(names):
            write_picture(os.path.join(os.fsencode(self.folder), name), seed, 240, 120 + 60 * (seed % 4))
        self.write_centroids()
        self.run_program("--centroids", "c.bin", "-o", "h.npz", "--", *names)
        rows = dict(numpy.load(self.folder / "h.npz"))
        groups = numpy.arange(len(names)) % 5
        rows["histograms"] = (numpy.eye(5, 32)[groups] * 90 + numpy.random.default_rng(1).integers(0, 5, (len(names), 32))).astype("<u4")
        rows["histograms"][20, :] = rows["histograms"][20, ::-1]
        numpy.savez(self.folder / "h.npz", **rows)
        with open(self.folder / "labels.csv", "wb") as file:
            file.write(b"image,label\n" + b"".join(b"p%02d.pgm,%s\n" % (i, b"<i>odd</i>" if i % 2 else b"even") for i in range(30)))
        self.run_program("cluster", "-k", "5", "--html", "s.html", "--labels", "labels.csv", "h.npz")
        self.run_program("cluster", "-k", "5", "--html", "site/", "h.npz")
        self.run_program("cluster", "-k", "5", "--outliers", "--html", "odd.html", "h.npz")

    def group_page(self):
        return next((self.folder / "site").glob("index.bowhist-*")) / "group-0.html"

    def test_every_page_is_sound(self):
        for place in ("s.html", "site/index.html", self.group_page()):
            with self.subTest(place=str(place)):
                self.assert_sound_everywhere(self.folder / place)

    def test_an_open_group_is_sound(self):
        for width in (390, 1280):
            page = self.open(self.folder / "s.html", width)
            for group in page.all("details.card > summary"):
                self.driver.execute_script("arguments[0].click()", group)
            self.assert_sound(page)
            self.assertEqual(len(page.all("[data-thumb]")), 40)

    def test_keys(self):
        page = self.open(self.folder / "s.html")
        page.press(Keys.TAB)
        self.assertEqual(page.run("return document.activeElement.className"), "skip")
        page.find("[data-card]").send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(page.run("return document.activeElement.closest('.card').id"), "group-1")
        page.press(Keys.ARROW_LEFT, Keys.ENTER, Keys.TAB)
        at = "return [...document.querySelectorAll('#group-0 [data-thumb]')].indexOf(document.activeElement)"
        self.assertEqual(page.run(at), 0, "one step from the card to its first picture")
        page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(page.run(at), 2)
        page.press(Keys.END)
        self.assertEqual(page.run(at), len(page.all("#group-0 [data-thumb]")) - 1)
        page.press(Keys.HOME, Keys.ARROW_DOWN)
        self.assertGreater(page.run(at), 1)
        page.press(Keys.HOME, Keys.ENTER)
        path = "return document.querySelector('.lightbox .path').textContent"
        first = page.run(path)
        self.assertEqual(first, page.run("return document.querySelector('#group-0 [data-thumb]').dataset.path"))
        self.assert_quiet(page)
        self.assert_legible(page)
        page.press(Keys.ARROW_RIGHT)
        self.assertNotEqual(page.run(path), first)
        page.press(Keys.ESCAPE)
        self.assertEqual(page.all("dialog"), [])
        page.wait_for(f"{at} === 1")  # the focus returns to what was shown last
        page.press("?")
        self.assertIn("filter", page.find("dialog[open]").text)
        self.assert_legible(page)
        page.press(Keys.ESCAPE)

    def test_the_filter(self):
        for place, items in (("s.html", "#group-0 [data-item], [data-item]"), (self.group_page(), "[data-item]")):
            page = self.open(self.folder / place)
            page.type("p0")
            names = page.run(f"return [...document.querySelectorAll('{items}')].filter(e => !e.hidden).map(e => e.textContent)")
            self.assertTrue(names and all("p0" in name for name in names), names)
            self.assertIn(f"{len(names)} of ", page.find("[data-found]").text)
            page.press(Keys.ESCAPE)
            page.settle()
            self.assertEqual(page.run("return document.querySelectorAll('main [hidden]').length"), 0)
        page = self.open(self.folder / "s.html")
        for form in ("NFC", "NFD"):
            page.type(unicodedata.normalize(form, "GRÜN"))
            self.assertIn("1 of 40", page.find("[data-found]").text)
            page.press(Keys.ESCAPE)
            page.settle()
        page = self.open(self.folder / "site/index.html")
        page.type("group 3")
        self.assertEqual([card.get_attribute("id") for card in page.all(".card")], ["group-3"])

    def test_the_way_back(self):
        page = self.open(self.folder / "site/index.html")
        page.find("#group-2 a").click()
        self.assertIn("group-2.html", self.driver.current_url)
        page.press("u")
        page.wait_for("return location.href.endsWith('index.html#group-2')")

    def test_names_are_names(self):
        page = self.open(self.folder / "s.html")
        self.assertEqual(page.run("return document.querySelectorAll('main b, main i').length"), 0)
        paths = set(page.run("return [...document.querySelectorAll('[data-thumb]')].map(e => e.dataset.bytes ?? e.dataset.path)"))
        self.assertEqual({name.decode() for name in NAMES if name[0] < 128} | {"%FF%FE.pgm"}, paths - {f"p{i:02d}.pgm" for i in range(30)})
        self.assertEqual(page.run("return document.querySelectorAll('figcaption > bdi').length"), 40)

    def test_without_scripts(self):
        page = self.open(self.folder / "s.html", scripts=False)
        page.find("details.card > summary").click()
        self.assertEqual(page.all("[data-needs-script]"), [])
        self.assertGreater(len(page.all("#group-0 img")), 4)
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        self.assertTrue(page.run("return [...document.querySelectorAll('#group-0 img')].every(i => i.naturalWidth)"))

    def test_odd_ones_are_marked(self):
        page = self.open(self.folder / "odd.html")
        self.assertEqual(len(page.run("return [...document.querySelectorAll('#nowhere .mark')]")) > 0, True)
        self.open(self.folder / "s.html")
        marked = page.run("return [...document.querySelectorAll('figure.odd [data-thumb]')].map(e => e.dataset.path)")
        self.assertIn("p10.pgm", marked)

    def test_labels_are_a_table(self):
        page = self.open(self.folder / "s.html")
        self.assertEqual(page.all("table"), [], "the overview comes first")
        page.find(".section > summary").click()
        self.assertEqual([cell.text for cell in page.all("thead th")], ["group", "<i>odd</i>", "even"])
        self.assertEqual(len(page.all("tbody tr")), 5)
        self.assertEqual(sum(int(cell.text) for cell in page.all("td")), 30)

    def test_no_element_needs_what_the_policy_refuses(self):
        for path in [self.folder / "s.html", *(self.folder / "site").rglob("*.html")]:
            text = path.read_text()
            self.assertIn("default-src 'none'; script-src 'sha256-", text)
            parser = html.parser.HTMLParser()
            refused = []
            parser.handle_starttag = lambda tag, attributes: refused.extend(
                name for name, _ in attributes if name == "style" or name.startswith("on"))
            parser.feed(text)
            self.assertEqual(refused, [])


class Copies(PageTest):
    def prepare(self):
        for folder in ("photos/edited", "photos/\u202eback"):
            (self.folder / folder).mkdir(parents=True)
        for seed in range(3):
            write_picture(self.folder / f"photos/p{seed}.pgm", seed, 960, 720)
            os.utime(self.folder / f"photos/p{seed}.pgm", (1_300_000_000, 1_300_000_000))  # before what is made of it
            header, pixels = (self.folder / f"photos/p{seed}.pgm").read_bytes().split(b"\n255\n", 1)
            pixels = numpy.frombuffer(pixels, numpy.uint8).reshape(720, 960)
            for name, edit in (("part", pixels[60:660, 120:840]), ("mirror", pixels[:, ::-1])):
                edit = numpy.ascontiguousarray(edit)
                place = os.path.join(os.fsencode(self.folder), b"photos/edited/%d-%s\xff<i>.pgm" % (seed, name.encode()))
                with open(place, "wb") as file:
                    file.write(b"P5\n%d %d\n255\n" % edit.shape[::-1] + edit.tobytes())
        self.run_program("duplicates", "photos", "--html", "c.html", "-o", "c.csv")
        self.run_program("duplicates", "photos", "--html", "copies/", "-o", "c.csv")

    def test_every_page_is_sound(self):
        for place in ("c.html", "copies/index.html"):
            self.assert_sound_everywhere(self.folder / place)

    def test_views(self):
        page = self.open(self.folder / "c.html")
        self.assertEqual(len(page.all(".pair")), 6)
        self.assertEqual(len(page.all(".pair svg[role]")), 12)
        page.find(".pair [value=flicker]").send_keys(" ")
        self.assertEqual(len(page.all(".pair .over")), 1)
        page.press("3")
        self.assertTrue(page.run("return document.querySelector('.pair [value=difference]').checked"))
        self.assert_sound(page)
        page.press("1")
        self.assertEqual(page.all(".pair .over"), [])

    def test_views_without_scripts(self):
        page = self.open(self.folder / "c.html", scripts=False)
        page.find(".pair .views label:nth-child(3)").click()
        self.assertEqual(len(page.all(".pair .over")), 1)

    def test_a_list_to_drop(self):
        page = self.open(self.folder / "c.html")
        self.assertEqual(page.find("[data-drop-count]").text, "0 to drop")
        page.find("[data-drop-spare]").click()
        self.assertEqual(page.find("[data-drop-count]").text, "6 to drop")
        self.assertEqual(page.all("[data-nothing-left]"), [])
        spare = self.run_program("duplicates", "photos", "--print0").stdout
        for kind, ending, name in (("nul", b"\0", "drop.0"), ("lines", b"\n", "drop.txt")):
            page.find(f"[data-drop-list={kind}]").click()
            self.assertEqual(sorted(self.downloaded(name).split(ending)), sorted(spare.split(b"\0")))
        self.driver.refresh()
        self.assertEqual(page.find("[data-drop-count]").text, "6 to drop", "marks stay")
        for mark in page.all("#group-1 [data-mark]:not([data-spare])")[:1]:
            mark.click()
        self.assertEqual(len(page.all("[data-nothing-left]")), 1)
        page.find("[data-drop-none]").click()
        self.assertEqual(page.run("return document.querySelectorAll('[data-mark]:checked').length"), 0)
        self.assert_quiet(page)

    def test_the_filter(self):
        page = self.open(self.folder / "c.html")
        page.type("mirror")
        self.assertEqual(len(page.all(".pair")), 3)


class Checks(PageTest):
    """Each check sees what it is there for."""

    def fault(self, markup, check):
        (self.folder / "page.html").write_text(
            '<!DOCTYPE html><html lang="en"><title>t</title><link rel="icon" href="data:,"><main><h1>h</h1>' + markup + "</main>")
        page = self.open(self.folder / "page.html")
        try:
            check(page)
        except AssertionError as error:
            return str(error)
        return ""

    def test_faults_are_seen(self):
        sound = '<p>plain</p><img alt="" src="data:,"><a href="#x">link</a>'
        self.assertEqual(self.fault(sound, self.assert_legible), "")
        self.assertEqual(self.fault(sound, self.assert_focus_shows), "")
        for markup, word in (('<p style="color:#999">faint</p>', "faint"), ('<p style="opacity:.5">pale</p>', "pale"),
                             ('<img src="data:,">', "no alt"), ("<button></button>", "no name"), ("<input>", "no name"),
                             ("<h4>deep</h4>", "skips a level"), ('<p id="a"><p id="a">', "stands twice"),
                             ('<div style="width:3000px">wide</div>', "sideways")):
            self.assertIn(word, self.fault(markup, self.assert_legible))
        self.assertIn("boom", self.fault("<script>throw new Error('boom')</script>", self.assert_quiet))
        self.assertIn("127.0.0.1", self.fault('<img alt="" src="http://127.0.0.1:9/x.png">', self.assert_quiet))
        self.assertIn("<a", self.fault('<a href="#x" style="outline:none">link</a>', lambda page: self.assert_focus_shows(page, 1)))
        self.assertIn("401", self.fault("<button>b</button>" * 401, self.assert_small))


if __name__ == "__main__":
    unittest.main()
