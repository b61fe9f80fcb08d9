#!/usr/bin/env python3
"""Each level of each OpenCL implementation beside the rule, on rows that tempt it to a wrong word.

    tests/measure/implementations.py [--build build/ci] [--intel DIR] [--only NAME ...] [--rows 1000000] [--minutes 20]

Prints a table in Markdown: rows compared, wrong words and counts, seconds (the rule's own among them), and rows that
the level declines. Other rows take their places, so that as many are compared everywhere. An implementation has
--minutes for its levels; a level that needs more is stopped, and its rows say how far it came. With Intel's runtime the
tests run, too, that the suite runs with the others. An implementation that is not installed gets a line.

Needs `cmake --build build/ci --target exactness bowhist_tests bowhist_app bowhist_codecs bowhist_extractors bowhist_decode
bowhist_try_drivers`. DIR holds Intel's runtime: pip install --prefix DIR intel-opencl-rt intel-cmplr-lib-rt
"""
import argparse
import collections
import dataclasses
import math
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
TESTS = ("premises*,rule*,levels*,bound*,not finite*,dense*,surf*,extract*,counter*,transpose*,scan*,compact*,integral*,"
         "histogram256*,equalise*,gaussian*,convolve*,word distances*,train: *")
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
    environment = {**os.environ, "OCL_ICD_VENDORS": str(folder), "XDG_CACHE_HOME": str(scratch), **implementation.variables}
    if library.parent.name:
        environment["LD_LIBRARY_PATH"] = f"{library.parent}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
    return environment


@dataclasses.dataclass
class Tally:
    rows: int = 0
    words: int = 0
    counts: int = 0
    declined: int = 0
    reasons: dict = dataclasses.field(default_factory=dict)  # without their numbers: the first of its kind
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
            self.reasons.setdefault(re.sub(r"\d+", "", reason), reason)


def run_once(tally, level, call, environment, seconds):
    """@return whether it came to its end"""
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    complaints = collections.deque(maxlen=1)
    drain = threading.Thread(target=complaints.extend, args=(process.stderr,))
    limit = threading.Timer(max(seconds, 0), process.kill)
    drain.start()
    limit.start()
    for line in process.stdout:
        tally.read(line.rstrip("\n"), level)
    status, out_of_time = process.wait(), not limit.is_alive()
    limit.cancel()
    drain.join()
    if out_of_time:
        tally.end = f"stopped after {seconds:.0f} s"
    elif status not in (0, 1):
        tally.end = f"ended with status {status}: {''.join(complaints).strip()}"
    return not tally.end


def judge(program, level, rows, environment, seconds):
    """Compares `rows` rows, or as many as the time allows."""
    tally, end = Tally(), time.monotonic() + seconds
    seed, missing = 1, rows
    while missing > 0:
        call = [program, "-n", str(missing), "--kernel", level, "--seed", str(seed)]
        if not run_once(tally, level, call, environment, end - time.monotonic()) or tally.rows == 0:
            break
        share = tally.rows / (tally.rows + tally.declined)
        missing = math.ceil((rows - tally.rows) / share)
        seed += SEEDS
    return tally


def table(implementation, program, options, environment):
    """@return whether no word and no count was wrong, and every level came to its end or its limit"""
    end, good, notes = time.monotonic() + 60 * options.minutes, True, []
    print("| implementation | level | rows compared | wrong words | wrong counts | seconds | rows declined |")
    print("|---|---|---|---|---|---|---|", flush=True)
    for done, level in enumerate(LEVELS):
        begin = time.monotonic()
        tally = judge(program, level, options.rows, environment, (end - begin) / (len(LEVELS) - done))
        wrong = (tally.words, tally.counts) if tally.rows else ("-", "-")
        print(f"| {implementation.name} | {level} | {tally.rows} | {wrong[0]} | {wrong[1]} | {time.monotonic() - begin:.0f} "
              f"| {tally.declined} |", flush=True)
        notes += [f"{level} declines some rows: {reason}" for reason in tally.reasons.values()]
        notes += [f"{level} {tally.end}"] if tally.end else []
        good = good and tally.words + tally.counts == 0 and not tally.end.startswith("ended")
    print("\n" + "".join(f"- {note}\n" for note in notes))
    return good


def tests(build, environment, scratch):
    """The suite's tests of words, extractors, training and operations, and its comparison of bytes."""
    begin = time.monotonic()
    done = subprocess.run([build / "bin/bowhist_tests", TESTS], capture_output=True, text=True, env=environment)
    print(f"bowhist_tests, {time.monotonic() - begin:.0f} s, status {done.returncode}:\n\n```\n{done.stdout[-2000:].strip()}\n```\n")
    script = pathlib.Path(__file__).parents[1] / "cli/implementations_test.py"
    pocl = driver(IMPLEMENTATIONS[0], None)
    others = {**(alone(IMPLEMENTATIONS[0], pocl, scratch) if pocl else os.environ), "BOWHIST": str(build / "bin/bowhist"),
              "BOWHIST_TEST_INTEL": environment["OCL_ICD_VENDORS"]}
    compared = subprocess.run([sys.executable, "-B", script], capture_output=True, text=True, env=others, cwd=script.parent)
    print(f"{script.name}:\n\n```\n{compared.stderr[-2000:].strip()}\n```\n")
    return done.returncode == 0 and compared.returncode == 0


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
            environment = alone(implementation, library, pathlib.Path(scratch))
            good = table(implementation, build / "bin/exactness", options, environment) and good
            if implementation.library == "intelocl.so":
                good = tests(build, environment, pathlib.Path(scratch)) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
