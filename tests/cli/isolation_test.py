"""Pictures in processes of their own: hostile ones cost a line each, and nothing is left running."""
import gzip
import os
import pathlib
import signal
import subprocess
import tarfile
import time
import unittest

from program import ProgramTest, complaints, wait_until_it_listens

FINDS = pathlib.Path(os.environ.get("BOWHIST_TEST_DATA", "none"), "finds.tar.gz")


def session_of(process):
    try:
        return int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[3])
    except OSError:
        return None


def running_in(session):
    return [p for p in os.listdir("/proc") if p.isdigit() and session_of(p) == session]


class Isolation(ProgramTest):
    def prepare(self):
        self.names = [f"{i}.pgm" for i in range(12)]
        self.write_pictures(self.names)

    def histograms(self, *arguments, status=0):
        return self.run_program("--centroids", "c.bin", "--kernel", "serial", *arguments, status=status)

    def test_rows_are_the_same_wherever_pictures_are_decoded(self):
        self.run_program("train", "-k", "8", "-o", "c.bin", *self.names)
        self.run_program("filter", "0.pgm", "-o", "x.jpg", "--blur", "1")
        rows = {isolate: self.histograms("--isolate", isolate, *self.names, "x.jpg").stdout
                for isolate in ("auto", "always", "never")}
        self.assertEqual(rows["auto"].count(b"\n"), 14)
        self.assertEqual(rows["always"], rows["auto"])
        self.assertEqual(rows["never"], rows["auto"])

    def test_every_process_is_gone_at_the_end(self):
        for arguments in (["extract", "-o", "d", *self.names], ["extract", "-o", "d", "--isolate", "always", "none.jpg", *self.names]):
            process = subprocess.Popen([os.environ["BOWHIST"], *arguments], cwd=self.folder, stderr=subprocess.DEVNULL, start_new_session=True)
            process.wait()
            self.assertEqual(running_in(process.pid), [])

    def test_a_killed_program_leaves_no_process(self):
        many = self.names * 200
        for number in (signal.SIGKILL, signal.SIGINT):
            process = subprocess.Popen([os.environ["BOWHIST"], "extract", "-o", "d", *many], cwd=self.folder,
                                       stderr=subprocess.DEVNULL, start_new_session=True)
            wait_until_it_listens(process)
            while process.poll() is None and len(running_in(process.pid)) < 3:  # a worker and its child
                time.sleep(0.001)
            process.send_signal(number)
            process.wait()
            end = time.monotonic() + 60
            while running_in(process.pid) and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual(running_in(process.pid), [])

    def test_a_process_that_is_killed_costs_no_picture_that_is_not_in_flight(self):
        process = subprocess.Popen([os.environ["BOWHIST"], "extract", "-o", "d", *self.names * 100], cwd=self.folder,
                                   stderr=subprocess.PIPE, start_new_session=True)
        killed = 0
        while process.poll() is None and killed < 5:
            for worker in set(running_in(process.pid)) - {str(process.pid)}:
                try:
                    os.kill(int(worker), signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
            time.sleep(0.05)
        errors = process.stderr.read()
        self.assertEqual(process.wait(), 0 if not complaints(errors) else 1, errors)
        self.assertGreater(killed, 0)
        in_flight = os.cpu_count()  # the server's end can cost each thread the picture that it waits for
        self.assertLessEqual(len(complaints(errors)), killed * in_flight, errors)

    def test_codecs_are_not_loaded_where_nothing_is_decoded(self):
        libraries = subprocess.run(["ldd", os.environ["BOWHIST"]], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("imgcodecs", libraries)

    def test_a_bowhist_without_its_helpers_names_them(self):
        library = next(line.split()[2] for line in subprocess.run(
            ["ldd", os.environ["BOWHIST"]], capture_output=True, text=True, check=True).stdout.splitlines() if "libbowhist" in line)
        (self.folder / "lib").mkdir()
        (self.folder / "lib" / pathlib.Path(library).name).write_bytes(pathlib.Path(library).read_bytes())
        done = self.run_program("extract", "-o", "d", "0.pgm", status=3, environment={"LD_LIBRARY_PATH": str(self.folder / "lib")})
        self.assert_one_line(done.stderr, "0.pgm", "libexec/bowhist/bowhist-decode", "install bowhist as a whole")

    @unittest.skipUnless(FINDS.is_file(), "skipped: BOWHIST_TEST_DATA holds no finds.tar.gz")
    def test_files_made_to_do_harm_cost_a_line_each(self):
        with tarfile.open(FINDS) as archive:
            archive.extractall(self.folder / "finds")
        self.run_program("train", "-k", "8", "-o", "c.bin", *self.names)
        good = self.histograms(*self.names).stdout
        pnm = self.folder / "finds/finds/pnm_hash.pbm"
        pnm.write_bytes(gzip.decompress(pnm.with_suffix(".pbm.gz").read_bytes()))
        finds = sorted(str(p.relative_to(self.folder)) for p in self.folder.glob("finds/**/*") if p.suffix in (".jp2", ".jpg", ".tif", ".pbm"))
        finds.remove("finds/finds/whole.jpg")
        self.assertGreater(len(finds), 8)
        mixed = [name for pair in zip(finds, self.names * 2) for name in pair] + self.names
        for isolate in ("auto", "always"):
            done = self.histograms("--isolate", isolate, *mixed, status=1)
            self.assertEqual(len(complaints(done.stderr)), len(finds), done.stderr)
            rows = {row.split(b",")[0]: row for row in done.stdout.splitlines()}
            self.assertEqual([rows[row.split(b",")[0]] for row in good.splitlines()], good.splitlines())


if __name__ == "__main__":
    unittest.main()
