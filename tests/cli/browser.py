"""A headless Chromium for the tests of pages, and what holds for every page.

    class Pages(PageTest):
        def test_a_page(self):
            page = self.open(self.folder / "sheet.html", width=390, dark=True)
            self.assert_sound(page)          # console, requests, names, contrast, focus, language, title
            page.press("/"); page.find("[data-filter]").send_keys("dog")

Without Chromium, its driver or Selenium the tests are skipped. A page is a file, or a URL of `bowhist serve`.
"""
import json
import os
import pathlib
import shutil
import tempfile
import time
import unittest
import urllib.parse

from program import ProgramTest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    MISSING = next((f"{name} is not here" for name in ("chromium", "chromedriver") if not shutil.which(name)), "")
except ImportError:
    Keys = None
    MISSING = "python3-selenium is not here"

WIDTHS = {390: 844, 1280: 800}

# Elements that the Tab key reaches.
STOPS = """
return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(e =>
  e.tabIndex >= 0 && !e.disabled && (e.type !== 'radio' || e.checked) && e.checkVisibility({visibilityProperty: true}));
"""

# Texts whose contrast with what is behind them is below 4.5, with the ratio.
FAINT = """
const parse = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1]; };
const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b; };
const ground = element => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) { layers.push(parse(getComputedStyle(e).backgroundColor)); if (layers.at(-1)[3] === 1) break; }
  const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
  return layers.reverse().reduce((below, top) => over(top, below), canvas);
};
const faint = [];
const look = (element, color, text) => {
  if (element.closest('[disabled], svg')) return;
  let opacity = 1;
  for (let e = element; e; e = e.parentElement) opacity *= getComputedStyle(e).opacity;
  const below = ground(element), top = parse(color);
  const above = over([...top.slice(0, 3), top[3] * opacity], below);
  const [a, b] = [light(above), light(below)].sort((x, y) => y - x);
  const ratio = (a + .05) / (b + .05);
  if (ratio < 4.5) faint.push(`${ratio.toFixed(2)} ${element.tagName} ${text.trim().slice(0, 40)}`);
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let n; (n = walker.nextNode());)
  if (n.data.trim() && n.parentElement.checkVisibility() && !['SCRIPT', 'STYLE'].includes(n.parentElement.tagName))
    look(n.parentElement, getComputedStyle(n.parentElement).color, n.data);
for (const input of document.querySelectorAll('input[placeholder]'))
  if (input.checkVisibility()) look(input, getComputedStyle(input, '::placeholder').color, input.placeholder);
return faint;
"""

# What a reader of the screen would miss.
UNNAMED = """
const bad = [];
const named = e => (e.getAttribute('aria-label') || e.title || e.textContent || e.alt || '').trim() ||
  [...e.querySelectorAll('img[alt]')].some(i => i.alt.trim()) || (e.labels && [...e.labels].some(l => l.textContent.trim()));
if (!document.documentElement.lang) bad.push('no language');
if (!document.title.trim()) bad.push('no title');
if (document.querySelectorAll('main').length !== 1) bad.push('not one main');
if (document.querySelectorAll('h1').length !== 1) bad.push('not one h1');
for (const e of document.querySelectorAll('img')) if (!e.hasAttribute('alt')) bad.push('no alt: ' + e.outerHTML.slice(0, 90));
for (const e of document.querySelectorAll('svg'))
  if (e.getAttribute('aria-hidden') !== 'true' && !e.getAttribute('aria-label') && !e.querySelector('title')) bad.push('no name: svg');
for (const e of document.querySelectorAll('a[href], button, input, select, summary, dialog[open]'))
  if (!named(e)) bad.push('no name: ' + e.outerHTML.slice(0, 90));
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
if (new Set(ids).size !== ids.length) bad.push('an id stands twice');
let level = 0;
for (const h of document.querySelectorAll('h1, h2, h3, h4')) { const l = +h.tagName[1]; if (l > level + 1) bad.push('a heading skips a level: ' + h.textContent); level = l; }
return bad;
"""

FOCUS_SHOWS = """
const e = document.activeElement, s = getComputedStyle(e);
return e === document.body || s.outlineStyle === 'auto' || (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2) || s.boxShadow !== 'none';
"""


class Page:
    """A page that is open."""

    def __init__(self, driver, url, width):
        self.driver, self.url, self.width = driver, url, width

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        """The elements that are shown."""
        return self.run("return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())", selector)

    def press(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def type(self, text):
        self.press("/")
        self.press(text)
        self.settle()

    def settle(self):
        """Waits for two frames."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def wait_for(self, script, seconds=10):
        """@return what the script returns, as soon as that is true"""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {script}")
            time.sleep(0.02)
        return value

    def stops(self):
        return self.run(STOPS)

    def height(self):
        return self.run("return document.documentElement.scrollHeight")

    def complaints(self):
        """What the console says since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING") and "favicon" not in entry["message"]]

    def requests(self):
        """URLs that were asked for since the last call."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def shoot(self, path):
        self.driver.save_screenshot(str(path))


def url_of(place):
    place = os.fsdecode(place)
    if place.startswith("http"):
        return place
    return "file://" + urllib.parse.quote(os.fsencode(os.path.abspath(place)))


def start_browser(folder, *further):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                     "--disable-background-networking", "--disable-extensions", f"--user-data-dir={folder}/profile", *further):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": f"{folder}/downloads"})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def look_at(driver, width, dark, height=None):
    """Sets the size of the window and the color scheme."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height or WIDTHS.get(width, 800), "deviceScaleFactor": 1, "mobile": width < 600})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})


@unittest.skipIf(MISSING, MISSING)
class PageTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        profile = tempfile.TemporaryDirectory(prefix="bowhist-browser-", ignore_cleanup_errors=True)
        cls.addClassCleanup(profile.cleanup)
        cls.downloads = pathlib.Path(profile.name) / "downloads"
        cls.driver = start_browser(profile.name)
        cls.addClassCleanup(cls.driver.quit)

    def open(self, place, width=1280, dark=False, scripts=True):
        """Opens a file or a URL."""
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        look_at(self.driver, width, dark)
        page = Page(self.driver, url_of(place), width)
        self.driver.get("about:blank")
        page.complaints(), page.requests()
        self.driver.get(page.url)
        return page

    def downloaded(self, name, seconds=10):
        """@return the bytes of a file that the page gave"""
        end = time.monotonic() + seconds
        while not (self.downloads / name).exists() or not (self.downloads / name).stat().st_size:
            self.assertLess(time.monotonic(), end, f"{name} was not downloaded")
            time.sleep(0.02)
        return (self.downloads / name).read_bytes()

    def assert_quiet(self, page):
        """Nothing in the console, and no request that leaves the page."""
        self.assertEqual(page.complaints(), [])
        own = page.url.rsplit("/", 1)[0] if page.url.startswith("file:") else "/".join(page.url.split("/", 3)[:3])
        folder = "file://" + urllib.parse.quote(str(self.folder))
        self.assertEqual([url[:200] for url in page.requests() if not url.startswith((own, folder, "data:", "blob:", "about:"))], [])

    def assert_legible(self, page):
        self.assertEqual(page.run(FAINT), [])
        self.assertEqual(page.run(UNNAMED), [])
        self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), page.width, "the page scrolls sideways")

    def assert_focus_shows(self, page, steps=12):
        for _ in range(steps):
            page.press(Keys.TAB)
            self.assertTrue(page.run(FOCUS_SHOWS), page.run("return document.activeElement.outerHTML.slice(0, 200)"))

    def assert_small(self, page, stops=400, height=40_000):
        """Before anything is opened, at 390 pixels."""
        self.assertLessEqual(len(page.stops()), stops)
        self.assertLessEqual(page.height(), height)

    def assert_sound(self, page):
        page.settle()
        self.assert_quiet(page)
        self.assert_legible(page)

    def assert_sound_everywhere(self, place):
        """At both widths, light and dark."""
        for width in WIDTHS:
            for dark in (False, True):
                with self.subTest(width=width, dark=dark):
                    page = self.open(place, width, dark)
                    self.assert_sound(page)
                    if width == 390:
                        self.assert_small(page)
        self.assert_focus_shows(page)
