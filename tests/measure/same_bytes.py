#!/usr/bin/python3
"""The whole chain in every way that shares work, and whether its files are the bytes of one process.

    BOWHIST=build/ci/bin/bowhist tests/measure/same_bytes.py [FOLDER] [--ranks 2 3 5] [--shards 1 2 3 4 5 6 7] [--quick]

Without FOLDER it draws pictures. Ways: one process; the host's fastest level; one thread; a device; all devices; ranks of
mpirun, more than there are cores; shards that are merged. PoCL alone counts as two devices. Where BOWHIST_TEST_RUSTICL
names the folder of rusticl's .icd, rusticl is a way, and PoCL and rusticl together are one: of descriptors and words only.

Prints a table in Markdown: a row for each artefact, a column for each way, the first 12 digits of each SHA-256. A verb
that a way does not share is run there by one process on what the way made; where nothing of it would be the way's, the
cell is empty. Exit status 1 if a cell differs or a command fails. A way that is not there is named, with the reason.

Ranks and shards of a library take the models that one process learned. Its file holds times, so its exports and answers
are compared. Needs the program alone (numpy and OpenCV are not needed); drawn pictures are JPEGs where Pillow is there,
else PGMs, which a build without OpenCV cannot read.
"""
import argparse
import dataclasses
import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

QUERIES = 100
LAUNCHED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
ROWS = ("csv", "npy", "npz", "jsonl", "svm", "fbin", "fvecs")  # what export writes of words and of codes
POINTS = ("qdrant.jsonl", "milvus.jsonl")


@dataclasses.dataclass
class Way:
    name: str
    options: tuple = ()  # of the verbs that compute
    environment: dict = dataclasses.field(default_factory=dict)
    ranks: int = 0
    shards: int = 0
    brief: bool = False  # a simulated GPU takes minutes for the whole chain


class Failed(Exception):
    """A command ended otherwise than it should: its line."""


class Chain:
    """All artefacts of one way, in a folder of its own. Its paths are relative, so that they are those of every way."""

    def __init__(self, program, scratch, way, asked, first):
        """@param first  the chain of one process, None for that one"""
        self.program, self.scratch, self.way, self.asked, self.first = program, scratch, way, asked, first
        self.sums, self.folder = {}, scratch / way.name.replace(" ", "-")
        self.folder.mkdir()

    def call(self, *arguments, ranks=0):
        command = [*(["mpirun", "-n", str(ranks)] if ranks else []), self.program, *arguments, "-q"]
        done = subprocess.run([str(word) for word in command], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              env={**os.environ, **LAUNCHED, **self.way.environment})
        if done.returncode not in (0, 1):  # 1: inputs were skipped
            raise Failed(f"{' '.join(str(word) for word in command)}: status {done.returncode}: {done.stderr.decode()[-800:].strip()}")

    def computed(self, *arguments):
        """By the way's devices or ranks."""
        options = self.way.options
        if arguments[0] == "extract" and "--kernel" in options:  # which has no words to find
            at = options.index("--kernel")
            options = options[:at] + options[at + 2 :]
        threads = ("-j", "1") if self.way.ranks else ()
        self.call(*arguments, *options, *threads, ranks=self.way.ranks)

    def keep(self, artefact, *names):
        """The sum of these files, one after another."""
        content = b"".join((self.folder / name).read_bytes() for name in names)
        self.sums[artefact] = hashlib.sha256(content).hexdigest()[:12]

    def in_shards(self, output, *arguments):
        """The same call, its shards merged where the way has some."""
        if not self.way.shards:
            return self.computed(*arguments, "-o", output)
        ending = ".bow" if output.endswith(".bow") else ".part"
        parts = [f"{output}.{i}{ending}" for i in range(1, self.way.shards + 1)]
        for i, part in enumerate(parts, 1):
            self.computed(*arguments, "--shard", f"{i}/{self.way.shards}", "-o", part)
        self.call("merge", "-o", output, *parts[::-1])

    def trained(self, artefact, output, *arguments, beside=()):
        """Shards do not learn: they take what one process learned."""
        names = [output, *(output + ending for ending in beside)]
        if self.way.shards:
            for name in names:
                shutil.copy(self.first.folder / name, self.folder / name)
            return
        self.computed("train", *arguments, "-o", output)
        self.keep(artefact, *names)

    def vocabularies(self):
        words, few = str(self.asked.words), ("--iterations", "5")
        self.trained("vocabulary", "v.bin", "-k", words, *few, "--idf", "20", self.asked.photos, beside=[".json"])
        self.trained("vocabulary, tree", "t.bin", "--tree", "8x8", *few, self.asked.photos, beside=[".json", ".tree"])
        self.trained("model of codes", "m.npz", "--model", "vlad", "-k", "16", "--reduce", "32", *few, self.asked.photos)

    def caches(self):
        self.in_shards("d.fbin", "extract", self.asked.photos)
        self.keep("descriptors .fbin", "d.fbin", "d.fbin.json")
        self.in_shards("w.npy", "assign", "--centroids", "v.bin", "d.fbin")
        self.keep("words", "w.npy")
        # Shards merged it, so this training is theirs, too.
        (self.call if self.way.shards else self.computed)("train", "-k", "50", "--iterations", "5", "--sample", "0", "-o", "f.bin", "d.fbin")
        self.keep("vocabulary of the .fbin", "f.bin", "f.bin.json")

    def histograms(self):
        for artefact, output, *options in (("histograms .csv", "h.csv"), ("histograms .npz", "h.npz"),
                                           ("histograms, tfidf", "i.npz", "--normalize", "tfidf"),
                                           ("histograms, soft", "s.npz", "--encode", "soft"),
                                           ("histograms, pyramid", "p.npz", "--encode", "pyramid")):
            self.in_shards(output, "--centroids", "v.bin", *options, self.asked.photos)
            self.keep(artefact, output)
        self.in_shards("n.npz", "--centroids", "t.bin", "--descend", self.asked.photos)
        self.keep("histograms, tree", "n.npz")
        self.in_shards("c.npz", "--centroids", "m.npz", self.asked.photos)
        self.keep("codes", "c.npz")

    def library(self):
        learned = self.way.shards or self.way.ranks
        models = ["--centroids", os.path.relpath(self.first.folder / "l.bow", self.folder)] if learned else [
            "--words-k", self.asked.words, "--code-k", "32"]
        self.in_shards("l.bow", "index", *models, self.asked.photos)
        for what, endings in (("words", ROWS), ("code", ROWS), ("points", POINTS)):
            for ending in endings:
                self.call("export", "l.bow", *(() if what == "points" else ("--what", what)), "-o", f"{what}.{ending}")
                self.keep(f"export, {what} .{ending}", f"{what}.{ending}")

    def answers(self):
        for name, *options in (("", ), (", tfidf", "--normalize", "tfidf"), (", --check", "--check"), (", --mirror", "--mirror")):
            artefact = f"{len(self.asked.queries)} queries{name}"
            self.computed("search", "l.bow", *options, "--files-from", "../queries", "-o", "answers.csv")
            self.keep(artefact, "answers.csv")
        self.computed("search", "l.bow", "--all", "-o", "all.npz")
        self.keep("every image a query .npz", "all.npz")

    def groups(self):
        """Of copies, and of images that look alike."""
        for artefact, output, *options in (("duplicates", "copies.csv"), ("duplicates, --scene", "scenes.jsonl", "--scene")):
            self.call("duplicates", "l.bow", *options, "-o", output)
            self.keep(artefact, output)
        self.call("cluster", "l.bow", "-o", "g.csv", *self.way.options)
        self.keep("groups of the library", "g.csv")
        self.call("cluster", "h.npz", "-o", "r.csv", *self.way.options)
        self.keep("groups of histograms", "r.csv")
        if not self.way.shards:
            self.computed("cluster", self.asked.photos, "-o", "g.json")
            self.keep("groups of pictures", "g.json", "g.json.npz")

    def make(self):
        if self.way.brief:
            for name in ("v.bin", "v.bin.json"):
                shutil.copy(self.first.folder / name, self.folder / name)
            return self.caches()
        for step in (self.vocabularies, self.caches, self.histograms, self.library, self.answers, self.groups):
            step()


def drawn(folder, count):
    """Pictures with corners enough for keypoints; every fifth is drawn from the one before it, but for one patch."""
    try:
        from PIL import Image
    except ImportError:
        Image = None
    for seed in range(count):
        drawing = random.Random(seed - (seed % 5 == 4))
        width, height = 150 + 10 * drawing.randrange(6), 130
        pixels = bytearray(b"\x80" * (width * height))
        for _ in range(60 + (seed % 5 == 4)):
            x, y, w, h, gray = (drawing.randrange(top) for top in (width - 10, height - 10, 30, 30, 256))
            for row in range(y, min(y + 6 + h, height)):
                stop = min(x + 6 + w, width)
                pixels[row * width + x : row * width + stop] = bytes([gray]) * (stop - x)
        if Image:
            Image.frombytes("L", (width, height), bytes(pixels)).save(folder / f"{seed}.jpg", quality=95)
        else:
            (folder / f"{seed}.pgm").write_bytes(b"P5\n%d %d\n255\n" % (width, height) + bytes(pixels))


def listed_devices(program, environment={}):
    """The lines that name them."""
    done = subprocess.run([program, "devices"], capture_output=True, text=True, env={**os.environ, **environment})
    return [line for line in done.stdout.splitlines() if line[:1].isdigit()], done.stdout


def ways_of_devices(program, scratch, skipped):
    devices, text = listed_devices(program)
    if not devices:
        skipped.append("devices: OpenCL has none here")
        return
    yield Way("device 0", ("--device", "0"))
    pocl = "Portable Computing Language" in text
    two = {"POCL_DEVICES": "pthread pthread"} if len(devices) == 1 and pocl else {}
    if len(listed_devices(program, two)[0]) > 1:
        yield Way("all devices", ("--device", "all"), two)
    else:
        skipped.append(f"all devices: there is one, {devices[0]}")
    rusticl = os.environ.get("BOWHIST_TEST_RUSTICL")
    if not rusticl:
        skipped.append("rusticl: BOWHIST_TEST_RUSTICL does not name the folder of its .icd")
        return
    shown = {"OCL_ICD_VENDORS": rusticl, "RUSTICL_ENABLE": "llvmpipe", "RUSTICL_DEVICE_TYPE": "gpu"}
    yield Way("rusticl", ("--device", "0", "--kernel", "gpu4"), shown, brief=True)
    both = scratch / "icd"
    both.mkdir()
    for folder in (rusticl, os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")):
        for icd in pathlib.Path(folder).glob("*.icd"):
            shutil.copy(icd, both)
    yield Way("PoCL and rusticl", ("--device", "all", "--kernel", "gpu4"), {**shown, "OCL_ICD_VENDORS": str(both)}, brief=True)


def ways(program, scratch, asked, skipped):
    yield Way("1 process")
    yield Way("simd", ("--kernel", "simd"))
    if not asked.quick:
        yield Way("1 thread", ("-j", "1"))
    yield from ways_of_devices(program, scratch, skipped)
    mpi = any((folder / "libexec/bowhist/bowhist-mpi.so").exists() for folder in program.parents[:3])
    if not shutil.which("mpirun"):
        skipped.append("ranks: mpirun is not installed")
    elif not mpi:
        skipped.append("ranks: this build has no MPI")
    else:
        yield from (Way(f"{ranks} ranks", ranks=ranks) for ranks in asked.ranks)
    yield from (Way(f"{shards} shards" if shards > 1 else "1 shard", shards=shards) for shards in asked.shards)


def report(chains, failures):
    """@return whether all is equal"""
    first, *others = chains
    print("| artefact | " + " | ".join(chain.way.name for chain in chains) + " | |")
    print("|---" * (len(chains) + 2) + "|")
    good = not failures
    for artefact, expected in first.sums.items():
        equal = all(chain.sums.get(artefact, expected) == expected for chain in others)
        good = good and equal
        cells = [chain.sums.get(artefact, "") for chain in chains]
        print(f"| {artefact} | " + " | ".join(cells) + f" | {'equal' if equal else 'DIFFERS'} |")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--ranks", nargs="*", type=int, default=[2, 3, 5])
    parser.add_argument("--shards", nargs="*", type=int, default=[1, 2, 3, 4, 5, 6, 7])
    parser.add_argument("--words", type=int, default=500)
    parser.add_argument("--drawn", type=int, default=120, help="pictures to draw without FOLDER")
    parser.add_argument("--quick", action="store_true", help="3 ranks, 2 shards and few small pictures")
    asked = parser.parse_args()
    if asked.quick:
        asked.ranks, asked.shards, asked.words, asked.drawn = asked.ranks[1:2], asked.shards[1:2], 40, 10
    program = pathlib.Path(os.environ["BOWHIST"]).resolve()
    skipped, chains, failures = [], [], []
    with tempfile.TemporaryDirectory(prefix="bowhist-same-") as name:
        scratch = pathlib.Path(name)
        if asked.folder:
            (scratch / "photos").symlink_to(asked.folder.resolve())
        else:
            (scratch / "photos").mkdir()
            drawn(scratch / "photos", asked.drawn)
        asked.photos = "../photos"
        endings = (".jpg", ".jpeg") if asked.folder else (".jpg", ".pgm")
        found = sorted(path for path in (scratch / "photos").rglob("*") if path.suffix.lower() in endings)
        asked.queries = [f"../{path.relative_to(scratch)}" for path in found[:QUERIES]]
        (scratch / "queries").write_text("".join(f"{path}\n" for path in asked.queries))
        for way in ways(program, scratch, asked, skipped):
            start = time.monotonic()
            chains.append(Chain(program, scratch, way, asked, chains[0] if chains else None))
            try:
                chains[-1].make()
            except Failed as failure:
                failures.append(f"{way.name}: {failure}")
                if len(chains) == 1:
                    break
            print(f"{way.name}: {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
        good = report(chains, failures)
    print(f"\n{len(found)} pictures." + "".join(f"\n- skipped: {line}" for line in skipped) +
          "".join(f"\n- failed: {line}" for line in failures))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
