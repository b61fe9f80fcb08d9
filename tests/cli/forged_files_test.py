"""Files other than pictures that were made to hurt: little memory, little time, one short line."""
import json
import os
import pathlib
import resource
import struct
import subprocess
import time
import unittest
import zipfile

import numpy

from program import ProgramTest, complaints, wait_until_it_listens, wait_until_it_reads_on, write_picture

MIB = 1 << 20


def npy_header(descr, shape):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def write_zeros(archive, name, header, size):
    with archive.open(name, "w", force_zip64=True) as entry:
        entry.write(header)
        for _ in range(size // MIB):
            entry.write(bytes(MIB))


class ForgedFiles(ProgramTest):
    def run_measured(self, *arguments, environment=None, seconds=20, limits=()):
        """(exit status, standard error, MiB of memory at most)"""
        with open(self.folder / "stderr", "wb") as stderr:
            process = subprocess.Popen([os.environ["BOWHIST"], *arguments], cwd=self.folder, stderr=stderr,
                                       stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})},
                                       preexec_fn=lambda: [resource.setrlimit(limit, (limits[limit],) * 2) for limit in limits])
        end = time.monotonic() + seconds
        done, status, usage = os.wait4(process.pid, os.WNOHANG)
        while done == 0 and time.monotonic() < end:
            time.sleep(0.01)
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
        if done == 0:
            process.kill()
            process.wait()
            self.fail(f"{arguments}: still at work after {seconds} s")
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, (self.folder / "stderr").read_bytes(), usage.ru_maxrss / 1024

    def plain_memory(self, what=None):
        """MiB that the program holds at most, or has reserved once it reads."""
        if what:
            process = subprocess.Popen([os.environ["BOWHIST"], "cluster", "-k", "2", "-o", "-", "-"], stdin=subprocess.PIPE)
            wait_until_it_listens(process)
            wait_until_it_reads_on(process)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            process.kill()
            process.communicate()
            return int(status.split(what + ":")[1].split()[0]) // 1024
        (self.folder / "none.npz").write_bytes(b"PK")
        return self.run_measured("cluster", "-k", "2", "-o", "g.csv", "none.npz")[2]

    def test_an_archive_takes_no_memory_for_what_it_only_promises(self):
        size = 300 * MIB
        rows = size // 4
        few = npy_header("<U1", "(6,)") + numpy.array(list("abcdef"), "<U1").tobytes()
        with zipfile.ZipFile(self.folder / "names.npz", "w") as archive:  # more rows than names, honestly stored
            write_zeros(archive, "histograms.npy", npy_header("<u4", f"({rows}, 1)"), size)
            archive.writestr("images.npy", few)
        with zipfile.ZipFile(self.folder / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            write_zeros(archive, "histograms.npy", npy_header("<u4", f"(6, {rows // 6})"), size)
            archive.writestr("images.npy", few)
        with zipfile.ZipFile(self.folder / "short.npz", "w") as archive:
            archive.writestr("histograms.npy", npy_header("<u4", f"(6, {rows // 6})"))
            archive.writestr("images.npy", few)
        forged = (self.folder / "short.npz").read_bytes()
        assert forged.count(struct.pack("<II", 128, 128)) == 2
        (self.folder / "short.npz").write_bytes(forged.replace(struct.pack("<II", 128, 128),
                                                               struct.pack("<II", size + 128, size + 128)))
        with zipfile.ZipFile(self.folder / "lies.npz", "w", zipfile.ZIP_DEFLATED) as archive:  # more than deflate can hold
            archive.writestr("histograms.npy", npy_header("<u4", f"(6, {rows // 6})").ljust(1000))
        forged = (self.folder / "lies.npz").read_bytes()
        (self.folder / "lies.npz").write_bytes(forged.replace(struct.pack("<I", 1000), struct.pack("<I", size + 128)))
        plain = self.plain_memory()
        for name, *words in (("names.npz", f"expected {rows} names", "found 6"),
                             ("lies.npz", "histograms.npy", f"promises {size + 128} bytes out of", "which hold less"),
                             ("short.npz", "histograms.npy", f"promises {size + 128} bytes out of", "which hold less")):
            with self.subTest(name):
                status, error, memory = self.run_measured("cluster", "--method", "ward", "-k", "2", "-o", "g.csv", name)
                self.assertEqual(status, 3)
                self.assert_one_line(error, name, *words)
                self.assertLess(memory, plain + 50)
        # what is there but has no room is not begun
        for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            started = self.plain_memory("VmSize" if limit == resource.RLIMIT_AS else "VmData")
            status, error, memory = self.run_measured("cluster", "-k", "2", "-o", "g.csv", "bomb.npz",
                                                     limits={limit: (started + 200) * MIB})
            self.assertEqual(status, 3)
            self.assert_one_line(error, "bomb.npz", "bytes of memory", "free")
            self.assertLess(memory, plain + 50)

    def auto_line(self, environment):
        done = self.run_program("kernels", "-k", "32", environment=environment)
        return [line for line in done.stdout.splitlines() if line.startswith(b"auto")][0]

    def test_a_huge_cache_of_auto_takes_no_memory(self):
        environment = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        call = ["kernels", "-k", "32", "--measure"]
        self.run_program(*call, environment=environment)
        path = self.folder / "cache/bowhist/auto.json"
        sound = path.read_bytes()
        with open(path, "r+b") as file:
            file.truncate(1 << 32)
        status, _, memory = self.run_measured(*call, environment=environment)
        self.assertEqual(status, 0)
        self.assertLess(memory, 1000)
        self.assertLess(path.stat().st_size, 2 * len(sound))

    def test_what_the_cache_of_auto_says_is_no_command_to_a_terminal(self):
        self.write_centroids()
        self.write_descriptors("d.npy", 100)
        environment = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        call = ["assign", "--centroids", "c.bin", "-o", "w.npy", "-v", "d.npy"]
        self.run_program("kernels", "-k", "32", "--measure", environment=environment)
        path = self.folder / "cache/bowhist/auto.json"
        cache = json.loads(path.read_text())
        for date in ("\x1b]0;title\x07\x1b[31m", "\n" * 5, "x" * 5000):
            cache["choices"][0]["measured"] = date
            path.write_text(json.dumps(cache))
            said = self.auto_line(environment) + self.run_program(*call, environment=environment).stderr
            self.assertNotIn(b"\x1b", said)
            self.assertNotIn(b"xxxx", said)

    def test_lines_quote_200_bytes_at_most(self):
        write_picture(self.folder / "a.pgm", 1)
        self.run_program("extract", "-o", "d.npy", "a.pgm")
        self.run_program("train", "-k", "2", "-o", "c.bin", "a.pgm")
        long = "\u00e9\x1b[31m" * 1000
        sidecar = json.loads((self.folder / "d.npy.json").read_text())
        sidecar["extractor"]["name"] = long
        (self.folder / "d.npy.json").write_text(json.dumps(sidecar))
        (self.folder / "p.bin").write_bytes((self.folder / "c.bin").read_bytes())
        (self.folder / "p.bin.json").write_text((self.folder / "c.bin.json").read_text().replace("dense", long[:3] * 900))
        (self.folder / "q.bin").write_bytes((self.folder / "c.bin").read_bytes())
        (self.folder / "q.bin.json").write_text('{"a": "' + "x" * 5000 + "\x01")
        (self.folder / "f.txt").write_text("9" * 5000 + "x")
        (self.folder / "h.csv").write_text("image,descriptors,w0\na,1," + long)
        (self.folder / "h.jsonl").write_text('{"' + long)
        (self.folder / "s.npy").write_bytes(npy_header("<f4", "(" + "1844674407, " * 7 + ")"))
        (self.folder / "t.npy").write_bytes(b"\x93NUMPY\2\0" + struct.pack("<I", 60000) +
                                            b"{'descr': '%s', 'fortran_order': False, 'shape': (2,), }".ljust(60000)
                                            .replace(b"%s", b"x" * 5000).ljust(60000)[:60000])
        matrix = "%YAML:1.0\n---\n" + "".join(
            f"{'m' * 500}{i}: !!opencv-matrix\n   rows: 1\n   cols: 1\n   dt: d\n   data: [ 1. ]\n" for i in range(50))
        (self.folder / "m.yml").write_text(matrix)
        (self.folder / "n.yml").write_text(f"%YAML:1.0\n---\nm: !!opencv-matrix\n   rows: 1\n   cols: 1\n   dt: f\n"
                                           f"   data: [ {'x' * 5000} ]\n")
        for arguments in (["--centroids", "c.bin", "d.npy"], ["--centroids", "p.bin", "a.pgm"],
                          ["--centroids", "q.bin", "a.pgm"], ["filter", "--filter", "f.txt", "-o", "o.png", "a.pgm"],
                          ["cluster", "-k", "1", "-o", "g.csv", "h.csv"], ["cluster", "-k", "1", "-o", "g.csv", "h.jsonl"],
                          ["cluster", "-k", "1", "-o", "g.csv", "s.npy"], ["cluster", "-k", "1", "-o", "g.csv", "t.npy"],
                          ["--centroids", "m.yml", "a.pgm"], ["--centroids", "n.yml", "a.pgm"]):
            with self.subTest(arguments=arguments):
                done = subprocess.run([os.environ["BOWHIST"], *arguments], cwd=self.folder, capture_output=True)
                self.assertIn(done.returncode, (1, 2, 3))
                for line in complaints(done.stderr):
                    self.assertNotIn("\x1b", line)
                    self.assertLess(len(line.encode()), 500, line)


if __name__ == "__main__":
    unittest.main()
