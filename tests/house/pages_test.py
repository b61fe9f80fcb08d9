"""The pages quote the kernels as they are, their links lead somewhere, and their lines are short.

A quote is a fenced block that names its file: ```c cl/ladder/gpu1.cl. A line of three dots leaves
something out. A diff names two files. Code in a page that names none would go stale unseen.
"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()
PAGES = sorted(SOURCE.glob("*.md")) + sorted((SOURCE / "docs").rglob("*.md"))
BLOCK = re.compile(r"^```(\w*) ?(.*)\n((?:.*\n)*?)```$", re.M)


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def holds(whole, part):
    return any(whole[i:i + len(part)] == part for i in range(len(whole) - len(part) + 1))


class Pages(unittest.TestCase):
    def test_quotes_are_what_the_kernels_say(self):
        quotes = 0
        for page in PAGES:
            for kind, files, text in BLOCK.findall(page.read_text()):
                if not files:
                    continue
                files = [lines_of((SOURCE / name).read_text()) for name in files.split()]
                with self.subTest(page=page.name, text=text):
                    if kind == "diff":
                        for mark, file in zip("<>", files):
                            for line in re.findall(f"^{mark}(.*)$", text, re.M):
                                self.assertIn(line.strip(), file)
                    else:
                        for part in text.split("...\n"):
                            self.assertTrue(holds(files[0], lines_of(part)), part)
                quotes += 1
        self.assertGreater(quotes, 5)

    def test_code_stands_in_quotes(self):
        for page in (SOURCE / "docs").rglob("*.md"):
            for line in BLOCK.sub("", page.read_text()).splitlines():
                code = line.isascii() and re.match(r"    .*;\s*(//.*)?$", line)
                self.assertFalse(code, f"{page.name}: {line}")

    def test_links_lead_somewhere(self):
        for page in PAGES:
            text = BLOCK.sub("", page.read_text())
            for name, anchor in re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)", text):
                target = page.parent / name if name else page
                self.assertTrue(target.exists(), f"{page.name}: {name}")
                if anchor:
                    titles = re.findall(r"^#+ (.*)$", target.read_text(), re.M)
                    anchors = [re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles]
                    self.assertIn(anchor, anchors, page.name)

    def test_lines_are_short(self):
        for page in PAGES:
            for line in BLOCK.sub("", page.read_text()).splitlines():
                if not line.startswith(("|", "    ", "#")) and "](" not in line:
                    self.assertLessEqual(len(line), 100, f"{page.name}: {line}")


if __name__ == "__main__":
    unittest.main()
