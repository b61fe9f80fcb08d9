#!/usr/bin/python3
"""Each level of each OpenCL implementation beside the rule, on rows that tempt it to a wrong word.

    tests/measure/implementations.py [--build build/ci] [--intel DIR] [--only NAME ...] [--rows 1000000] [--minutes 20]

Prints a table in Markdown: rows compared, wrong words and counts, seconds (the rule's own among them), and rows that
the level declines, in whose place it gets others. An implementation has --minutes for its levels; a level that needs
more is stopped, and its rows say how far it came. With Intel's runtime the tests run, too, that the suite runs with the
others. An implementation that is not installed gets a line.

Needs a build, and its target exactness. DIR: pip install --prefix DIR intel-opencl-rt intel-cmplr-lib-rt
"""
import argparse
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

LEVELS = ("gpu1", "gpu2", "gpu3", "gpu4", "gpu5", "gpu6", "gpu7")
SEEDS = 1000  # from one run of a level to the next; each kind of rows takes a seed of its own
# Not counter*: those count pictures on a CPU as if it were a GPU, while TBB's threads wait. Intel's kernels run on these.
TESTS = ("premises*,rule*,levels*,bound*,not finite*,dense*,surf*,extract*,transpose*,scan*,compact*,integral*,"
         "histogram256*,equalize*,gaussian*,convolve*,word distances*,train: *")
# What tests/measure/exactness prints: a kind's name, rows, D, k, then "-" or wrong words and the share of unproven rows.
CASE = re.compile(r".{22}\s*(?P<rows>\d+)\s+\d+\s+\d+\s+(?:-|(?P<words>\d+)(?: \((?P<counts>\d+) counts\))?\s+[\d.]+%)$")


@dataclasses.dataclass
class Implementation:
    name: str
    library: str  # in its driver's name
    install: str
    variables: dict = dataclasses.field(default_factory=dict)


MESA = "apt install mesa-opencl-icd"
IMPLEMENTATIONS = (
    Implementation("PoCL", "pocl", "apt install pocl-opencl-icd"),
    Implementation("rusticl as a CPU", "Rusticl", MESA, {"RUSTICL_ENABLE": "llvmpipe", "RUSTICL_DEVICE_TYPE": "cpu"}),
    Implementation("rusticl as a GPU", "Rusticl", MESA, {"RUSTICL_ENABLE": "llvmpipe", "RUSTICL_DEVICE_TYPE": "gpu"}),
    Implementation("Intel's CPU runtime", "intelocl.so",
                   "pip install --prefix DIR intel-opencl-rt intel-cmplr-lib-rt, then --intel DIR"),
    Implementation("NVIDIA", "nvidia", "the GPU's driver, and its file nvidia.icd in /etc/OpenCL/vendors"),
)


def driver(implementation, intel):
    """The library that an .icd names, or None. @param intel a folder, or None"""
    if intel and implementation.library == "intelocl.so":
        return next(iter(sorted(intel.resolve().rglob("libintelocl.so"))), None)
    for icd in sorted(pathlib.Path(os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")).glob("*.icd")):
        library = icd.read_text().strip()
        if implementation.library in library:
            return pathlib.Path(library)
    return None


def alone(implementation, library, scratch):
    """An environment in which it is the only implementation; a library of Intel's brings others, in its folder."""
    folder = scratch / implementation.name
    folder.mkdir()
    (folder / "only.icd").write_text(f"{library}\n")
    environment = {**os.environ, **implementation.variables, "OCL_ICD_VENDORS": str(folder), "XDG_CACHE_HOME": str(scratch)}
    if library.parent.name:
        environment["LD_LIBRARY_PATH"] = f"{library.parent}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    return environment


@dataclasses.dataclass
class Tally:
    rows: int = 0
    words: int = 0
    counts: int = 0
    declined: int = 0
    reasons: dict = dataclasses.field(default_factory=dict)  # why it declines, by the reason without its numbers
    end: str = ""  # why it is incomplete

    def read(self, line, level):
        case = CASE.match(line)
        if case and case["words"] is None:
            self.declined += int(case["rows"])
        elif case:
            self.rows += int(case["rows"])
            self.words += int(case["words"])
            self.counts += int(case["counts"] or 0)
        elif line.startswith(f"- {level}: "):
            reason = line.removeprefix(f"- {level}: ")
            self.reasons.setdefault(re.sub(r"\d+", "", reason), {})[reason] = None  # in order, each once

    def notes(self, level):
        for first, *others in self.reasons.values():
            yield f"{level} declines{' some rows' * (self.rows > 0)}: {first}" + f" (and {len(others)} alike)" * bool(others)
        if self.end:
            yield f"{level} {self.end}"


def run_once(tally, level, call, environment, deadline):
    """@return whether it came to its end"""
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    limit = threading.Timer(max(deadline - time.monotonic(), 0), process.kill)
    limit.start()
    line = ""
    for line in process.stdout:
        tally.read(line.rstrip("\n"), level)
    status, out_of_time = process.wait(), not limit.is_alive()
    limit.cancel()
    if out_of_time:
        tally.end = "was stopped: its time was up"
    elif status not in (0, 1):
        tally.end = f"ended with status {status}: {line.strip()}"
    return not tally.end


def judge(program, level, rows, environment, deadline):
    """Compares `rows` rows, or as many as the time allows."""
    tally, seed, missing = Tally(), 1, rows
    while True:
        call = [program, "-n", str(missing), "--kernel", level, "--seed", str(seed)]
        ended = run_once(tally, level, call, environment, deadline)
        if not ended or tally.rows == 0 or tally.rows >= rows:
            return tally
        share = tally.rows / (tally.rows + tally.declined)
        missing = round((rows - tally.rows) / share) + 100  # that no third run looks for a few
        seed += SEEDS


def table(implementation, program, options, environment):
    """@return whether rows were compared, no word and no count was wrong, and no level died"""
    end, good, rows, notes = time.monotonic() + 60 * options.minutes, True, 0, []
    print("| implementation | level | rows compared | wrong words | wrong counts | seconds | rows declined |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for done, level in enumerate(LEVELS):
        begin = time.monotonic()
        share = 2 / (len(LEVELS) - done + 1)  # of the time left, twice a fair one: others need less
        tally = judge(program, level, options.rows, environment, begin + share * (end - begin))
        wrong = (tally.words, tally.counts) if tally.rows else ("-", "-")
        print(f"| {implementation.name} | {level} | {tally.rows} | {wrong[0]} | {wrong[1]} | {time.monotonic() - begin:.0f} "
              f"| {tally.declined} |", flush=True)
        notes += tally.notes(level)
        rows += tally.rows
        good = good and tally.words + tally.counts == 0 and not tally.end.startswith("ended")
    print("\n" + "".join(f"- {note}\n" for note in notes))
    return good and rows > 0


def passes(call, environment, seconds, folder=None):
    """Prints the end of what it says."""
    begin = time.monotonic()
    try:
        done = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
                              timeout=seconds, cwd=folder)
    except subprocess.TimeoutExpired:
        print(f"{call[-2]} did not end within {seconds:.0f} s\n")
        return False
    name = pathlib.Path(call[-2]).name
    print(f"{name}, {time.monotonic() - begin:.0f} s:\n\n```\n{done.stdout[-2000:].strip()}\n```\n", flush=True)
    return done.returncode == 0


def tests(build, environment, scratch, seconds):
    """The suite's tests of words, extractors, training and operations, and its comparison of bytes."""
    script = pathlib.Path(__file__).resolve().parents[1] / "cli/implementations_test.py"
    pocl = driver(IMPLEMENTATIONS[0], None)
    others = {**(alone(IMPLEMENTATIONS[0], pocl, scratch) if pocl else os.environ), "BOWHIST": str(build / "bin/bowhist"),
              "BOWHIST_TEST_INTEL": environment["OCL_ICD_VENDORS"]}
    good = passes([build / "bin/bowhist_tests", TESTS], environment, seconds)
    return passes([sys.executable, "-B", script, "-v"], others, seconds, script.parent) and good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/ci"))
    parser.add_argument("--intel", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=[one.name for one in IMPLEMENTATIONS], default=[])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=20)
    options = parser.parse_args()
    build, good = options.build.resolve(), True
    for implementation in IMPLEMENTATIONS:
        if options.only and implementation.name not in options.only:
            continue
        library = driver(implementation, options.intel)
        if not library:
            print(f"{implementation.name} is not installed: {implementation.install}\n")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            environment = alone(implementation, library, folder)
            good = table(implementation, build / "bin/exactness", options, environment) and good
            if implementation.library == "intelocl.so":
                good = tests(build, environment, folder, 60 * options.minutes) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
