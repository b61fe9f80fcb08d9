"""Under mpirun the ranks share the work, and write the bytes of one process.

Skipped where mpirun is missing, and where the build has no MPI.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import numpy

from program import ProgramTest, write_picture, write_vocabulary

MPIRUN = shutil.which("mpirun")
PROGRAM = pathlib.Path(os.environ["BOWHIST"]).resolve()
# The module lies above the program in a build and in an installed copy alike.
HAS_MPI = any((folder / "libexec/bowhist/bowhist-mpi.so").exists() for folder in PROGRAM.parents[:3])
COUNTS = (1, 2, 3, 5)
# One thread a rank: five of them share two cores. Root may start them in a container.
LAUNCHED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_btl": "self,vader", "OMPI_MCA_orte_abort_timeout": "5"}


@unittest.skipUnless(MPIRUN, "mpirun is not installed (openmpi-bin)")
@unittest.skipUnless(HAS_MPI, "this build has no MPI (libopenmpi-dev)")
class MpiTest(ProgramTest):
    def prepare(self):
        (self.folder / "photos/more").mkdir(parents=True)
        for i in range(7):
            write_picture(self.folder / f"photos/{i}.pgm", i)
        write_picture(self.folder / "photos/more/a.pgm", 20, 200, 100)
        write_picture(self.folder / "photos/more/b.pgm", 21, 100, 200)
        (self.folder / "photos/more/broken.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
        self.run_program("train", "-k", "40", "-o", "c.bin", "-q", "photos", status=1)
        self.run_program("extract", "-o", "all.fbin", "-q", "photos", status=1)

    def launch(self, ranks, *arguments, status=0, program=PROGRAM, wrapper=(), environment={}):
        done = subprocess.run([MPIRUN, "-n", str(ranks), *wrapper, program, *arguments], cwd=self.folder,
                              env={**os.environ, **LAUNCHED, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done

    def said(self, done):
        """The program's own lines: mpirun adds some where a rank has a status."""
        return [line for line in done.stderr.decode().splitlines() if line.startswith("bowhist: ")]

    def bytes_of(self, *names):
        return [(self.folder / name).read_bytes() for name in names]

    def alike(self, outputs, *arguments, counts=COUNTS, status=0):
        """The bytes of these outputs, and the lines but for the time, are those of one process."""
        alone = self.run_program(*arguments, status=status)
        expected = self.bytes_of(*outputs)
        lines = [line.rpartition(",")[0] for line in alone.stderr.decode().splitlines()]
        for ranks in counts:
            for name in outputs:
                (self.folder / name).unlink()
            with self.subTest(ranks=ranks):
                done = self.launch(ranks, *arguments, status=status)
                self.assertEqual(self.bytes_of(*outputs), expected)
                self.assertEqual(done.stdout, alone.stdout)
                self.assertEqual(sorted(line.rpartition(",")[0] for line in self.said(done)), sorted(lines))

    def test_a_vocabulary_of_pictures(self):
        self.alike(["v.bin", "v.bin.json"], "train", "-k", "30", "--iterations", "6", "-o", "v.bin", "photos", status=1)

    def test_a_vocabulary_of_a_sample(self):
        self.alike(["v.bin", "v.bin.json"], "train", "-k", "30", "--sample", "500", "--iterations", "6", "--idf", "5",
                   "-o", "v.bin", "photos", status=1, counts=(3,))

    def test_a_vocabulary_with_prepared_rows(self):
        self.alike(["v.bin", "v.bin.json"], "train", "-k", "20", "--iterations", "3", "--prepare", "root,whiten:16,position",
                   "--idf", "9", "-o", "v.bin", "photos", status=1, counts=(2,))

    def test_a_vocabulary_of_a_file_split_by_rows(self):
        for memory in ([], ["--sample", "0", "--memory", "44M"]):
            self.alike(["v.bin", "v.bin.json"], "train", "-k", "30", "--iterations", "6", *memory, "-o", "v.bin", "all.fbin",
                       counts=(2, 5))

    def test_words_without_descriptors_move_alike(self):
        rows = numpy.repeat(numpy.random.default_rng(3).random((60, 8), numpy.float32), 9, axis=0)
        numpy.save(self.folder / "few.npy", rows)
        self.alike(["v.bin", "v.bin.json"], "train", "-k", "58", "--init", "random", "--restarts", "2", "-o", "v.bin", "few.npy",
                   counts=(2, 3))

    def test_fewer_inputs_than_ranks(self):
        self.alike(["v.bin", "v.bin.json"], "train", "-k", "8", "--iterations", "4", "-o", "v.bin", "photos/1.pgm",
                   "photos/2.pgm", counts=(5,))

    def test_answers_of_a_search(self):
        self.run_program("index", "-o", "l.bow", "-q", "photos", status=1)
        self.alike(["a.csv"], "search", "l.bow", "--all", "--top", "3", "-o", "a.csv", counts=(2, 5))
        self.alike(["a.jsonl"], "search", "l.bow", "photos", "--check", "-o", "a.jsonl", status=1, counts=(3,))
        self.alike(["a.npz"], "search", "l.bow", "photos/3.pgm", "-o", "a.npz", counts=(3,))
        self.alike([], "search", "l.bow", "--all", "--top", "2", counts=(3,))

    def test_answers_of_several_libraries(self):
        shutil.copytree(self.folder / "photos", self.folder / "others")
        for folder in ("photos", "others"):
            self.run_program("index", "-o", f"{folder}.bow", "-q", "--centroids", "c.bin", "--describe", "words", folder, status=1)
        self.alike(["a.csv", "a.html"], "search", "photos.bow", "--also", "others.bow", "--check", "-o", "a.csv", "--html", "a.html",
                   "photos", status=1, counts=(3,))

    def test_a_model_of_codes(self):
        self.alike(["m.npz"], "train", "--model", "vlad", "-k", "16", "--reduce", "8", "-o", "m.npz", "photos", status=1, counts=(3,))

    def test_groups_of_pictures(self):
        self.alike(["groups.csv", "sheet.html"], "cluster", "-o", "groups.csv", "--html", "sheet.html", "photos", status=1, counts=(3,))

    def test_histograms(self):
        for output in ("h.csv", "h.npz"):
            self.alike([output], "--centroids", "c.bin", "-o", output, "photos", status=1, counts=(2,) if output == "h.csv" else (3, 5))
        self.alike([], "--centroids", "c.bin", "photos/1.pgm", "photos/2.pgm", counts=(3,))

    def test_words_of_descriptors(self):
        self.run_program("extract", "-q", "-o", "descriptors", "photos", status=1)
        self.alike(["w.npy"], "assign", "--centroids", "c.bin", "-o", "w.npy", "descriptors", counts=(3,))
        self.alike([], "assign", "--centroids", "c.bin", "-o", "-", "all.fbin", counts=(2,))

    def test_a_tree(self):
        outputs = ["t.bin", "t.bin.json", "t.bin.tree"]
        self.alike(outputs, "train", "--tree", "6x5", "--iterations", "6", "--idf", "5", "-o", "t.bin", "photos", status=1)
        many = numpy.random.default_rng(8).random((70_000, 4), numpy.float32)  # the root is all ranks'
        numpy.save(self.folder / "many.npy", many)
        self.alike(outputs, "train", "--tree", "3x4x2", "--iterations", "4", "--sample", "0", "-o", "t.bin", "many.npy", counts=(2, 3))
        self.alike(outputs, "train", "--tree", "5x4", "--sample", "500", "--prepare", "root,whiten:8", "-o", "t.bin", "photos", status=1,
                   counts=(3,))

    def test_a_tree_of_ranks_with_other_shapes(self):
        (self.folder / "t.bin").write_bytes(b"before")
        script = self.folder / "shape.sh"
        script.write_text(f'#!/bin/sh\n[ "$OMPI_COMM_WORLD_RANK" = 1 ] && shape=2x8\nexec {PROGRAM} train --tree ${{shape:-4x4}} -o t.bin photos\n')
        script.chmod(0o755)
        done = self.launch(2, status=2, program=script)
        self.assertEqual(self.said(done), ["bowhist: rank 1 has other options than rank 0; give all ranks the same files, options and "
                                           "program"])
        self.assertEqual((self.folder / "t.bin").read_bytes(), b"before")

    def test_words_of_a_tree(self):
        self.run_program("train", "-q", "--tree", "4x4", "-o", "t.bin", "photos", status=1)
        self.run_program("extract", "-q", "-o", "descriptors", "photos", status=1)
        descend = ("--centroids", "t.bin", "--descend")
        self.alike(["h.npz"], *descend, "-o", "h.npz", "photos", status=1, counts=(3,))
        self.alike(["w.npy"], "assign", *descend, "-o", "w.npy", "descriptors", counts=(3,))
        make = ("index", "-q", "--no-thumbnails", *descend, "--describe", "words")
        self.run_program(*make, "-o", "one.bow", "photos", status=1)
        self.launch(3, *make, "-o", "three.bow", "photos", status=1)
        for name in ("one", "three"):
            self.run_program("export", f"{name}.bow", "-o", f"{name}.npz")
        self.assertEqual(*self.bytes_of("one.npz", "three.npz"))
        self.alike(["a.csv"], "search", "three.bow", "photos", "-o", "a.csv", status=1, counts=(2,))

    def test_descriptors(self):
        self.alike(["d.fbin", "d.fbin.json"], "extract", "-o", "d.fbin", "photos", status=1, counts=(3,))
        forecast = lambda done: [line.replace("rank 0: ", "") for line in self.said(done) if " will hold " in line]
        call = ("extract", "-v", "-o", "d.fbin", "photos")
        alone = self.run_program(*call, status=1)
        self.assertEqual(len(forecast(alone)), 1)
        self.assertEqual(forecast(self.launch(2, *call, status=1)), forecast(alone))

    def test_a_library(self):
        make = ("index", "-q", "--no-thumbnails", "--centroids", "c.bin", "--describe", "words")
        self.run_program(*make, "-o", "one.bow", "photos", status=1)
        self.launch(3, *make, "-o", "three.bow", "photos", status=1)
        for name in ("one", "three"):
            self.run_program("export", f"{name}.bow", "-o", f"{name}.npz")
            self.run_program("search", f"{name}.bow", "--all", "--top", "3", "-o", f"{name}.csv")
        self.assertEqual(*self.bytes_of("one.npz", "three.npz"))
        self.assertEqual(*self.bytes_of("one.csv", "three.csv"))
        done = self.launch(2, *make, "-o", "three.bow", "photos", status=2)
        self.assertIn("one process updates a library", " ".join(self.said(done)))

    def test_a_rank_with_another_vocabulary(self):
        shutil.copytree(self.folder / "photos", self.folder / "other/photos")
        (self.folder / "h.csv").write_bytes(b"before")
        write_vocabulary(self.folder / "other/c.bin", numpy.random.default_rng(5).random((40, 64)))
        call = ("--centroids", "c.bin", "-o", "h.csv", "photos")
        done = self.launch(2, *call, status=2, wrapper=self.on_rank(1, "cd other"))
        self.assertEqual(self.said(done), ["bowhist: rank 1 has another vocabulary than rank 0; give all ranks the same files, "
                                           "options and program"])
        (self.folder / "other/c.bin").write_bytes(b"no vocabulary")
        done = self.launch(2, *call, status=3, wrapper=self.on_rank(1, "cd other"))
        self.assertEqual(len(self.said(done)), 1, done.stderr)
        self.assertIn("bowhist: rank 1: c.bin: ", self.said(done)[0])
        self.assertEqual((self.folder / "h.csv").read_bytes(), b"before")

    @unittest.skipUnless(shutil.which("cc"), "nothing stands in for another build")
    def test_a_rank_of_another_build(self):
        """Versions are compared before any message that may differ, such as the meeting of ranks."""
        (self.folder / "v.bin").write_bytes(b"before")
        (self.folder / "other.c").write_text("""
            #include <stddef.h>
            struct text { size_t size; const char *first; };
            struct text _ZN7bowhist7versionEv(void) { return (struct text){VERSION_SIZE, "0.1.0-next"}; }
            int PMPI_Type_contiguous(int, void *, void *);
            int MPI_Type_contiguous(int count, void *old, void *new) { return PMPI_Type_contiguous(count / 2, old, new); }
            """)
        for size, ranks in ((10, 2), (3, 3)):  # longer, and a part of ours
            subprocess.run(["cc", "-shared", "-fPIC", f"-DVERSION_SIZE={size}", "-o", "other.so", "other.c"], cwd=self.folder, check=True)
            for call in (["train", "-k", "8", "-o", "v.bin", "photos"], ["train", "--help"]):
                with self.subTest(size=size, call=call):
                    wrapper = self.on_rank(ranks - 1, f"export LD_PRELOAD={self.folder}/other.so")
                    done = self.launch(ranks, *call, status=2, wrapper=wrapper)
                    self.assertEqual(self.said(done), [f"bowhist: rank {ranks - 1} has another version of bowhist than rank 0; give all ranks "
                                                       "the same files, options and program"])
                    self.assertEqual(done.stdout, b"")
        self.assertEqual((self.folder / "v.bin").read_bytes(), b"before")

    def test_help_is_given_once(self):
        self.assertEqual(self.launch(3, "train", "--help").stdout, self.run_program("train", "--help").stdout)

    def test_wrong_usage_is_said_once(self):
        done = self.launch(3, "train", "-k", "0", "-o", "v.bin", "photos", status=2)
        self.assertEqual(len(self.said(done)), 1, done.stderr)

    def test_what_is_not_shared_is_refused(self):
        done = self.launch(2, "train", "-k", "8", "--device", "all", "-o", "v.bin", "photos", status=2)
        self.assertIn("ranks train on a device each", self.said(done)[0])

    def test_every_verb_is_shared_or_refused(self):
        verbs = re.findall(r"^  bowhist ([a-z]+) ", self.run_program("--help").stdout.decode(), re.MULTILINE)
        shared = {"train", "extract", "assign", "cluster", "index", "search", "help"}
        self.assertLess(shared, set(verbs))
        for verb in set(verbs) - shared:
            with self.subTest(verb=verb):
                done = self.launch(2, verb, "photos", "-o", "o.npz", status=2)
                self.assertEqual(self.said(done), [f"bowhist: {verb} does not share its work among ranks; start it without the launcher"])
                self.launch(2, verb, "--help")
        self.assertFalse((self.folder / "o.npz").exists())

    def test_what_a_shared_verb_does_alone_is_refused(self):
        self.run_program("index", "-q", "-o", "l.bow", "--centroids", "c.bin", "--describe", "words", "photos", status=1)
        before = (self.folder / "l.bow").read_bytes()
        for call in (["extract", "-o", "folder/", "photos"], ["index", "-o", "l.bow"], ["index", "-o", "new.bow", "photos"],
                     ["index", "-o", "l.bow", "--reindex"], ["train", "-k", "9", "--checkpoint", "c.npz", "-o", "v.bin", "photos"]):
            with self.subTest(call=call):
                self.assertEqual(len(self.said(self.launch(2, *call, status=2))), 1)
        self.assertEqual((self.folder / "l.bow").read_bytes(), before)
        for name in ("folder", "new.bow", "v.bin", "c.npz"):
            self.assertFalse((self.folder / name).exists())

    def test_verbose_ranks_say_their_numbers(self):
        said = self.said(self.launch(3, "train", "-v", "-k", "8", "--iterations", "2", "-o", "v.bin", "photos", status=1))
        for rank in range(3):
            self.assertTrue(any(line.startswith(f"bowhist: rank {rank}: ") for line in said), said)

    def on_rank(self, rank, command):
        """A wrapper that runs a command on one rank before the program."""
        script = self.folder / "wrapper.sh"
        script.write_text(f'#!/bin/sh\nif [ "$OMPI_COMM_WORLD_RANK" = {rank} ]; then {command}; fi\nexec "$@"\n')
        script.chmod(0o755)
        return [script]

    def test_a_rank_with_other_inputs(self):
        shutil.copytree(self.folder / "photos", self.folder / "other/photos")
        shutil.copy(self.folder / "c.bin", self.folder / "other/c.bin")
        shutil.copy(self.folder / "c.bin.json", self.folder / "other/c.bin.json")
        other = self.folder / "other/photos/0.pgm"
        (self.folder / "v.bin").write_bytes(b"before")
        for change in (lambda: other.write_bytes(other.read_bytes()[:-1]), other.unlink):
            change()
            done = self.launch(3, "train", "-k", "8", "-o", "v.bin", "photos", status=2, wrapper=self.on_rank(2, "cd other"))
            self.assertEqual(self.said(done), ["bowhist: rank 2 has other inputs than rank 0; give all ranks the same files, options "
                                               "and program"])
        self.assertEqual((self.folder / "v.bin").read_bytes(), b"before")
        again = self.launch(2, "index", "--centroids", "c.bin", "--describe", "words", "-o", "l.bow", "photos", status=2,
                            wrapper=self.on_rank(1, "cd other"))
        self.assertEqual(self.said(again), [self.said(done)[0].replace("rank 2", "rank 1")])
        self.assertFalse((self.folder / "l.bow").exists())

    def test_a_rank_without_its_input(self):
        """It cannot read what the others can: with --strict all end, and the line names rank and input."""
        shutil.copytree(self.folder / "photos", self.folder / "other/photos")
        broken = self.folder / "other/photos/6.pgm"
        broken.write_bytes(b"\0\0" + broken.read_bytes()[2:])
        done = self.launch(2, "train", "-k", "8", "-o", "v.bin", "--strict", "--exclude", "*.png", "photos", status=3,
                           wrapper=self.on_rank(1, "cd other"))
        self.assertEqual(len(self.said(done)), 1, done.stderr)
        self.assertIn("rank 1: ", self.said(done)[0])
        self.assertIn("6.pgm", self.said(done)[0])
        self.assertFalse((self.folder / "v.bin").exists())

    def test_a_killed_rank(self):
        for words in (("-k", "200"), ("--tree", "20x10")):
            with self.subTest(words=words):
                self.kill_while_it_trains(*words)

    def kill_while_it_trains(self, *words):
        (self.folder / "v.bin").write_bytes(b"before")
        (self.folder / "pid").unlink(missing_ok=True)
        program = subprocess.Popen(
            [MPIRUN, "-n", "3", *self.on_rank(1, "echo $$ > pid"), PROGRAM, "train", *words, "--iterations", "1000000",
             "--kernel", "serial", "--restarts", "1000", "-o", "v.bin", "--exclude", "*.png", "photos"],
            cwd=self.folder, env={**os.environ, **LAUNCHED}, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        while not (self.folder / "pid").exists():
            time.sleep(0.1)
        time.sleep(2)  # until it trains
        start = time.monotonic()
        os.kill(int((self.folder / "pid").read_text()), signal.SIGKILL)
        _, stderr = program.communicate(timeout=60)
        self.assertLess(time.monotonic() - start, 30)
        own = [line for line in stderr.decode().splitlines() if line.startswith("bowhist: ")]
        self.assertEqual(len(own), 1, stderr)
        self.assertRegex(own[0], r"rank 1 ended before its work was done \(it had inputs 4 to 6 of 9, photos/3.pgm")
        self.assertNotEqual(program.returncode, 0)
        self.assertEqual((self.folder / "v.bin").read_bytes(), b"before")

    def test_what_a_killed_rank_leaves_goes_with_the_next_run(self):
        (self.folder / "tmp").mkdir()
        call = ("--centroids", "c.bin", "--kernel", "serial", "-o", "h.npz", "photos")
        program = subprocess.Popen([MPIRUN, "-n", "2", *self.on_rank(1, "echo $$ > pid"), PROGRAM, *call], cwd=self.folder,
                                   env={**os.environ, **LAUNCHED, "TMPDIR": str(self.folder / "tmp")}, stderr=subprocess.DEVNULL)
        parts = lambda: list((self.folder / "tmp").glob(".bowhist-*"))
        while len(parts()) < 2 and program.poll() is None:
            time.sleep(0.001)
        os.kill(int((self.folder / "pid").read_text()), signal.SIGKILL)
        program.wait(timeout=60)
        self.assertEqual(len(parts()), 2)
        self.assertFalse((self.folder / "h.npz").exists())
        self.launch(2, *call, status=1, environment={"TMPDIR": str(self.folder / "tmp")})
        self.assertEqual(parts(), [])
        self.assertEqual([path for path in self.folder.iterdir() if path.name.startswith(".bowhist-")], [])

    def test_no_place_for_a_library(self):
        """Refused before the work."""
        (self.folder / "file").write_bytes(b"no folder")
        done = self.launch(2, "index", "-v", "--centroids", "c.bin", "-o", "file/l.bow", "photos", status=3)
        self.assertEqual(len([line for line in self.said(done) if "rank 0: file" in line]), 1, done.stderr)
        self.assertNotIn("described", done.stderr.decode())

    def test_an_installed_copy_without_the_module(self):
        root = next(folder for folder in PROGRAM.parents[:3] if (folder / "libexec/bowhist/bowhist-mpi.so").exists())
        for name in ("bin", "lib", "libexec"):
            shutil.copytree(root / name, self.folder / "copy" / name, symlinks=True, ignore=lambda folder, names: [
                name for name in names if name == "bowhist-mpi.so" or pathlib.Path(folder).name == "lib" and ".so" not in name])
        done = self.launch(2, "train", "-k", "8", "-o", "v.bin", "photos", status=3, program=self.folder / "copy/bin/bowhist",
                           environment={"LD_LIBRARY_PATH": str(self.folder / "copy/lib")})
        self.assertEqual(len(self.said(done)), 1, done.stderr)
        self.assertIn("bowhist-mpi.so", self.said(done)[0])
        self.assertFalse((self.folder / "v.bin").exists())

    def test_a_launcher_without_mpi_in_the_build(self):
        """Two equal runs would overwrite each other's output."""
        environment = {"PMI_SIZE": "2", "PMI_RANK": "0"}  # of a launcher that Open MPI does not know
        done = self.run_program("train", "-k", "8", "-o", "v.bin", "photos", status=3, environment=environment)
        self.assertIn(b"they would be equal runs", done.stderr)
        done = self.run_program("train", "-k", "8", "-o", "v.bin", "photos", status=3, environment={**environment, "PMI_RANK": "1"})
        self.assertEqual(done.stderr, b"")

    def test_steps_of_a_batch_system_that_are_one_process(self):
        for environment in ({"SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_JOB_ID": "7"},
                            {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0", "SLURM_ARRAY_TASK_ID": "3"},
                            {"SLURM_STEP_ID": "4294967291", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "1"}):
            self.run_program("train", "-k", "8", "--iterations", "1", "-o", "v.bin", "all.fbin", environment=environment)
        several = {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "0"}
        done = self.run_program("train", "-k", "8", "-o", "v.bin", "all.fbin", status=3, environment=several)
        self.assertIn(b"--mpi=pmix", done.stderr)


if __name__ == "__main__":
    unittest.main()
