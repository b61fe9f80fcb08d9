#!/usr/bin/env python3
"""What `bowhist serve` answers in a second, beside the searches themselves, on the same cores.

    tests/measure/serve_times.py BOWHIST LIBRARY [IMAGES] [ROUNDS]

LIBRARY is any; tests/measure/search_library.py makes one of 100 000 images. Searches by id from 16 clients, each with a
connection of its own; the same images by `bowhist search`, one process for all. With IMAGES, a folder that the library
does not have, its files are sent by 4 clients, and searched for by one `bowhist search`. All in turn, in rounds; CPU
seconds count the processes of the program alone. Prints medians with their range.
"""
import http.client
import multiprocessing
import os
import pathlib
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from measuring import pictures_in, with_range

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from server import Server  # noqa: E402

SEARCHES = 2000
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(process):
    """Of it and of those that it started."""
    total, open_ = 0, [process]
    while open_:
        pid = open_.pop()
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, stat[11:15])) / TICKS
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            open_ += map(int, (task / "children").read_text().split())
    return total


def ask_by_id(port, ids):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for id in ids:
        connection.request("GET", f"/api/search?id={id}&top=20")
        answer = connection.getresponse()
        body = answer.read()
        assert answer.status == 200, body


def send(port, files):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for file in files:
        connection.request("POST", "/api/search?top=20", pathlib.Path(file).read_bytes())
        body = connection.getresponse().read()
        assert b"results" in body, (file, body)


def by_server(server, clients, work, items):
    """@return seconds, and CPU seconds of the server"""
    before, start = cpu_of(server.process.pid), time.perf_counter()
    with multiprocessing.Pool(clients) as pool:
        pool.starmap(work, [(server.port, items[i::clients]) for i in range(clients)])
    return time.perf_counter() - start, cpu_of(server.process.pid) - before


def by_search(program, library, names):
    with tempfile.NamedTemporaryFile("w") as names_file:
        names_file.write("".join(f"{name}\n" for name in names))
        names_file.flush()
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([program, "search", "-q", library, "--files-from", names_file.name], stdout=subprocess.DEVNULL, check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (time.perf_counter() - start, used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime)


def show(what, count, rounds):
    walls, cpus = zip(*rounds)
    print(f"{what}: {with_range([count / wall for wall in walls], 0)} a second, CPU {with_range([1000 * cpu / count for cpu in cpus], 2)} ms each",
          flush=True)
    return statistics.median(walls), statistics.median(cpus)


def main():
    os.environ["BOWHIST"], library = sys.argv[1:3]
    images = sys.argv[3] if len(sys.argv) > 3 else ""
    times = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    with sqlite3.connect(library) as opened:
        known = opened.execute("SELECT files.id, paths.path FROM files JOIN paths ON paths.id = files.id WHERE files.gone IS NULL "
                               "AND files.content IS NOT NULL ORDER BY files.id LIMIT ?", (SEARCHES,)).fetchall()
    known = [(id, os.fsdecode(path)) for id, path in known] * (1 + SEARCHES // (4 * len(known)))
    ids, paths = zip(*known[:SEARCHES])
    files = pictures_in(images) if images else []
    with Server(library) as server:
        ask_by_id(server.port, ids[:50])
        if files:
            send(server.port, files[:20])
        rounds = {"ids": [], "paths": [], "sent": [], "files": []}
        for _ in range(times):
            rounds["ids"].append(by_server(server, 16, ask_by_id, ids))
            rounds["paths"].append(by_search(sys.argv[1], library, paths))
            if files:
                rounds["sent"].append(by_server(server, 4, send, files))
                rounds["files"].append(by_search(sys.argv[1], library, files))
        show("searches by id, 16 clients", len(ids), rounds["ids"])
        show("the same by search, 128 at once", len(paths), rounds["paths"])
        if files:
            sent, searched = show("images sent, 4 clients", len(files), rounds["sent"]), show("the same by search", len(files), rounds["files"])
            print(f"sending takes {sent[0] / searched[0]:.2f} times as long, CPU {sent[1] / searched[1]:.2f}")
        print(f"the server holds {server.memory():.0f} MiB")


if __name__ == "__main__":
    main()
