"""Other sites, runs that write the library that is served, and the address for other machines."""
import fcntl
import json
import socket
import time
import unittest
import urllib.parse

from serve_test import ServeTest


class OtherSites(ServeTest):
    def test_other_sites_get_nothing_but_a_link_followed(self):
        with self.serve() as server:
            for path in ("/api/status", "/api/search?id=1", "/api/images/1", "/api/duplicates", "/thumbnails/1", "/views/1", "/", "/groups"):
                def ask(**headers):
                    return server.ask(path, headers={f"Sec-Fetch-{key.capitalize()}": value for key, value in headers.items()})[0]
                self.assertEqual(ask(site="cross-site", mode="no-cors", dest="image"), 403, path)
                self.assertEqual(ask(site="cross-site", mode="cors", dest="empty"), 403, path)
                self.assertEqual(ask(site="same-site", mode="no-cors", dest="script"), 403, path)
                self.assertEqual(ask(site="cross-site", mode="navigate", dest="iframe"), 403, path)
                self.assertEqual(ask(site="cross-site", mode="navigate", dest="document"), 200, path)
                self.assertEqual(ask(site="same-origin", mode="no-cors", dest="image"), 200, path)
                self.assertEqual(ask(site="none", mode="navigate", dest="document"), 200, path)
                self.assertEqual(server.ask(path)[0], 200, path)


class SkippedFiles(ServeTest):
    def test_reasons_quote_no_content(self):
        (self.folder / "secret").write_text("root's word: 'tulip' of the house\n")
        (self.folder / "photos/secret.jpg").symlink_to("../secret")
        self.run_program("index", "-q", "-o", "p.bow", "--kernel", "simd", "photos", status=1)
        with self.serve() as server:
            (skip,) = server.json("/api/status")["skips"]
            self.assertEqual(skip, {"path": "photos/secret.jpg",
                                    "reason": "is no picture but text; where it should be a picture, get the file again"})
            self.assertNotIn(b"tulip", server.ask("/status")[2])


class WhileItIsWritten(ServeTest):
    def test_not_the_same_is_refused_soon_while_the_library_is_written(self):
        with self.serve() as server, open(self.folder / "p.bow", "r+b") as library:
            server.json("/api/duplicates")
            fcntl.flock(library, fcntl.LOCK_EX)  # as a run does
            for headers in ({}, {"Accept": "text/html"}):
                start = time.monotonic()
                path = "/not-same?a=1&b=4" if headers else "/api/not-same?a=1&b=4"
                status, heads, body = server.ask(path, "POST", headers=headers)
                self.assertLess(time.monotonic() - start, 2.5)
                self.assertEqual((status, heads["Retry-After"]), (503, "1"), body)
                self.assertIn(b"he library is being written", body)
                if headers:
                    self.assertIn(b"<h1>", body)
                else:
                    self.assertIn("error", json.loads(body))
            self.assertEqual(server.ask("/api/search?id=1")[0], 200)
            fcntl.flock(library, fcntl.LOCK_UN)
            self.assertEqual(server.json("/api/not-same?a=1&b=4", "POST"), {"remembered": True})


class Addresses(ServeTest):
    def test_the_address_that_is_printed_can_be_opened(self):
        for host in ("0.0.0.0", "::"):
            with self.subTest(host):
                with self.serve("--host", host) as server:
                    url = urllib.parse.urlsplit(server.address)
                    self.assertNotIn(url.hostname, ("0.0.0.0", "::"))
                    with_token = server.process.stdout.readline().decode().strip()
                    self.assertTrue(with_token.startswith(server.address + "?token="), with_token)
                    token = with_token.partition("=")[2]
                    with socket.create_connection((url.hostname, url.port), 30) as client:
                        client.sendall(f"GET /api/status HTTP/1.0\r\nHost: {url.netloc}\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
                        self.assertIn(b" 200 ", client.recv(4096)[:20])


if __name__ == "__main__":
    unittest.main()
