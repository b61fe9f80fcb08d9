"""Plots of train and bench in a browser: on a phone and a wide screen, light and dark, no label lies on another."""
import unittest

from browser import PageTest
from program import write_picture

# Boxes of texts that overlap, or leave the plot.
FAULTS = """
const faults = [];
for (const plot of document.querySelectorAll('svg.plot')) {
  const texts = [...plot.querySelectorAll('text')].map(t => [t.textContent, t.getBBox()]), box = plot.viewBox.baseVal;
  texts.forEach(([words, a], i) => {
    if (a.x < 0 || a.x + a.width > box.width || a.y + a.height > box.height) faults.push(words + ' leaves it');
    for (const [other, b] of texts.slice(i + 1)) // a line's box is higher than its letters
      if (a.x < b.x + b.width && b.x < a.x + a.width && a.y + 3 < b.y + b.height && b.y + 3 < a.y + a.height) faults.push(`${words} lies on ${other}`);
  });
}
return faults;
"""


class Plots(PageTest):
    def prepare(self):
        write_picture(self.folder / "p.pgm", 1)
        self.run_program("train", "-k", "8", "--init", "random", "--iterations", "12", "--plot", "t.svg", "-o", "c.bin", "p.pgm")
        self.run_program("bench", "transpose", "-n", "64", "--rounds", "1", "--plot", "b.html")
        self.run_program("bench", "transpose", "-n", "64", "--rounds", "1", "--plot", "b.svg")

    def test_no_label_lies_on_another(self):
        for name in ("t.svg", "b.svg", "b.html"):
            for width in (390, 1280):
                for dark in (False, True):
                    page = self.open(self.folder / name, width, dark)
                    self.assertEqual(page.run(FAULTS), [], name)
                    self.assert_quiet(page)
                    # of a file of its own, whose page a phone shrinks
                    shown = page.run("const t = document.querySelector('text'); return t.getBoundingClientRect().height * (visualViewport?.scale ?? 1)")
                    self.assertGreater(shown, 11, "legible")

    def test_the_page_is_sound(self):
        self.assert_sound_everywhere(self.folder / "b.html")

    def test_it_is_dark_in_the_dark(self):
        for name in ("t.svg", "b.svg"):
            grounds = [self.open(self.folder / name, 390, dark).run("return getComputedStyle(document.querySelector('.ground')).fill") for dark in (False, True)]
            self.assertEqual(grounds, ["rgb(255, 255, 255)", "rgb(19, 20, 22)"])


if __name__ == "__main__":
    unittest.main()
