"""The tests of words, extractors, training and operations on Mesa's rusticl, as the device of one kind.

    same_test.py cpu|gpu

BOWHIST_TEST_RUSTICL names the folder of rusticl's .icd (tests/run.sh sets it). llvmpipe, which runs the
kernels there, ends loops early, has no fp64 and takes long to compile: what it takes longest for is left out.
"""
import os
import subprocess
import sys

TESTS = os.environ["BOWHIST_TESTS"]
DRIVERS = os.environ.get("BOWHIST_TEST_RUSTICL")

CHOSEN = (
    "premises*",
    # words
    "rule: every level*", "rule: where a device*", "rule: a device*", "bound: no level*", "levels: *", "not finite*",
    "exactness: a few rows*", "matrix: a contest*", "device: where loops end early*", "device: 64 KiB*", "device: many bags*",
    # prepared rows
    "device preparation*",
    # training
    "train*", "word distances*",
    # groups
    "device neighbors*",
)
# On the GPU alone: devices of either kind extract alike, and tests of operations name the methods and the kind of
# shapes that they run.
ON_GPU = (
    "dense: a device*", "dense: two small*", "surf: a device*", "surf: two small*", "extract: a device*", "extract: keypoints*",
    "spread: a device*", "spread: kernels*",
    "transpose*", "scan*", "compact*", "integral*", "histogram256*", "equalize*", "convert*",
    "convolve: a small picture\\, every*", "convolve: a small picture in the shapes for GPUs", "convolve: a small picture through*",
    "convolve: where groups*", "convolve: separable as GPUs*",
    "gaussian: a column a work-item*",
)
LEFT_OUT = {  # each with the reason
    "levels: any dimension that a level takes": "20 s of compiling",
    "train: a run that no move follows finds the same once more": "10 s of compiling",
    "scan: rows of integers, exactly, whatever their width and pitch": "8 s of compiling",
    "scan: a device with small groups and little local memory gives the same sums": "5 s of compiling",
}


def names(*filters):
    """Of the cases that these choose together."""
    listed = subprocess.run([TESTS, "--list-test-names-only", *filters], capture_output=True, text=True)
    return listed.stdout.splitlines()


def exactly(name):
    return '"{}"'.format(name.replace(",", r"\,"))


def unknown():
    """What is chosen or left out and matches no case."""
    return [name for name in (*CHOSEN, *ON_GPU, *(exactly(one) for one in LEFT_OUT)) if not names(name)]


def main(kind):
    if not DRIVERS:
        print("skipped: BOWHIST_TEST_RUSTICL names no folder with rusticl's .icd; tests/run.sh installs it")
        return 77
    if unknown():
        print("no case is called", *unknown())
        return 1
    patterns = (*CHOSEN, *ON_GPU) if kind == "gpu" else CHOSEN
    chosen = [name for pattern in patterns for name in names(pattern) if name not in LEFT_OUT]
    environment = {**os.environ, "OCL_ICD_VENDORS": DRIVERS, "RUSTICL_ENABLE": "llvmpipe", "RUSTICL_DEVICE_TYPE": kind}
    # A case that checks nothing fails; one that cannot run there says why.
    ran = subprocess.run([TESTS, ",".join(map(exactly, chosen)), "--warn", "NoAssertions", "--durations", "yes"],
                         env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(ran.stdout)
    if f"in {len(chosen)} test cases" not in ran.stdout:
        print(f"not all of {len(chosen)} cases ran and passed")
        return 1
    if "skipped: llvmpipe" not in ran.stdout:
        print("no case met a device without fp64: this was another device than rusticl's")
        return 1
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
