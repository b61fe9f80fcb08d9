#!/usr/bin/python3
"""How fast a training is whose descriptors do not fit into memory.

    tests/measure/beyond_memory.py [--build build/ci] [--memory 256M] [-k 256,1024] [--rounds 5] [--folder DIR]

Writes caches of one, two and four times --memory into a folder beside the build, on a disk, and runs in turn: a plain
read of the file, which the system's cache has forgotten; a read past that cache into large pages, by four readers; a training in
memory; the training with --memory, in a control group with that limit, the system's cache included. An iteration is one
read of all descriptors. Prints the seconds of each (medians, range), how near the training is to the slower of memory
and the disk, as either way reads it, and the most memory it held.

The control group is a folder in /sys/fs/cgroup (root, version 1 or 2). Without one, the line shows only the
program's own memory, and says so.
"""
import argparse
import collections
import concurrent.futures
import mmap
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

import numpy

PART = 4 << 20
LARGE_PAGE = 2 << 20


class Group:
    """A control group limited to `limit` bytes; its folder is None where it cannot be made."""

    def __init__(self, limit):
        self.folder = None
        for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if "memory" not in controllers.split(",") and controllers:
                continue
            root, name, peak = (("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes") if controllers
                                else ("/sys/fs/cgroup", "memory.max", "memory.peak"))
            folder = pathlib.Path(root + path, f"bowhist-{os.getpid()}")
            try:
                folder.mkdir()
                (folder / name).write_text(str(limit))
            except OSError:
                if folder.exists():
                    folder.rmdir()
                continue
            self.folder, self.peak_file = folder, folder / peak
            return

    def enter(self):
        if self.folder:
            (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def peak(self):
        """Of all that ran in it so far. @return bytes; None without a group"""
        return int(self.peak_file.read_text()) if self.folder and self.peak_file.exists() else None

    def remove(self):
        if self.folder:
            self.folder.rmdir()


def write_cache(program, folder, size):
    """Pictures of 8000 descriptors each: clusters on a sphere, as real ones are of unit length."""
    random = numpy.random.default_rng(1)
    centres = random.standard_normal((500, 64), dtype="f4")
    names = [folder / f"{i}.npy" for i in range(16)]
    for name in names:
        if not name.exists():
            rows = centres[random.integers(0, 500, 8000)] + 0.8 * random.standard_normal((8000, 64), dtype="f4")
            numpy.save(name, (rows / numpy.linalg.norm(rows, axis=1, keepdims=True)).astype("<f4"))
    pictures = size // (8000 * 256)
    cache = folder / f"{size >> 20}.fbin"
    subprocess.run([program, "extract", "-q", "-o", cache, "--files-from", "-"], check=True,
                   input="".join(f"{names[i % 16]}\n" for i in range(pictures)).encode())
    return cache


def forget(cache):
    with open(cache, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def read_seconds(cache):
    forget(cache)
    buffer = bytearray(PART)
    begin = time.monotonic()
    with open(cache, "rb", buffering=0) as file:
        while file.readinto(buffer):
            os.posix_fadvise(file.fileno(), 0, file.tell(), os.POSIX_FADV_DONTNEED)
    return time.monotonic() - begin


def large_pages(size):
    """Memory in large pages, where the system gives them; there before anybody reads into it."""
    memory = mmap.mmap(-1, size + LARGE_PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_HUGEPAGE)
    values = numpy.frombuffer(memory, "u1")
    values[:] = 1
    first = -values.ctypes.data % LARGE_PAGE
    return values[first : first + size]


def read_directly_seconds(cache):
    """Four readers, each with memory of its own."""
    file, size = os.open(cache, os.O_RDONLY | os.O_DIRECT), cache.stat().st_size
    memories = [large_pages(PART) for _ in range(4)]

    def read(reader):
        for position in range(reader * PART, size, 4 * PART):
            assert os.preadv(file, [memories[reader]], position) == min(PART, size - position)

    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(4) as readers:
        list(readers.map(read, range(4)))
    os.close(file)
    return time.monotonic() - begin


def train(program, k, cache, *options, enter=None):
    """@return seconds of each iteration, of the whole run, and the most bytes that the process held"""
    command = [program, "train", "-v", "-k", str(k), "--kernel", "simd", "--iterations", "6", "--sample", "0", *options,
               "-o", cache.parent / "c.bin", cache]
    begin = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=enter)
    ends = [time.monotonic() for line in process.stderr if re.search(r"iteration \d+: inertia", line)]
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    assert status == 0, status
    return [b - a for a, b in zip(ends, ends[1:])], time.monotonic() - begin, usage.ru_maxrss * 1024


def with_range(values):
    return f"{statistics.median(values):.3g} ({min(values):.3g} … {max(values):.3g})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/ci")
    parser.add_argument("--memory", type=lambda text: int(text.rstrip("M")) << 20, default="256M")
    parser.add_argument("-k", type=lambda text: [int(k) for k in text.split(",")], default="256,1024")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", help="of the caches, on a disk (default: beside the build)")
    options = parser.parse_args()
    program = f"{options.build}/bin/bowhist"
    limit = ["--memory", f"{options.memory >> 20}M"]
    with tempfile.TemporaryDirectory(dir=options.folder or options.build) as scratch:
        caches = [write_cache(program, pathlib.Path(scratch), times * options.memory) for times in (1, 2, 4)]
        for k in options.k:
            runs = {cache: collections.defaultdict(list) for cache in caches}
            group = Group(options.memory)
            for _ in range(options.rounds):
                for cache, seconds in runs.items():
                    disk, direct = read_seconds(cache), read_directly_seconds(cache)
                    resident = train(program, k, cache)[0]
                    forget(cache)
                    streamed, whole, held = train(program, k, cache, *limit, enter=group.enter)
                    resident, streamed = statistics.median(resident), statistics.median(streamed)
                    for name, value in (("disk", disk), ("disk, directly", direct), ("in memory", resident),
                                        ("streamed", streamed), ("whole", whole), ("held", held / (1 << 20)),
                                        ("of disk", 100 * max(disk, resident) / streamed),
                                        ("of direct", 100 * max(direct, resident) / streamed)):
                        seconds[name].append(value)
            peak = group.peak()
            group.remove()
            for cache, seconds in runs.items():
                print(f"k = {k}, {cache.stat().st_size >> 20} MiB, seconds: " +
                      ", ".join(f"{name} {with_range(seconds[name])}" for name in ("disk", "disk, directly", "in memory", "streamed", "whole")) +
                      f"; streamed at {with_range(seconds['of disk'])} % of the slower of disk and memory, "
                      f"{with_range(seconds['of direct'])} % with the disk read directly; held {with_range(seconds['held'])} MiB", flush=True)
            print(f"  --memory {options.memory >> 20}M, " + ("no control group" if group.folder is None else
                  "peak of the control group " + ("unknown" if peak is None else f"{peak / (1 << 20):.0f} MiB")), flush=True)


if __name__ == "__main__":
    main()
