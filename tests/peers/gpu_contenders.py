"""Those whom gpu_peers.py measures: torch, flash-kmeans, our program; and the rule that judges their words."""
import json
import pathlib
import struct
import subprocess

import numpy

SCORES = 1 << 28  # of a block that torch writes and reads again: 1 GiB


def torch_contenders(torch, x, c):
    """{name: a function that returns the words}: sgemm with ||c||²/2 added, then argmin, a block of rows at a time."""
    half_squares, negative = (c * c).sum(1) / 2, -c  # so that the addition is part of the product's kernel
    block = max(1, SCORES // len(c))
    words = torch.empty(len(x), dtype=torch.int64, device=x.device)

    def assign(tf32):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        for first in range(0, len(x), block):
            scores = torch.addmm(half_squares, x[first:first + block], negative.t())
            torch.argmin(scores, 1, out=words[first:first + block])
        return words

    return {"torch addmm fp32, argmin": lambda: assign(False), "torch addmm tf32, argmin": lambda: assign(True)}


def flash_contenders(torch, x, c, iterations):
    """The same of flash-kmeans' assignment; or of an iteration of its training, with the look at how far centroids moved."""
    if not x.is_cuda:
        print("flash-kmeans: left out, it needs CUDA")
        return {}
    try:
        from flash_kmeans.assign_euclid_triton import euclid_assign_triton
        if iterations:
            from flash_kmeans.kmeans_triton_impl import _euclid_iter
    except Exception as error:  # whatever its own imports trip over
        print(f"flash-kmeans: left out ({error}); pip install flash-kmeans")
        return {}
    x_squares, c_squares = (x * x).sum(1)[None], (c * c).sum(1)[None]
    out = torch.empty((1, len(x)), dtype=torch.int32, device=x.device)

    def assign(rows, centroids):
        return lambda: euclid_assign_triton(rows, centroids, x_squares, out=out, c_sq=c_squares)[0]

    def iterate():
        _, shift, words = _euclid_iter(x[None], x_squares, c[None])
        shift.item()  # as its loop does, which ends where they no longer move
        return words[0]

    if iterations:
        return {"flash-kmeans, float32 input": iterate}
    return {"flash-kmeans, float32 input": assign(x[None], c[None]),
            "flash-kmeans, float16 input": assign(x.half()[None], c.half()[None])}


def rule_words(torch, x, c):
    """Each operation rounded on its own, dimension after dimension; of equal distances the lowest index."""
    x, c = x.double(), c.double()
    block = max(1, (SCORES >> 2) // len(c))
    words = []
    for rows in x.split(block):
        sums = torch.zeros((len(rows), len(c)), dtype=torch.float64, device=x.device)
        for i in range(x.shape[1]):
            difference = rows[:, i, None] - c[None, :, i]
            sums += difference.mul_(difference)
        words.append(sums.argmin(1))
    return torch.cat(words).cpu().numpy()


class Bowhist:
    """Our program, on files that hold the same arrays."""

    def __init__(self, options, scratch, rows, sample):
        self.options, self.scratch, self.said = options, scratch, set()
        numpy.save(f"{scratch}/d.npy", rows)
        numpy.save(f"{scratch}/sample.npy", sample)

    def vocabulary(self, centroids):
        pathlib.Path(self.scratch, "c.bin").write_bytes(struct.pack("<II", *centroids.shape) + centroids.tobytes())

    def run(self, *arguments):
        try:
            done = subprocess.run([self.options.bowhist, *arguments, "--centroids", f"{self.scratch}/c.bin"],
                                  capture_output=True, text=True)
        except OSError as error:
            return None, str(error)
        return (done.stdout, "") if done.returncode == 0 else (None, (done.stderr.strip().splitlines() or ["no word why"])[-1])

    def bench(self):
        """{level: the object that bench printed for it}"""
        operation = "train-iteration" if self.options.iterations else "assign"
        found, why = self.run("bench", operation, "--json", "--kernel", self.options.levels, "-n", str(self.options.n),
                              "--rounds", "5", "--data", f"{self.scratch}/d.npy")
        usable = {}
        for row in map(json.loads, (found or "").splitlines()):
            if row["operation"] != operation or row["level"] not in self.options.levels.split(","):
                continue
            if row["median_seconds"] is None:
                why = f"{row['level']}: {row.get('unsupported') or row.get('error')}"
            elif row["n"] != self.options.n:
                why = f"{row['level']}: bench took only {row['n']} rows"
            else:
                usable[row["level"]] = row
        if why and why not in self.said:
            print(f"bowhist left out: {why}", flush=True)
            self.said.add(why)
        return usable

    def words(self, level):
        found, _ = self.run("assign", "--kernel", level, "-o", f"{self.scratch}/w.npy", f"{self.scratch}/sample.npy")
        return numpy.load(f"{self.scratch}/w.npy") if found is not None else None
