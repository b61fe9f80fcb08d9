"""The page with the pictures: its links, its paths, and that both files of cluster appear or none."""
import html
import os
import re
import resource
import signal
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
            links = re.findall(r'<a href="([^"#][^"]*)" data-thumb', text)
            base = "file://" + urllib.parse.quote(str(self.folder / page))
            opened = {urllib.parse.unquote_to_bytes(urllib.parse.urlparse(urllib.parse.urljoin(base, html.unescape(link))).path)
                      for link in links}
            self.assertEqual(opened, {os.path.join(os.fsencode(self.folder), name) for name in names})
            self.assertEqual(re.findall(r'src="(?!data:)', text), [], "the page shows nothing from elsewhere")

    def test_paths_are_there_to_be_copied(self):
        names = [b"deep/er/a,b.pgm", b"two  blanks.pgm", b"x.pgm"]
        text = self.sheet(names)
        paths = {html.unescape(path) for path in re.findall(r'data-path="([^"]*)"', text)}
        self.assertEqual(paths, {os.fsdecode(name) for name in names})
        captions = {html.unescape(name) for name in re.findall(r"<figcaption><bdi>([^<]*)</bdi></figcaption>", text)}
        self.assertEqual(captions, {os.path.basename(os.fsdecode(name)) for name in names})

    def test_only_groups_with_pictures_are_shown(self):
        (self.folder / "h.csv").write_text("image,descriptors,w0,w1\na.pgm,1,1,0\nb.pgm,1,1,0\nc.pgm,1,0,1\n")
        self.run_program("cluster", "-k", "3", "-o", "g.csv", "--html", "s.html", "h.csv")
        text = (self.folder / "s.html").read_text()
        self.assertIn("3 pictures in 2 groups", text)
        self.assertEqual(re.findall(r'id="group-(\d+)".*<small class="numbers">([^<]*)</small>', text),
                         [("0", "2 pictures"), ("1", "1 picture")])

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

    def test_a_folder_holds_a_page_and_its_parts(self):
        self.write_pictures([f"{i}.pgm" for i in range(6)])
        (self.folder / "h.csv").write_text("image,descriptors,w0,w1,w2\n" + "".join(
            f"{i}.pgm,9,{','.join('9' if i % 3 == j else '1' for j in range(3))}\n" for i in range(6)))
        self.run_program("cluster", "-k", "2", "--html", "site/", "h.csv")
        first = sorted(os.listdir(self.folder / "site"))
        self.assertEqual([re.sub("[0-9a-f]{16}", "HASH", name) for name in first], ["index.bowhist-HASH", "index.html"])
        text = (self.folder / "site/index.html").read_text()
        self.assertIn(f'src="{first[0]}/t0/0.jpg"', text)
        self.assertIn(f'href="{first[0]}/group-0.html"', text)
        parts = sorted(path.relative_to(self.folder / "site" / first[0]) for path in (self.folder / "site" / first[0]).rglob("*.*"))
        self.assertEqual([str(path) for path in parts], ["group-0.html", "group-1.html", *(f"t0/{i}.jpg" for i in range(6))])
        linked = re.findall(r'<a href="([^"]*)" data-thumb', (self.folder / "site" / first[0] / "group-0.html").read_text())
        self.assertTrue(linked and all(link.startswith("../../") and (self.folder / link[6:]).exists() for link in linked), linked)
        self.run_program("cluster", "-k", "2", "--html", "site/", "h.csv")
        self.assertEqual(sorted(os.listdir(self.folder / "site")), first, "the same again")
        (self.folder / "site" / first[0] / "t0/0.jpg").unlink()  # as by a run that was killed while it removed the folder
        self.run_program("cluster", "-k", "2", "--html", "site/", "h.csv")
        self.assertTrue((self.folder / "site" / first[0] / "t0/0.jpg").exists(), "it is whole again")
        self.run_program("cluster", "-k", "3", "--html", "site", "h.csv")
        second = sorted(os.listdir(self.folder / "site"))
        self.assertEqual((len(second), second[1]), (2, "index.html"))
        self.assertNotEqual(first, second)
        self.assertIn(second[0], (self.folder / "site/index.html").read_text())
        limit = dict(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        done = self.run_program("cluster", "-k", "1", "--html", "site/", "h.csv", status=3, **limit)
        self.assert_one_line(done.stderr, "site/index", "File too large")
        self.run_program("cluster", "-k", "1", "--html", "new/site/", "h.csv", status=3, **limit)
        self.assertFalse((self.folder / "new").exists())
        self.assertEqual(sorted(os.listdir(self.folder / "site")), second, "the former page stays")
        done = self.run_program("cluster", "-k", "1", "--html", "page.txt", "h.csv", status=2)
        self.assert_one_line(done.stderr, "page.txt does not end in .html, and a folder ends in /")

    def test_a_page_of_anothers_is_not_replaced(self):
        write_picture(self.folder / "p.pgm", 1)
        (self.folder / "h.csv").write_text("image,descriptors,w0,w1\np.pgm,1,1,0\n")
        (self.folder / "site").mkdir()
        (self.folder / "site/index.html").write_text("<!DOCTYPE html><title>Home</title>")
        done = self.run_program("cluster", "-k", "1", "--html", "site/", "h.csv", status=3)
        self.assert_one_line(done.stderr, "site/index.html", "another folder")
        self.assertEqual(os.listdir(self.folder / "site"), ["index.html"])
        self.assertIn("Home", (self.folder / "site/index.html").read_text())

    def test_many_images_lie_in_a_folder_beside_the_page(self):
        write_picture(self.folder / "p.pgm", 1)
        names = "".join(f"p.pgm,1,{i},{i * i % 7}\n" if i else "p.pgm,1,1,0\n" for i in range(1001))
        (self.folder / "h.csv").write_text("image,descriptors,w0,w1\n" + names)
        self.run_program("cluster", "-k", "1", "--html", "s.html", "h.csv")
        text = (self.folder / "s.html").read_text()
        [folder] = set(re.findall(r's\.bowhist-[0-9a-f]{16}', text))
        self.assertNotIn("data:image", text)
        self.assertEqual(len(list((self.folder / folder).glob("t*/*.jpg"))), 1001)
        self.assertEqual([(self.folder / folder / name).read_text().count("<figure") for name in ("group-0.html", "group-0-2.html")], [1000, 1])
        self.assertLess(text.index("<img"), 100_000)

    def test_an_interrupted_run_leaves_the_former_page(self):
        write_picture(self.folder / "p.pgm", 1)
        (self.folder / "h.csv").write_text("image,descriptors,w0,w1\n" + "p.pgm,1,1,0\n" * 1500)
        call = ["cluster", "-k", "1", "--html", "site/", "h.csv"]
        self.run_program("cluster", "-k", "1", "--html", "site/", "h.csv")
        former = {path: path.read_bytes() for path in (self.folder / "site").rglob("*") if path.is_file()}
        (self.folder / "h.csv").write_text("image,descriptors,w0,w1\n" + "p.pgm,1,1,0\n" * 1501)
        for how in (signal.SIGINT, signal.SIGKILL):
            process = subprocess.Popen([os.environ["BOWHIST"], *call], cwd=self.folder, stderr=subprocess.DEVNULL)
            while not list((self.folder / "site").glob(".bowhist-*.tmp/t0/*.jpg")):
                self.assertIsNone(process.poll())
            process.send_signal(how)
            self.assertEqual(process.wait(), 130 if how == signal.SIGINT else -how)
            there = {path: path.read_bytes() for path in (self.folder / "site").rglob("*") if path.is_file()}
            self.assertEqual({path: text for path, text in there.items() if not any(".tmp" in part for part in path.parts)}, former)
        self.run_program(*call)
        left = sorted(re.sub("[0-9a-f]{16}", "HASH", name) for name in os.listdir(self.folder / "site"))
        self.assertEqual(left, ["index.bowhist-HASH", "index.html"], "what the killed run left is swept")

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
