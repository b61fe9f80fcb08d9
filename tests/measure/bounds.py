#!/usr/bin/env python3
"""How much of k-means' search exact bounds would save: the shares of rows and distances that they leave.

    tests/measure/bounds.py DESCRIPTORS.fbin [-k 256,1024] [-n 200000] [--iterations 10]

Draws n rows and a random start. Hamerly (2010) keeps two bounds for each row, Yinyang (Ding et al. 2015) one for each group
of ten centroids, too. Both are given each row's true distance to its own centroid before they decide. What they save is
counted, not timed.
"""
import argparse

import numpy

PART = 20_000


def distances(rows, centroids):
    squares = (rows**2).sum(1)[:, None] + (centroids**2).sum(1) - 2 * rows @ centroids.T
    return numpy.sqrt(squares.clip(0))


def means(rows, words, centroids):
    sums = numpy.stack([numpy.bincount(words, column, len(centroids)) for column in rows.T], axis=1)
    counts = numpy.bincount(words, minlength=len(centroids))[:, None]
    return numpy.where(counts > 0, sums / counts.clip(1), centroids).astype("f4")


def search(rows, centroids, groups):
    """@return each row's word, its distance to the next best, and to the nearest other of each group"""
    words, seconds = numpy.empty(len(rows), int), numpy.empty(len(rows), "f4")
    nearest = numpy.empty((len(rows), groups.max() + 1), "f4")
    for i in range(0, len(rows), PART):
        part = slice(i, i + PART)
        apart = distances(rows[part], centroids)
        words[part] = apart.argmin(1)
        apart[numpy.arange(len(apart)), words[part]] = numpy.inf
        seconds[part] = apart.min(1)
        for group in range(nearest.shape[1]):
            nearest[part, group] = apart[:, groups == group].min(1, initial=numpy.inf)
    return words, seconds, nearest


def grouped(centroids):
    """Groups of ten, by k-means of the centroids."""
    middles = centroids[::10].copy()
    for _ in range(5):
        groups = distances(centroids, middles).argmin(1)
        middles = means(centroids, groups, middles)
    return groups


def measure(rows, k, iterations):
    centroids = rows[:k].copy()
    groups = grouped(centroids)
    sizes = numpy.bincount(groups, minlength=groups.max() + 1)
    words, second, nearest = search(rows, centroids, groups)
    for iteration in range(2, iterations + 1):
        moved = means(rows, words, centroids)
        drift = numpy.linalg.norm(moved - centroids, axis=1)
        centroids = moved
        second -= drift.max()
        nearest -= numpy.array([drift[groups == group].max(initial=0) for group in range(len(sizes))])
        own = numpy.linalg.norm(rows - centroids[words], axis=1)
        between = distances(centroids, centroids) + numpy.diag(numpy.full(k, numpy.inf))
        hamerly = own > numpy.maximum(second, between.min(1)[words] / 2)
        yinyang = own[:, None] > nearest
        print(f"k = {k}, iteration {iteration}: Hamerly searches {hamerly.mean():.2f} of the rows, Yinyang "
              f"{yinyang.any(1).mean():.2f} of the rows and {(yinyang @ sizes).mean() / k:.2f} of the distances", flush=True)
        before, (words, new_second, new_nearest) = words, search(rows, centroids, groups)
        second = numpy.where(hamerly, new_second, second)
        nearest = numpy.where(yinyang, new_nearest, nearest)
        changed = numpy.flatnonzero(before != words)  # the centroid that was its own is one of the others now
        left = groups[before[changed]]
        nearest[changed, left] = numpy.minimum(nearest[changed, left], own[changed])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("descriptors")
    parser.add_argument("-k", default="256,1024")
    parser.add_argument("-n", type=int, default=200_000)
    parser.add_argument("--iterations", type=int, default=10)
    options = parser.parse_args()
    count, dimensions = numpy.fromfile(options.descriptors, "<u4", 2)
    rows = numpy.memmap(options.descriptors, "<f4", "r", 8, (count, dimensions))
    rows = numpy.array(rows[numpy.random.default_rng(1).choice(count, options.n, replace=False)])
    for k in map(int, options.k.split(",")):
        measure(rows, k, options.iterations)


if __name__ == "__main__":
    main()
