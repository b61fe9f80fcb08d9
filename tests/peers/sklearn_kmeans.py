#!/usr/bin/python3
"""A training by scikit-learn, for train_times: DESCRIPTORS.fbin ROWS K ITERATIONS SEED.

Prints seconds, inertia, and the seconds of an iteration: what twice as many take longer, from the same start.
"""
import sys
import time
import warnings

import numpy
from sklearn.cluster import KMeans

rows, k, iterations, seed = map(int, sys.argv[2:])
every = numpy.fromfile(sys.argv[1], "<f4").reshape(-1)
dimensions = int(every[1:2].view("<u4")[0])
every = every[2:].reshape(-1, dimensions)
data = every[::max(1, len(every) // rows)][:rows].copy()
warnings.simplefilter("ignore")  # of trainings that end before they settle


def train(times):
    start = time.perf_counter()
    found = KMeans(k, init="random", n_init=1, max_iter=times, tol=0, algorithm="lloyd", random_state=seed).fit(data)
    return time.perf_counter() - start, found.inertia_


train(1)  # the first training of a process takes longer
seconds, inertia = train(iterations)
print(seconds, inertia, (train(2 * iterations)[0] - seconds) / iterations)
