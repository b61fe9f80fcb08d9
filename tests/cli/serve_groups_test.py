"""Groups that a library keeps, as the server shows them: in the order of `cluster --html`."""
import html
import re
import sqlite3
import time
import unittest

from serve_test import ServeTest


class Groups(ServeTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        self.write_pictures([f"photos/p{i:02}.pgm" for i in range(40)], 320, 240)
        self.expected = self.index("words,code")

    def index(self, what):
        """Makes p.bow and its groups. @return the images of each, in the order of the sheet"""
        (self.folder / "p.bow").unlink(missing_ok=True)
        self.run_program("index", "-q", "-o", "p.bow", "--describe", what, *(["--words-k", "100"] if "words" in what else []),
                         *(["--code-k", "4"] if "code" in what else []), "--kernel", "simd", "photos")
        self.run_program("cluster", "-q", "p.bow", "-k", "3", "--method", "kmeans", "--html", "sheet.html")
        sheet = (self.folder / "sheet.html").read_text()
        groups = {}
        for part in sheet.split('<details class="card" id="group-')[1:]:
            inside = part.partition('class="inside"')[2]
            groups[int(part.partition('"')[0])] = [html.unescape(path) for path in re.findall(r' data-path="([^"]*)"', inside)]
        self.assertEqual(sum(map(len, groups.values())), 40)
        return groups

    def shown(self, server, path):
        _, heads, body = server.ask(path)
        while heads.get("Refresh"):
            time.sleep(0.1)
            _, heads, body = server.ask(path)
        return body.decode()

    def names(self, server, ids):
        return [server.json(f"/api/images/{id}")["image"] for id in ids]

    def cards(self, server):
        """@return the images of each group's card"""
        cards = {}
        for card in self.shown(server, "/groups").split('<div class="card"')[1:]:
            group = int(re.search(r'href="/groups/(-?\d+)"', card)[1])
            cards[group] = self.names(server, re.findall(r'src="/thumbnails/(\d+)"', card))
        return cards

    def test_the_most_typical_image_comes_first(self):
        for what in ("words,code", "words", "code"):
            with self.subTest(what):
                groups = self.index(what)
                with self.serve() as server:
                    self.assertEqual(self.cards(server), {group: images[:4] for group, images in groups.items()})
                    for group, images in groups.items():
                        ids = re.findall(r'href="/images/(\d+)"', self.shown(server, f"/groups/{group}"))
                        self.assertEqual(self.names(server, ids), images)

    def test_cards_have_the_patches_of_words(self):
        with self.serve() as server:
            for _ in range(100):
                page = self.shown(server, "/groups")
                if 'class="patches"' in page:
                    break
                time.sleep(0.1)
            sheet = (self.folder / "sheet.html").read_text()
            patches = [re.findall(r'src="(data:[^"]*)"', part.partition("</span>")[0]) for part in sheet.split('class="patches"')[1:]]
            shown = [re.findall(r'src="(data:[^"]*)"', part.partition("</span>")[0]) for part in page.split('class="patches"')[1:]]
            self.assertTrue(patches)
            self.assertEqual(sorted(shown), sorted(patches))

    def test_other_groups_take_their_place(self):
        with self.serve() as server:
            self.cards(server)
            self.run_program("cluster", "-q", "p.bow", "-k", "2", "--method", "kmeans", "--regroup")
            self.run_program("cluster", "-q", "p.bow", "-k", "2", "--method", "kmeans", "--regroup", "--name", "1=Sea & <b>")
            end = time.monotonic() + 20
            while len(cards := self.cards(server)) != 2 or "Sea" not in self.shown(server, "/groups"):
                self.assertLess(time.monotonic(), end, cards)
                time.sleep(0.1)
            page = self.shown(server, "/groups") + self.shown(server, "/groups/1")
            self.assertIn("Group 1, Sea &amp; &lt;b&gt;", page)
            self.assertNotIn("<b>", page)

    def test_images_that_are_gone_are_left_out(self):
        gone = self.expected[0][0]
        (self.folder / gone).unlink()
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
        with self.serve() as server:
            self.assertNotIn(gone, self.cards(server)[0])
            self.assertIn(f"{len(self.expected[0]) - 1} image", self.shown(server, "/groups/0"))

    def test_a_damaged_group_costs_its_page_alone(self):
        with sqlite3.connect(self.folder / "p.bow") as library:
            library.execute("UPDATE codes SET code = zeroblob(length(code))")
        with self.serve() as server:
            status = server.ask("/groups")[0]
            self.assertEqual(status, 422)
            self.assertEqual(server.ask("/")[0], 200)


if __name__ == "__main__":
    unittest.main()
