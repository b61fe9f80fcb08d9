"""The server of a library: its API, who may ask, and what clients that mean no good get."""
import concurrent.futures
import contextlib
import csv
import html
import io
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import time
import unittest

from program import ProgramTest, write_picture
from server import Server


class ServeTest(ProgramTest):
    def prepare(self):
        (self.folder / "photos").mkdir()
        self.names = [f"photos/p{i}.pgm" for i in range(9)] + ["photos/a \"b\" <i>&.pgm"]
        self.write_pictures(self.names, 320, 240)
        shutil.copy(self.folder / "photos/p0.pgm", self.folder / "photos/copy.pgm")
        self.run_program("index", "-q", "-o", "p.bow", "--words-k", "100", "--code-k", "4", "--kernel", "simd", "photos")

    def serve(self, *arguments, library="p.bow", **options):
        server = Server(library, "--kernel", "simd", *arguments, folder=self.folder, **options)
        self.addCleanup(server.__exit__)
        return server

    def rows(self, *arguments):
        done = self.run_program("search", "-q", "p.bow", "--kernel", "simd", *arguments)
        return [(int(row["rank"]), row["image"], row["score"]) for row in csv.DictReader(io.StringIO(done.stdout.decode()))]

    def ids(self, server):
        found = {}
        for id in range(1, 40):
            status, _, body = server.ask(f"/api/images/{id}")
            if status == 200:
                found[json.loads(body)["image"]] = id
        return found

    def answer(self, server, path, *more, **options):
        results = server.json(path, *more, **options)["results"]
        return [(row["rank"], row["image"], f"{row['score']:.6f}") for row in results]


class Api(ServeTest):
    def test_answers_are_the_rows_of_search(self):
        with self.serve() as server:
            ids = self.ids(server)
            self.assertEqual(sorted(ids), sorted([*self.names, "photos/copy.pgm"]))
            for name, id in ids.items():
                for top in ("1", "4", "20"):
                    self.assertEqual(self.answer(server, f"/api/search?id={id}&top={top}"), self.rows(name, "--top", top))
            self.assertEqual(self.answer(server, f"/api/search?id={ids['photos/p3.pgm']}&region=40,30,200,150"),
                             self.rows("photos/p3.pgm", "--region", "40,30,200,150"))
            write_picture(self.folder / "new.pgm", 77, 400, 300)
            sent = (self.folder / "new.pgm").read_bytes()
            self.assertEqual(self.answer(server, "/api/search?top=5", "POST", sent), self.rows("new.pgm", "--top", "5"))
            self.assertEqual(self.answer(server, "/api/search?region=10,20,300,200", "POST", sent),
                             self.rows("new.pgm", "--region", "10,20,300,200"))

    def test_what_is_sent_is_decoded_in_another_process(self):
        with self.serve("-j", "1") as server:
            jpeg = server.ask("/thumbnails/1")[2]
            self.assertEqual(server.children(), 0)
            self.assertEqual(server.ask("/api/search", "POST", jpeg)[0], 200)
            self.assertEqual(server.children(), 1)

    def test_results_have_the_ids_of_their_images(self):
        with self.serve() as server:
            ids = self.ids(server)
            for row in server.json("/api/search?id=1")["results"]:
                self.assertEqual(ids[row["image"]], row["id"])

    def test_it_says_what_the_library_holds(self):
        os.unlink(self.folder / "photos/p7.pgm")
        (self.folder / "photos/broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", status=1)
        with self.serve() as server:
            status = server.json("/api/status")
            self.assertEqual((status["images"], status["gone"], status["skipped"]), (10, 1, 1))
            skip, = status["skips"]
            self.assertEqual(skip["path"], "photos/broken.jpg")
            page = server.ask("/status")[2].decode()
            self.assertIn("photos/broken.jpg", page)
            self.assertIn(html.escape(skip["reason"]), page)

    def test_an_image_has_a_thumbnail_and_a_view(self):
        with self.serve() as server:
            for path in ("/thumbnails/1", "/views/1"):
                status, heads, body = server.ask(path)
                self.assertEqual((status, heads["Content-Type"], body[:3]), (200, "image/jpeg", b"\xff\xd8\xff"))

    def test_images_that_are_gone_or_damaged_still_answer(self):
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")  # the copy's folder is its own
        with self.serve() as server:
            ids = self.ids(server)
        os.unlink(self.folder / "photos/p5.pgm")
        with sqlite3.connect(self.folder / "p.bow") as library:
            library.execute("UPDATE thumbnails SET jpeg = x'ffd8ff00' WHERE content = "
                            "(SELECT content FROM files WHERE name = CAST('p6.pgm' AS BLOB))")
        with self.serve() as server:
            gone, damaged = ids["photos/p5.pgm"], ids["photos/p6.pgm"]
            self.assertEqual(self.answer(server, f"/api/search?id={gone}")[0][2], "1.000000")
            self.assertEqual(server.ask(f"/views/{gone}")[0], 200)  # its thumbnail
            self.assertEqual(server.ask(f"/thumbnails/{damaged}")[0], 200)  # made of its file
            status, _, body = server.ask(f"/api/search?id={gone}&region=0,0,50,50")
            self.assertEqual(status, 422, body)
            self.assertIn("p5.pgm", json.loads(body)["error"])
            self.assertEqual(server.ask(f"/images/{gone}?region=0,0,50,50")[0], 200)

    def test_copies_are_found_and_taken_apart(self):
        with self.serve() as server:
            groups = server.json("/api/duplicates")["groups"]
            self.assertEqual([[row["image"] for row in group] for group in groups], [["photos/p0.pgm", "photos/copy.pgm"]])
            self.assertEqual(groups[0][1]["kind"], "bytes")
        big = numpy_scaled(self.folder / "photos/p1.pgm")
        (self.folder / "photos/larger.pgm").write_bytes(big)
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
        with self.serve() as server:
            groups = server.json("/api/duplicates")["groups"]
            pair = next(group for group in groups if group[0]["image"] == "photos/larger.pgm")
            a, b = (row["id"] for row in pair)
            self.assertEqual(server.json(f"/api/not-same?a={a}&b={b}", "POST"), {"remembered": True})
            self.assertEqual(len(server.json("/api/duplicates")["groups"]), len(groups) - 1)
        found = self.run_program("duplicates", "-q", "p.bow").stdout.decode()
        self.assertNotIn("larger", found)

    def with_a_larger_copy(self):
        (self.folder / "photos/larger.pgm").write_bytes(numpy_scaled(self.folder / "photos/p1.pgm"))
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", "photos")

    def images_of(self, server):
        return [{row["image"] for row in group} for group in server.json("/api/duplicates")["groups"]]

    def test_what_is_not_the_same_is_listed_and_the_same_again(self):
        self.with_a_larger_copy()
        pair = {"photos/p1.pgm", "photos/larger.pgm"}
        with self.serve() as server:
            ids = self.ids(server)
            a, b = ids["photos/p1.pgm"], ids["photos/larger.pgm"]
            before = server.json("/api/duplicates")
            self.assertIn(pair, self.images_of(server))
            self.assertEqual(server.json("/api/not-same"), {"pairs": []})
            server.json(f"/api/not-same?a={a}&b={b}", "POST")
            [[first, second]] = server.json("/api/not-same")["pairs"]
            self.assertEqual([(one["id"], one["image"]) for one in (first, second)], [(b, "photos/larger.pgm"), (a, "photos/p1.pgm")])
            self.assertNotIn(pair, self.images_of(server))
            self.assertEqual(server.json(f"/api/same-again?a={a}&b={b}", "POST"), {"forgotten": True})
            self.assertEqual(server.json("/api/not-same"), {"pairs": []})
            self.assertEqual(server.json("/api/duplicates"), before)
            self.assertIn("not remembered as different", server.json(f"/api/same-again?a={a}&b={b}", "POST", status=404)["error"])
            self.assertEqual(server.ask("/api/same-again?a=99&b=1", "POST")[0], 404)
            server.json(f"/api/not-same?a={a}&b={b}", "POST")
            self.assertNotIn(pair, self.images_of(server))

    def test_a_state_that_is_opened_late_takes_nothing_back(self):
        self.with_a_larger_copy()
        pair = {"photos/p1.pgm", "photos/larger.pgm"}
        with self.serve() as server:
            ids = self.ids(server)
            way = f"?a={ids['photos/p1.pgm']}&b={ids['photos/larger.pgm']}"
            for pause in (0, 0.1, 0.2, 0.25, 0.3):
                server.json("/api/not-same" + way, "POST")
                time.sleep(pause)
                server.json("/api/same-again" + way, "POST")
                for _ in range(12):
                    self.assertIn(pair, self.images_of(server), pause)
                    self.assertEqual(server.json("/api/not-same"), {"pairs": []})
                    time.sleep(0.03)

    def test_a_pair_is_the_same_again_by_the_hash_of_what_is_gone(self):
        self.with_a_larger_copy()
        self.run_program("duplicates", "-q", "p.bow", "--not-same", "photos/p1.pgm", "photos/larger.pgm")
        os.unlink(self.folder / "photos/larger.pgm")
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", "photos")
        with self.serve() as server:
            [[here, gone]] = server.json("/api/not-same")["pairs"]
            self.assertEqual((here["image"], sorted(gone)), ("photos/p1.pgm", ["hash"]))
            self.assertEqual(server.json(f"/api/same-again?a={here['id']}&b={gone['hash']}", "POST"), {"forgotten": True})
            self.assertEqual(server.json("/api/not-same"), {"pairs": []})

    def test_what_another_run_says_is_taken_in(self):
        self.with_a_larger_copy()
        pair = {"photos/p1.pgm", "photos/larger.pgm"}
        with self.serve() as server:
            for option, is_pair in (("--not-same", False), ("--same-again", True), ("--not-same", False)):
                self.images_of(server)
                self.run_program("duplicates", "-q", "p.bow", option, "photos/p1.pgm", "photos/larger.pgm")
                end = time.monotonic() + 15
                while (pair in self.images_of(server)) != is_pair and time.monotonic() < end:
                    time.sleep(0.05)
                self.assertEqual(pair in self.images_of(server), is_pair, option)

    def test_a_reader_changes_no_pair(self):
        with self.serve("--read-only") as server:
            self.assertEqual(server.ask("/api/same-again?a=1&b=2", "POST")[0], 403)
            self.assertEqual(server.ask("/same-again?a=1&b=2", "POST")[0], 403)
            self.assertNotIn(b"<button>", server.ask("/not-same")[2])

    def test_copies_that_are_not_kept_are_listed(self):
        with self.serve() as server:
            ids = self.ids(server)
            self.assertEqual(server.json("/api/spare"), {"spare": [{"id": ids["photos/copy.pgm"], "image": "photos/copy.pgm"}]})
            self.assertEqual(server.json("/api/duplicates")["apart"], [])
            self.assertIn("compared", server.json("/api/duplicates")["groups"][0][1])

    def test_several_may_say_not_the_same_at_once(self):
        with self.serve() as server, concurrent.futures.ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda b: server.ask(f"/api/not-same?a=1&b={b}", "POST")[0], range(2, 10)))
            self.assertEqual(answers, [200] * 8)

    def test_a_library_that_is_written_is_served_as_it_is_then(self):
        with self.serve() as server:
            write_picture(self.folder / "photos/later.pgm", 99, 320, 240)
            self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
            for _ in range(200):
                if server.json("/api/status")["images"] == 12:
                    break
                time.sleep(0.05)
            self.assertEqual(server.json("/api/status")["images"], 12)
            id = self.ids(server)["photos/later.pgm"]
            self.assertEqual(self.answer(server, f"/api/search?id={id}"), self.rows("photos/later.pgm"))
            self.assertEqual(server.end()[0], 130)
        self.assertFalse((self.folder / "p.bow-wal").exists())

    def test_others_leave_the_log_that_it_uses(self):
        with self.serve() as server:
            while server.ask("/words")[1].get("Refresh"):
                time.sleep(0.1)
            server.json("/api/not-same?a=1&b=4", "POST")
            self.run_program("status", "-q", "p.bow")
            self.assertTrue((self.folder / "p.bow-wal").exists())

    def test_a_plain_copy_is_whole_while_it_is_served(self):
        with self.serve() as server:
            for images in (12, 13):
                write_picture(self.folder / f"photos/later{images}.pgm", 99 + images, 320, 240)
                self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
                end = time.monotonic() + 15
                copied = 0
                while copied != images and time.monotonic() < end:
                    time.sleep(0.1)
                    shutil.copy(self.folder / "p.bow", self.folder / "copy.bow")
                    copied = json.loads(self.run_program("status", "--json", "copy.bow").stdout)["images"]
                self.assertEqual(copied, images)
                self.assertEqual(server.json("/api/status")["images"], images)
            exports = [self.run_program("export", library, "-o", "-").stdout for library in ("p.bow", "copy.bow")]
            self.assertEqual(*exports)
            self.run_program("status", "--integrity", "copy.bow")

    def test_updates_within_a_second_are_told_apart(self):
        path = self.folder / "p.bow"
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", "photos")  # the copy's folder is its own
        with self.serve() as server:
            self.assertEqual(len(server.json("/api/duplicates")["groups"]), 1)
            with contextlib.closing(sqlite3.connect(path)) as library:
                [updated] = library.execute("SELECT * FROM about WHERE name = 'updated'")
            write_picture(self.folder / "photos/copy.pgm", 99, 320, 240)
            self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd")
            with contextlib.closing(sqlite3.connect(path)) as library, library:
                library.execute("INSERT OR REPLACE INTO about VALUES(?, ?, ?)", updated)
            end = time.monotonic() + 15
            while server.json("/api/duplicates")["groups"] and time.monotonic() < end:
                time.sleep(0.1)
            self.assertEqual(server.json("/api/duplicates")["groups"], [])

    def test_a_library_that_is_replaced_is_let_go(self):
        with self.serve() as server:
            for name in ("one", "two", "three"):
                self.run_program("index", "-q", "-o", f"{name}.bow", "--centroids", "p.bow", "--kernel", "simd", self.names[0])
                os.rename(self.folder / f"{name}.bow", self.folder / "p.bow")
                time.sleep(1)
            opened = pathlib.Path(f"/proc/{server.process.pid}/fd")
            end = time.monotonic() + 15
            while removed := [link for link in map(self.link, opened.iterdir()) if link.endswith("p.bow (deleted)")]:
                self.assertLess(time.monotonic(), end, removed)
                time.sleep(0.1)
            self.assertEqual(server.json("/api/status")["images"], 1)

    @staticmethod
    def link(path):
        with contextlib.suppress(OSError):
            return os.readlink(path)
        return ""

    def test_a_library_that_vanishes_is_served_as_it_was(self):
        with self.serve() as server:
            os.rename(self.folder / "p.bow", self.folder / "elsewhere.bow")
            time.sleep(0.6)
            self.assertEqual(server.json("/api/status")["images"], 11)

    def test_bad_questions_get_a_reason(self):
        with self.serve() as server:
            for path, status in (("/api/search?id=99", 404), ("/api/search", 400), ("/api/search?id=1&top=0", 400),
                                 ("/api/search?id=1&top=x", 400), ("/api/search?id=1&region=1,2,3", 400), ("/api/nothing", 404),
                                 ("/api/search?id=1&region=300,200,900,900", 422), ("/api/images/x", 404), ("/thumbnails/99", 404),
                                 ("/api/search?id=1&region=0,0,99999999999,1", 400)):
                got, heads, body = server.ask(path)
                self.assertEqual((got, heads["Content-Type"]), (status, "application/json"), path)
                self.assertTrue(json.loads(body)["error"], path)
            for body in (b"no image", b"\xff\xd8\xff\xe0 no more", b"P5\n30000 30000\n255\n"):
                got, _, text = server.ask("/api/search", "POST", body)
                self.assertEqual(got, 422, text)
                self.assertNotIn(str(self.folder), text.decode())
            self.assertEqual(server.ask("/api/search", "POST", b"")[0], 400)


def numpy_scaled(path):
    """A PGM of twice the size."""
    import numpy
    _, size, _, pixels = path.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    large = numpy.kron(numpy.frombuffer(pixels, numpy.uint8).reshape(height, width), numpy.ones((2, 2), numpy.uint8))
    return b"P5\n%d %d\n255\n" % (2 * width, 2 * height) + large.tobytes()


class Start(ServeTest):
    def test_the_address_comes_first_and_ctrl_c_ends_it(self):
        with self.serve() as server:
            self.assertEqual(server.address, f"http://127.0.0.1:{server.port}/")
            self.assertEqual(server.end(), (130, "bowhist: interrupted\n"))

    def test_what_cannot_be_served_is_refused(self):
        (self.folder / "text.bow").write_text("no library")
        damaged = bytearray((self.folder / "p.bow").read_bytes())
        damaged[100:4096] = bytes(3996)
        (self.folder / "damaged.bow").write_bytes(damaged)
        for name in ("missing.bow", "text.bow", "damaged.bow", "photos"):
            with self.subTest(name):
                done = self.run_program("serve", name, "--port", "0", status=3)
                self.assert_one_line(done.stderr, name)
        self.assert_one_line(self.run_program("serve", status=2).stderr, "one library")
        self.assert_one_line(self.run_program("serve", "p.bow", "--host", "no.such.host.invalid", status=2).stderr, "--host")

    def test_a_port_that_is_taken_is_named(self):
        with self.serve() as server:
            done = self.run_program("serve", "p.bow", "--port", str(server.port), status=3)
            self.assert_one_line(done.stderr, str(server.port), "--port")

    def test_two_servers_serve_one_library(self):
        with self.serve() as one, self.serve() as other:
            self.assertNotEqual(one.port, other.port)
            self.assertEqual(one.json("/api/search?id=2"), other.json("/api/search?id=2"))

    def test_others_need_a_token(self):
        with self.serve("--host", "127.0.0.1") as server:
            token = server.process.stdout.readline().decode().strip().partition("?token=")[2]
            self.assertEqual(len(token), 32)
            self.assertEqual(server.ask("/api/status")[0], 401)
            self.assertEqual(server.ask("/api/status", headers={"Authorization": "Bearer " + token[:-1] + "g"})[0], 401)
            self.assertEqual(server.ask("/api/status", headers={"Authorization": "Bearer " + token})[0], 200)
            self.assertEqual(server.ask(f"/api/status?token={token}")[0], 401)  # not in addresses that are kept
            status, heads, _ = server.ask(f"/?token={token}")
            self.assertEqual((status, heads["Location"]), (303, "/"))
            cookie = heads["Set-Cookie"].partition(";")[0]
            self.assertEqual(server.ask("/api/status", headers={"Cookie": f"x=1; {cookie}"})[0], 200)
            self.assertEqual(server.ask("/", headers={"Cookie": cookie + "0"})[0], 401)

    def test_a_token_may_come_from_a_file(self):
        (self.folder / "token").write_text("0123456789abcdefXYZ\n")
        with self.serve("--token", "token") as server:
            self.assertEqual(server.ask("/api/status")[0], 401)
            self.assertEqual(server.ask("/api/status", headers={"Authorization": "Bearer 0123456789abcdefXYZ"})[0], 200)
        for text in ("short\n", "", "0123456789abcdef ghij\n"):
            (self.folder / "token").write_text(text)
            self.assert_one_line(self.run_program("serve", "p.bow", "--token", "token", status=2).stderr, "token")

    def test_read_only_takes_nothing(self):
        before = (self.folder / "p.bow").read_bytes()
        with self.serve("--read-only") as server:
            server.json("/api/duplicates")
            self.assertEqual(server.ask("/api/not-same?a=1&b=2", "POST")[0], 403)
            server.end()
        self.assertEqual((self.folder / "p.bow").read_bytes(), before)

    def test_what_was_asked_for_is_answered_at_the_end(self):
        sent = (self.folder / "photos/p1.pgm").read_bytes()
        with self.serve() as server:
            head = b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(sent)
            clients = [server.connect() for _ in range(8)]
            for client in clients:
                client.sendall(head + sent)
            time.sleep(0.05)  # all are accepted
            server.process.send_signal(signal.SIGINT)
            for client in clients:
                self.assertTrue(client.recv(65536).startswith(b"HTTP/1.1 200"))
                client.close()
            self.assertEqual(server.process.wait(20), 130)


class Strangers(ServeTest):
    def test_only_our_names_are_answered(self):
        with self.serve() as server:
            for host, status in (("127.0.0.1", 200), (f"localhost:{server.port}", 200), ("[::1]:80", 200), ("evil.org", 421),
                                 (f"evil.org:{server.port}", 421), ("localhost.evil.org", 421), ("127.0.0.1.evil.org", 421), ("", 421)):
                self.assertEqual(server.ask("/api/status", headers={"Host": host})[0], status, host)
            self.assertIn(b" 421 ", server.say(b"GET /api/status HTTP/1.1\r\n\r\n"))
            self.assertIn(b" 421 ", server.say(b"GET /api/status HTTP/1.1\r\nHost: localhost\r\nHost: evil.org\r\n\r\n"))

    def test_other_sites_may_not_post(self):
        sent = (self.folder / "photos/p1.pgm").read_bytes()
        with self.serve() as server:
            for origin, status in ((None, 200), (f"http://127.0.0.1:{server.port}", 200), ("http://evil.org", 403), ("null", 403),
                                   ("http://127.0.0.1:1", 403), (f"https://127.0.0.1:{server.port}", 403)):
                headers = {"Origin": origin} if origin else {}
                self.assertEqual(server.ask("/api/search", "POST", sent, headers)[0], status, origin)
            self.assertEqual(server.ask("/api/search", "POST", sent, {"Sec-Fetch-Site": "cross-site"})[0], 403)

    def test_no_path_leaves_the_library(self):
        with self.serve() as server:
            for way in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/thumbnails/../../etc/passwd",
                        "/images/..%2f..%2fetc%2fpasswd", "/views/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "//etc/passwd", "/etc/passwd",
                        "/%252e%252e/etc/passwd", "/..\\..\\etc\\passwd", "/%c0%ae%c0%ae/etc/passwd", "/images/%00/etc/passwd",
                        "/./../p.bow", "/p.bow", "/photos/p0.pgm", "file:///etc/passwd", "http://127.0.0.1/etc/passwd", "*"):
                answer = server.say(f"GET {way} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                self.assertRegex(answer, rb"^HTTP/1.1 40[04] ", way)
                self.assertNotIn(b"root:", answer)

    def test_wrong_methods_are_named(self):
        with self.serve() as server:
            for method, path in (("POST", "/api/status"), ("DELETE", "/api/images/1"), ("PUT", "/api/search"), ("GET", "/api/same-again"),
                                 ("PATCH", "/"), ("OPTIONS", "/api/search")):
                status, heads, _ = server.ask(path, method)
                self.assertEqual(status, 405, (method, path))
                self.assertIn(heads["Allow"], ("GET", "POST", "GET, POST"))
            status, heads, body = server.ask("/api/status", "HEAD")
            self.assertEqual((status, body), (200, b""))
            self.assertGreater(int(heads["Content-Length"]), 10)

    def test_what_is_no_request_is_refused(self):
        with self.serve() as server:
            for text in (b"\r\n\r\n", b"hello\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
                         b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
                         b"GET /" + b"a" * 60000 + b" HTTP/1.1\r\n\r\n",
                         b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % i for i in range(9000)) + b"\r\n",
                         b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 100000 + b"\r\n\r\n",
                         b"GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=" + b"0-1," * 1990 + b"0-1\r\n\r\n",
                         b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nGET /",
                         *(b"POST /api/search HTTP/1.1\r\nHost: localhost\r\n" + length + b"\r\nGET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n"
                           for length in (b"Content-Length : 48\r\n", b"Content-Length: 48\n", b"X: a\r\n Content-Length: 48\r\n", b"Content-Length 48\r\n",
                                          b"Transfer-Encoding : chunked\r\n", b"X: a\rContent-Length: 48\r\n", b"Content-Length: 4\x008\r\n", b": 48\r\n")),
                         b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                         b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9e9\r\n\r\n",
                         b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
                         b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
                         b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
                         b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
                         b"Content-Length: 3\r\n\r\nabc"):
                answer = server.say(text)
                self.assertRegex(answer, rb"^(HTTP/1.1 (4\d\d|200) |$)", text[:60])
                self.assertLessEqual(answer.count(b"HTTP/1.1 "), 1, text[:60])  # nothing behind it is taken for a request
                self.assertEqual(server.ask("/api/status")[0], 200, text[:60])

    def test_several_requests_share_a_connection(self):
        with self.serve() as server:
            one = b"GET /api/images/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            self.assertEqual(server.say(5 * one).count(b"HTTP/1.1 200"), 5)


class Crowds(ServeTest):
    def test_many_are_answered_at_once(self):
        with self.serve() as server:
            expected = {id: self.answer(server, f"/api/search?id={id}&top=5") for id in range(1, 9)}
            with concurrent.futures.ThreadPoolExecutor(150) as pool:
                answers = list(pool.map(lambda i: (i % 8 + 1, self.answer(server, f"/api/search?id={i % 8 + 1}&top=5")), range(600)))
            for id, answer in answers:
                self.assertEqual(answer, expected[id])

    def test_a_body_that_is_too_large_is_refused_unread(self):
        with self.serve() as server:
            before = server.memory()
            with server.connect() as client:
                client.sendall(b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (2 << 30))
                part = bytes(1 << 20)
                try:
                    for _ in range(2048):
                        client.sendall(part)
                except OSError:
                    pass  # the server has closed
                try:
                    self.assertIn(b" 413 ", client.recv(65536))
                except ConnectionError:
                    pass  # it was answered before
            self.assertLess(server.memory() - before, 20)
            status, _, body = server.ask("/api/search", "POST", headers={"Content-Length": str(2 << 30), "Expect": "100-continue"})
            self.assertEqual(status, 413, body)

    def test_bodies_share_room(self):
        with self.serve() as server:
            clients = [server.connect() for _ in range(6)]
            head = b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (120 << 20)
            for client in clients:
                client.sendall(head)
                try:
                    client.sendall(bytes(119 << 20))
                except OSError:
                    pass  # it is the one that is too many
            self.assertLess(server.memory(), 1500)
            self.assertEqual(server.ask("/api/status")[0], 200)
            for client in clients:
                client.close()

    def test_slow_clients_keep_nobody_waiting(self):
        with self.serve() as server:
            slow = [server.connect() for _ in range(300)]
            for client in slow:
                client.sendall(b"GET /api/status HTTP/1.1\r\nHost: loc")
            start = time.monotonic()
            for _ in range(20):
                self.assertEqual(server.ask("/api/search?id=1")[0], 200)
            self.assertLess(time.monotonic() - start, 10)
            end = time.monotonic() + 40
            while server.files() > 200 and time.monotonic() < end:  # each had its time
                for client in slow:
                    try:
                        client.send(b"a")
                    except OSError:
                        pass
                time.sleep(0.5)
            self.assertLess(server.files(), 200)
            for client in slow:
                client.close()

    def test_crowds_leave_files_for_the_work(self):
        import resource
        sent = (self.folder / "photos/p1.pgm").read_bytes()
        ask = b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(sent)
        with self.serve(limits=[(resource.RLIMIT_NOFILE, 64)]) as server:
            clients = [server.connect() for _ in range(60)]
            time.sleep(0.5)  # as many as there is room for are accepted
            clients[0].sendall(ask + sent)
            self.assertIn(b" 200 ", clients[0].recv(65536)[:20])
            self.assertIn(b" 503 ", clients[-1].recv(65536)[:20])
            for client in clients:
                client.close()

    def test_what_is_beyond_1000_connections_is_refused(self):
        import resource
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 1600:
            self.skipTest("too few files may be open here")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1400), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        with self.serve() as server:
            clients = [server.connect() for _ in range(1040)]
            ask = b"GET /api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            answers = []
            for client in reversed(clients):
                try:
                    client.sendall(ask)
                    answers.append(client.recv(65536).split()[1])
                except ConnectionError:
                    answers.append(b"503")
                client.close()
            self.assertGreaterEqual(answers.count(b"200"), 1000)
            self.assertEqual(answers.count(b"200") + answers.count(b"503"), 1040)
            self.assertEqual(server.ask("/api/status")[0], 200)


class Pages(ServeTest):
    def test_pages_have_their_policy_and_escape_names(self):
        self.run_program("cluster", "-q", "p.bow", "--html", "sheet.html")
        with self.serve() as server:
            id = self.ids(server)[self.names[-1]]
            for path in ("/", f"/images/{id}", f"/images/{id}?region=0,0,99,99", "/groups", "/groups/0", "/duplicates", "/status"):
                status, heads, body = server.ask(path)
                self.assertEqual((status, heads["Content-Type"]), (200, "text/html; charset=utf-8"), path)
                self.assertIn("default-src 'none'", heads["Content-Security-Policy"])
                self.assertIn("connect-src 'self'", heads["Content-Security-Policy"])
                self.assertNotIn(b"<i>&.pgm", body, path)
            status, heads, body = server.ask("/images/99", headers={"Accept": "text/html"})
            self.assertEqual((status, heads["Content-Type"]), (404, "text/html; charset=utf-8"))

    def test_marks_are_of_one_library(self):
        shutil.copy(self.folder / "p.bow", self.folder / "other.bow")
        names = set()
        for library in ("p.bow", "other.bow"):
            with self.serve(library=library) as server:
                server.json("/api/duplicates")
                names.add(server.ask("/duplicates")[2].partition(b'data-marks="')[2].partition(b'"')[0])
        self.assertEqual(len(names - {b""}), 2, names)

    def test_a_form_sends_an_image(self):
        sent = (self.folder / "photos/p2.pgm").read_bytes()
        form = (b'--xyz\r\nContent-Disposition: form-data; name="image"; filename="p2.pgm"\r\nContent-Type: image/x\r\n\r\n' + sent +
                b"\r\n--xyz--\r\n")
        with self.serve() as server:
            status, _, body = server.ask("/search", "POST", form, {"Content-Type": "multipart/form-data; boundary=xyz"})
            self.assertEqual(status, 200)
            self.assertLess(body.index(b"p2.pgm"), body.index(b"p3.pgm"))


if __name__ == "__main__":
    unittest.main()
