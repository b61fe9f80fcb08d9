"""The page with the pictures: its links, its paths, and that both files of cluster appear or none."""
import html
import os
import re
import resource
import subprocess
import unittest
import urllib.parse

from program import ProgramTest, write_picture


class ContactSheet(ProgramTest):
    def prepare(self):
        self.write_centroids()

    def sheet(self, names, page="s.html"):
        for seed, name in enumerate(names):
            path = os.path.join(os.fsencode(self.folder), name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_picture(path, seed)
        self.run_program("--centroids", "c.bin", "-o", "h.csv", "--", *names)
        self.run_program("cluster", "-k", "2", "-o", "g.csv", "--html", page, "h.csv")
        return (self.folder / page).read_text()

    def test_thumbnails_open_their_pictures(self):
        names = [b"a.pgm", b"deep/er/b c.pgm", b"100%.pgm", b"what?#.pgm", b"a:b.pgm", b'quo"te.pgm', b"\xff.pgm", b"new\nline.pgm"]
        (self.folder / "pages").mkdir()
        for page in ("s.html", "pages/s.html"):
            text = self.sheet(names, page)
            links = re.findall(r'<a href="([^"#][^"]*)"><img ', text)
            base = "file://" + urllib.parse.quote(str(self.folder / page))
            opened = {urllib.parse.unquote_to_bytes(urllib.parse.urlparse(urllib.parse.urljoin(base, html.unescape(link))).path)
                      for link in links}
            self.assertEqual(opened, {os.path.join(os.fsencode(self.folder), name) for name in names})
            self.assertEqual(re.findall(r'src="(?!data:)', text), [], "the page shows nothing from elsewhere")

    def test_paths_are_there_to_be_copied(self):
        names = [b"deep/er/a,b.pgm", b"two  blanks.pgm", b"x.pgm"]
        text = self.sheet(names)
        captions = {html.unescape(c) for c in re.findall(r"<figcaption>([^<]*)</figcaption>", text)}
        self.assertEqual(captions, {os.fsdecode(name) for name in names})
        style = re.search(r"figcaption \{([^}]*)\}", text).group(1)
        for rule in ("user-select: all", "overflow-wrap: anywhere", "white-space: pre-wrap"):
            self.assertIn(rule, style)
        self.assertNotIn("ellipsis", text)
        self.assertRegex(re.search(r"nav \{([^}]*)\}", text).group(1), "flex-wrap: wrap")

    def test_only_groups_with_pictures_are_shown(self):
        (self.folder / "h.csv").write_text("image,descriptors,w0,w1\na.pgm,1,1,0\nb.pgm,1,1,0\nc.pgm,1,0,1\n")
        self.run_program("cluster", "-k", "3", "-o", "g.csv", "--html", "s.html", "h.csv")
        text = (self.folder / "s.html").read_text()
        self.assertIn("3 pictures in 2 groups", text)
        self.assertEqual(re.findall(r'href="(#[^"]*)"', text), ["#group-0", "#group-1"])
        self.assertEqual(re.findall(r'id="group-(\d+)".*<small>(.*)</small>', text), [("0", "2 pictures"), ("1", "1 picture")])

    def test_both_files_or_none(self):
        self.sheet([b"%d.pgm" % i for i in range(6)])
        page, groups = (self.folder / "s.html").read_bytes(), (self.folder / "g.csv").read_bytes()
        self.assertGreater(len(page), 8192)
        limit = dict(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
        for table, sheet in (("new.csv", "new.html"), ("g.csv", "s.html")):
            done = self.run_program("cluster", "-k", "1", "-o", table, "--html", sheet, "h.csv", status=3, **limit)
            self.assert_one_line(done.stderr, sheet, "File too large")
        done = self.run_program("cluster", "-k", "1", "-o", "-", "--html", "new.html", "h.csv", status=3, **limit)
        self.assertEqual(done.stdout, b"")
        self.run_program("cluster", "-k", "1", "-o", "no/new.csv", "--html", "new.html", "h.csv", status=3)
        self.run_program("cluster", "-k", "1", "-o", "new.csv", "--html", "no/new.html", "h.csv", status=3)
        self.assertEqual([n for n in os.listdir(self.folder) if "new" in n or n.endswith(".tmp")], [])
        self.assertEqual((self.folder / "s.html").read_bytes(), page)
        self.assertEqual((self.folder / "g.csv").read_bytes(), groups)

    def test_what_is_printed_has_its_page(self):
        """What went out cannot be taken back, so the page is there before the first byte."""
        names = ["".join(f"{i}/{j}/" for j in range(250)) for i in range(200)]
        (self.folder / "h.csv").write_text("image,descriptors,w0\n" + "".join(f"{name},1,1\n" for name in names))
        with open(self.folder / "errors", "wb") as errors, subprocess.Popen(
                [os.environ["BOWHIST"], "cluster", "-k", "2", "-o", "-", "--html", "s.html", "h.csv"],
                cwd=self.folder, stdout=subprocess.PIPE, stderr=errors) as process:
            table = process.stdout.read(1)
            there = (self.folder / "s.html").exists()  # the program waits: a pipe holds less than the table
            table += process.stdout.read()
        self.assertEqual((process.returncode, len(table.splitlines())), (0, 201))
        self.assertGreater(len(table), 2 * 65536)
        self.assertTrue(there)


if __name__ == "__main__":
    unittest.main()
