#!/usr/bin/env python3
"""An hour of mixed requests to `bowhist serve`: memory and open files stay flat, and all are answered.

    tests/measure/serve_soak.py BOWHIST LIBRARY IMAGES [MINUTES]

LIBRARY is copied. Clients search by id, by parts and by files of the folder IMAGES, look at pages and thumbnails, send
what is no image, break off, are slow, send 2 GB, open 1000 connections; meanwhile the library is written. Prints what
the server holds each tenth of the time, and fails if the last half takes more than a tenth and 20 MiB on top.
"""
import collections
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

from measuring import pictures_in

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from server import Server  # noqa: E402

CLIENTS = 12


class Soak:
    def __init__(self, server, files, images):
        self.server, self.files, self.images = server, files, images
        self.statuses, self.end = collections.Counter(), False

    def count(self, what, *ask):
        try:
            self.statuses[what, self.server.ask(*ask)[0]] += 1
        except OSError:
            self.statuses[what, "broken"] += 1

    def id(self):
        return random.randint(1, self.images)

    def raw(self, what, text, more=b"", wait=0.0, listen=True):
        try:
            with self.server.connect(10) as client:
                client.sendall(text)
                time.sleep(wait)
                client.sendall(more)
                self.statuses[what, client.recv(4096)[9:12].decode() if listen else "left"] += 1
        except OSError:
            self.statuses[what, "broken"] += 1

    def one(self):
        head = b"POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
        sent = pathlib.Path(random.choice(self.files)).read_bytes()
        random.choices([
            lambda: self.count("id", f"/api/search?id={self.id()}&top={random.choice((1, 20, 500))}"),
            lambda: self.count("part", f"/api/search?id={self.id()}&region=10,10,80,80"),
            lambda: self.count("image", "/api/search", "POST", sent),
            lambda: self.count("page", random.choice(("/", "/groups", "/duplicates", "/status", f"/images/{self.id()}"))),
            lambda: self.count("jpeg", random.choice(("/thumbnails/", "/views/")) + str(self.id())),
            lambda: self.count("no image", "/api/search", "POST", os.urandom(50_000)),
            lambda: self.count("cut", "/api/search", "POST", sent[:len(sent) // 2]),
            lambda: self.raw("broken off", head % len(sent), sent[:len(sent) // 2], listen=False),
            lambda: self.raw("slow", b"GET /api/status HT", b"TP/1.1\r\nHost: localhost\r\n\r\n", wait=2),
            lambda: self.raw("no request", os.urandom(300)),
            lambda: self.raw("stranger", b"GET / HTTP/1.1\r\nHost: evil.org\r\n\r\n"),
            lambda: self.raw("large", head % (2 << 30), bytes(1 << 20)),
        ], (40, 5, 12, 12, 20, 4, 4, 4, 1, 4, 4, 2))[0]()

    def run(self):
        while not self.end:
            self.one()

    def crowd(self):
        """1000 connections that say nothing."""
        clients = []
        try:
            for _ in range(1000):
                clients.append(socket.create_connection(("127.0.0.1", self.server.port), 10))
            time.sleep(1)
        except OSError:
            pass
        for client in clients:
            client.close()


def main():
    os.environ["BOWHIST"], original, folder = sys.argv[1:4]
    seconds = 60 * (float(sys.argv[4]) if len(sys.argv) > 4 else 60)
    with tempfile.TemporaryDirectory() as scratch:
        library = pathlib.Path(scratch) / "soak.bow"
        shutil.copy(original, library)
        with Server(str(library)) as server:
            soak = Soak(server, pictures_in(folder), server.json("/api/status")["images"])
            threads = [threading.Thread(target=soak.run) for _ in range(CLIENTS)]
            for thread in threads:
                thread.start()
            held = []
            began = time.monotonic()
            for part in range(10):
                time.sleep(max(1, began + (part + 1) * seconds / 10 - time.monotonic()))
                soak.crowd()
                subprocess.run([sys.argv[1], "cluster", "-q", str(library), "--regroup", "--html", f"{scratch}/sheet.html"],
                               stderr=subprocess.DEVNULL, check=False)
                held.append((server.memory(), server.files()))
                print(f"{time.monotonic() - began:.0f} s: {held[-1][0]:.0f} MiB, {held[-1][1]} files, {sum(soak.statuses.values())} requests",
                      flush=True)
            soak.end = True
            for thread in threads:
                thread.join()
            time.sleep(1)
            print(f"at rest: {server.memory():.0f} MiB, {server.files()} files")
            for (what, status), count in sorted(soak.statuses.items(), key=str):
                print(f"  {what:12} {status}: {count}")
            assert server.json("/api/status")["images"] == soak.images
            assert max(memory for memory, _ in held[5:]) < 1.1 * max(memory for memory, _ in held[:5]) + 20, held
            assert server.end()[0] == 130


if __name__ == "__main__":
    main()
