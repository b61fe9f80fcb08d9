"""The pages of the server in a browser: dropped images, neighbors, parts, and pages without scripts."""
import unittest

from browser import PageTest
from program import write_picture
from server import Server
from serve_test import numpy_scaled

DROP = """
const [bytes, done] = arguments, data = new DataTransfer();
data.items.add(new File([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], 'new.pgm', {type: 'image/x-portable-graymap'}));
document.dispatchEvent(new %s('%s', {bubbles: true, cancelable: true, %s: data}));
"""


class ServedPages(PageTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        self.write_pictures([f"photos/p{i}.pgm" for i in range(8)] + ["photos/‮<b>&.pgm"], 320, 240)
        (self.folder / "photos/large.pgm").write_bytes(numpy_scaled(self.folder / "photos/p1.pgm"))
        self.run_program("index", "-q", "-o", "p.bow", "--words-k", "100", "--code-k", "4", "--kernel", "simd", "photos")
        self.run_program("cluster", "-q", "p.bow", "--html", "sheet.html")

    def setUp(self):
        super().setUp()
        self.server = Server("p.bow", "--kernel", "simd", folder=self.folder)
        self.addCleanup(self.server.__exit__)

    def at(self, path, **options):
        return self.open(self.server.address.rstrip("/") + path, **options)

    def test_every_page_is_sound(self):
        self.run_program("duplicates", "-q", "p.bow", "--not-same", "photos/p2.pgm", "photos/p3.pgm")
        for path in ("/", "/images/2", "/images/2?region=10,10,200,100", "/groups", "/groups/0", "/duplicates", "/not-same", "/words", "/status"):
            with self.subTest(path):
                self.assert_sound_everywhere(self.server.address.rstrip("/") + path)

    def test_an_image_that_is_dropped_or_pasted_is_searched_for(self):
        import base64
        write_picture(self.folder / "new.pgm", 3, 320, 240)  # as p3.pgm
        sent = base64.b64encode((self.folder / "new.pgm").read_bytes()).decode()
        for kind, event, holder in (("DragEvent", "drop", "dataTransfer"), ("ClipboardEvent", "paste", "clipboardData")):
            with self.subTest(event):
                page = self.at("/")
                page.run(DROP % (kind, event, holder), sent)
                page.wait_for("return location.pathname === '/search' && document.querySelector('figure') !== null")
                self.assertIn("p3.pgm", page.find("figure figcaption").text)
                self.assert_quiet(page)

    def test_rows_keep_their_place_while_images_come(self):
        page = self.at("/")
        page.wait_for("return [...document.querySelectorAll('.grid img')].every(one => one.complete)")
        self.assertEqual(page.run("return [...document.querySelectorAll('.grid img')].filter(one => !(Math.abs("
                                  "one.getAttribute('width') / one.getAttribute('height') - one.naturalWidth / one.naturalHeight) < 0.02)).length"), 0)

    def test_a_file_may_be_chosen_without_scripts(self):
        write_picture(self.folder / "new.pgm", 4, 320, 240)
        page = self.at("/", scripts=False)
        page.find("input[type=file]").send_keys(str(self.folder / "new.pgm"))
        page.find("form.drop button").click()
        page.wait_for("return location.pathname === '/search' && document.querySelector('figure figcaption') !== null")
        self.assertIn("p4.pgm", page.find("figure figcaption").text)

    def test_a_neighbor_leads_on(self):
        for scripts in (True, False):
            page = self.at("/images/3", scripts=scripts)
            link = page.find("figure a")
            target = link.get_attribute("href")
            link.click()
            self.assertEqual(page.driver.current_url, target)
            self.assertIn("/images/", target)
            self.assertTrue(page.all("figure"))

    def test_a_part_is_drawn(self):
        from selenium.webdriver import ActionChains
        page = self.at("/images/3")
        view = page.find("[data-region]")
        page.wait_for("return document.querySelector('.view img').complete")
        ActionChains(page.driver).move_to_element_with_offset(view, -60, -50).click_and_hold().move_by_offset(100, 90).release().perform()
        page.wait_for("return location.search.startsWith('?region=')")
        x, y, w, h = map(int, page.driver.current_url.partition("region=")[2].replace("%2C", ",").split(","))
        for got, expected in ((x, 100), (y, 70), (w, 100), (h, 90)):
            self.assertAlmostEqual(got, expected, delta=4)
        self.assertTrue(page.all(".view rect") or page.run("return document.querySelector('.view rect') !== null"))
        self.assertTrue(page.all("figure"))

    def test_a_part_is_given_by_numbers_without_scripts(self):
        from selenium.webdriver.support.ui import WebDriverWait
        page = self.at("/images/3", scripts=False)
        page.find("input[name=region]").send_keys("10,10,200,150")
        page.find("form button:not([data-help])").click()
        WebDriverWait(page.driver, 20).until(lambda driver: "region=10" in driver.current_url)
        self.assertTrue(page.all("figure"))

    def test_not_the_same_takes_copies_apart(self):
        page = self.at("/duplicates")
        self.assertEqual(len(page.all(".pair")), 1)
        page.find("[data-drop-spare]").click()
        self.assertEqual(page.find("[data-drop-count]").text, "1 to drop")
        page.find(".pair button").click()
        page.wait_for("return document.querySelector('h1') && !document.querySelector('.pair') && document.readyState === 'complete'")
        self.assertEqual(page.find("[data-drop-count]").text, "0 to drop", "what is no copy stays")
        self.assertEqual(self.run_program("duplicates", "-q", "p.bow").stdout.decode().count("\n"), 1)

    def test_a_pair_is_the_same_again(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts):
                page = self.at("/duplicates", scripts=scripts)
                page.find(".pair form button").click()
                page.wait_for("return document.querySelector('.tray') && !document.querySelector('.pair')")
                page.find("a[href='/not-same']").click()
                page.wait_for("return document.querySelectorAll('.different button').length === 1")
                self.assertEqual(len(page.driver.find_elements("css selector", ".different img")), 2)
                page.find(".different button").click()
                page.wait_for("return location.pathname === '/not-same' && document.querySelector('h1') && "
                              "!document.querySelector('.different')")
                page = self.at("/duplicates", scripts=scripts)
                self.assertEqual(len(page.driver.find_elements("css selector", ".pair")), 1)
                self.assertFalse(page.driver.find_elements("css selector", "a[href='/not-same']"))

    def test_copies_of_all_pages_are_marked(self):
        import os
        import shutil
        for i in range(60):  # a page has 50 pairs
            shutil.copy(self.folder / "photos/p1.pgm", os.fsencode(self.folder / f"photos/copy{i}") + b"\xff!.pgm")
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", "photos")
        spare = self.run_program("duplicates", "-q", "p.bow", "--print0").stdout
        self.assertEqual(spare.count(b"\0"), 61)
        server = Server("p.bow", "--kernel", "simd", folder=self.folder)
        self.addCleanup(server.__exit__)
        page = self.open(server.address + "duplicates?page=2")
        self.assertEqual(len(page.all(".pair")), 11)
        self.assertIn("(all pages)", page.find("[data-drop-spare]").text)
        page.find("[data-drop-spare]").click()
        page.wait_for("return document.querySelector('[data-drop-count]').value === '61 to drop'")
        page.find("[data-drop-list=nul]").click()
        self.assertEqual(sorted(self.downloaded("drop.0").split(b"\0")), sorted(spare.split(b"\0")))
        page = self.open(server.address + "duplicates")
        self.assertEqual(page.find("[data-drop-count]").text, "61 to drop")
        self.assertEqual(page.run("return document.querySelectorAll('[data-spare]:not(:checked)').length"), 0)
        server.end()
        page.find("[data-drop-none]").click()
        page.find("[data-drop-spare]").click()
        page.wait_for("return document.querySelector('[data-drop-count]').value.startsWith('Nothing was marked')")


if __name__ == "__main__":
    unittest.main()
