"""Pages on paper, names that would turn around, and what a reader of the screen hears."""
import shutil
import unittest

from browser import PageTest

# What is dark, fixed in place, or a control, where it is printed.
WRONG_ON_PAPER = """
const light = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return a === 0 ? 1 : (r + g + b) / 765; };
const wrong = [];
for (const e of document.body.querySelectorAll('*')) {
  if (!e.checkVisibility({visibilityProperty: true})) continue;
  const s = getComputedStyle(e), box = e.getBoundingClientRect();
  if (box.width < 2) continue;
  if (['fixed', 'sticky'].includes(s.position) && e.tagName !== 'TH') wrong.push('stays in place: ' + e.outerHTML.slice(0, 60));
  if (['BUTTON', 'INPUT', 'SELECT'].includes(e.tagName)) wrong.push('control: ' + e.outerHTML.slice(0, 60));
  if (e.matches('svg, svg *')) continue;
  if (light(s.backgroundColor) < .8) wrong.push('dark: ' + e.outerHTML.slice(0, 60));
  if (light(s.color) > .65) wrong.push('faint: ' + e.outerHTML.slice(0, 60));
}
if (light(getComputedStyle(document.body).backgroundColor) < .8) wrong.push('dark page');
return wrong;
"""


class Printed(PageTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        self.write_pictures([f"photos/p{i:02}.pgm" for i in range(12)], 320, 240)
        shutil.copy(self.folder / "photos/p00.pgm", self.folder / "photos/‮mgp.exe.pgm")
        self.run_program("index", "-q", "-o", "p.bow", "--words-k", "100", "--code-k", "4", "--kernel", "simd", "photos")
        self.run_program("cluster", "-q", "p.bow", "--html", "cluster.html", "--labels", "folders")
        self.run_program("duplicates", "-q", "p.bow", "-o", "d.csv", "--html", "copies.html")
        self.run_program("search", "-q", "p.bow", "--kernel", "simd", "--check", "--html", "results.html", "photos/p01.pgm")
        self.run_program("show", "-q", "p.bow", "--html", "words.html")

    def test_paper_is_light_and_has_no_controls(self):
        for name in ("cluster", "copies", "results", "words"):
            with self.subTest(name):
                page = self.open(self.folder / f"{name}.html", dark=True)
                self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
                self.addCleanup(self.driver.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"media": ""})
                page.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
                page.settle()
                self.assertEqual(page.run(WRONG_ON_PAPER), [])
                self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_no_name_shows_another_ending_than_it_has(self):
        for name in ("cluster", "copies"):
            page = self.open(self.folder / f"{name}.html")
            page.run("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            shown = page.run("return document.body.innerText")
            self.assertIn("�mgp.exe.pgm", shown)
            self.assertNotIn("‮", shown)
        page = self.open(self.folder / "cluster.html")
        page.run("document.querySelectorAll('details').forEach(one => { one.open = true; });"
                 "[...document.querySelectorAll('[data-thumb]')].find(one => one.dataset.path.includes('mgp')).click()")
        self.assertEqual(page.find(".lightbox bdi").text, "�mgp.exe.pgm")

    def test_what_a_dialog_does_is_heard_within_it(self):
        page = self.open(self.folder / "cluster.html")
        page.run("document.querySelectorAll('details').forEach(one => { one.open = true; }); document.querySelector('[data-thumb]').click()")
        self.assertEqual(page.run("return document.querySelector('.lightbox .about [aria-live]').textContent.includes('1 of')"), True)
        page.press("c")
        page.wait_for("return document.querySelector('dialog[open] [role=status]')?.textContent.startsWith('Copied ')")

    def test_the_bar_has_one_line_whatever_the_title(self):
        page = self.open(self.folder / "cluster.html")
        before = page.run("return document.querySelector('.bar').offsetHeight")
        page.run("document.querySelector('.bar .here').textContent = 'a name '.repeat(60)")
        self.assertEqual(page.run("return document.querySelector('.bar').offsetHeight"), before)


if __name__ == "__main__":
    unittest.main()
