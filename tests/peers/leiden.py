#!/usr/bin/env python3
"""Communities beside leidenalg's, and groups beside scikit-learn's, of the same rows: a table, and status 1 if ours are worse.

    tests/peers/leiden.py [--bowhist build/ci/bin/bowhist] [--venv DIR] HISTOGRAMS.npz...

HISTOGRAMS: counts or normalized ones that bowhist wrote (.npz). The graph is made here anew, in numpy, by the definition:
rows at unit length, rounded to 16 bits, each joined to its 10 nearest (of fewer than 100: √n). Modularity: ours, and of ten seeds of leidenalg
(its own two iterations; and until nothing gains) the mean, the deviation and the best. Ours must be at least the mean.
ARI against the pictures' folders: ward, average and kmeans beside scikit-learn's (k-means: the mean of five seeds),
as many groups as folders; leiden beside its SpectralClustering of the same number of neighbors, which only informs. Installs igraph, leidenalg and scikit-learn into a virtual environment; where that cannot be,
it says why, with status 77.
"""
import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

from environment import enter


def features_of(file):
    import numpy

    with numpy.load(file) as table:
        values, images = table["histograms"], table["images"].astype(str)
    if values.dtype.kind in "ui":  # --normalize hellinger
        values = numpy.sqrt(values / numpy.maximum(1, values.sum(axis=1, keepdims=True))).astype("<f4")
    return values, images


def integer_rows(features):
    """As lib/bowhist/core/integer_rows.cpp: each sum one value after another."""
    import numpy

    largest = numpy.maximum(numpy.abs(features).max(axis=1, keepdims=True), 1e-300).astype(float)
    parts = features / largest
    norms = numpy.sqrt(numpy.cumsum(parts * parts, axis=1)[:, -1:])
    length = 32000 - 1 - numpy.sqrt(features.shape[1]) / 2
    return numpy.rint(parts * (length / numpy.maximum(norms, 1e-300))).astype("<i2")


def neighbor_graph(rows):
    import igraph
    import numpy

    wide = rows.astype(float)  # products are below 2^53, so sums are exact
    squares = (wide * wide).sum(axis=1)
    length = max(1, min(10, int(numpy.sqrt(len(rows)))))
    edges = set()
    for i in numpy.flatnonzero(squares):
        likeness = wide @ wide[i] / numpy.sqrt(numpy.maximum(1, squares))
        likeness[squares == 0] = -numpy.inf
        likeness[i] = -numpy.inf
        nearest = numpy.argsort(-likeness, kind="stable")[:length]
        edges |= {(min(i, j), max(i, j)) for j in nearest if likeness[j] > -numpy.inf}
    return igraph.Graph(n=len(rows), edges=sorted((int(a), int(b)) for a, b in edges))


def groups_by(bowhist, features, images, *options):
    import numpy

    with tempfile.TemporaryDirectory() as scratch:
        table, out = pathlib.Path(scratch, "rows.npz"), pathlib.Path(scratch, "groups.csv")
        numpy.savez(table, histograms=features, images=images)
        subprocess.run([bowhist, "cluster", "-q", "-o", out, *options, table], check=True)
        with open(out, newline="") as lines:
            return [int(row["group"]) for row in csv.DictReader(lines)]


def compare_modularity(bowhist, features, images):
    import leidenalg
    import numpy

    rows = integer_rows(features)
    _, first, of_row = numpy.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = numpy.sort(first)  # distinct rows in the order of their first
    graph = neighbor_graph(rows[order])
    ours = numpy.array(groups_by(bowhist, features, images))
    found = graph.modularity(ours[order].tolist())
    print(f"  {graph.vcount()} distinct rows, {graph.ecount()} edges; ours: {found:.6f}, {len(set(ours))} groups")
    good = True
    for iterations, name in ((2, "leidenalg"), (-1, "leidenalg, until it settles")):
        values = [graph.modularity(leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, seed=seed,
                                                            n_iterations=iterations).membership) for seed in range(10)]
        print(f"  {name}: mean {numpy.mean(values):.6f}, deviation {numpy.std(values):.6f}, best {max(values):.6f}")
        good = good and found >= numpy.mean(values)
    return good


def compare_methods(bowhist, features, images):
    import numpy
    from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
    from sklearn.metrics import adjusted_rand_score

    labels = [pathlib.Path(image).parent.name for image in images]
    count = len(set(labels))
    if count < 2:
        return True
    unit = features / numpy.maximum(1e-12, numpy.linalg.norm(features, axis=1, keepdims=True))
    theirs = {"ward": [AgglomerativeClustering(count, linkage="ward").fit_predict(unit)],
              "average": [AgglomerativeClustering(count, linkage="average", metric="sqeuclidean").fit_predict(unit)],
              "kmeans": [KMeans(count, n_init=1, random_state=seed).fit_predict(unit) for seed in range(5)],
              "leiden": [SpectralClustering(count, affinity="nearest_neighbors", random_state=seed).fit_predict(unit)
                         for seed in range(5)]}
    good = True
    for method, results in theirs.items():
        mean = numpy.mean([adjusted_rand_score(labels, result) for result in results])
        ours = adjusted_rand_score(labels, groups_by(bowhist, features, images, "--method", method, "-k", str(count)))
        print(f"  {method}, {count} groups, ARI: ours {ours:.3f}, scikit-learn {mean:.3f}")
        good = good and (method == "leiden" or ours >= mean - 0.01)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="HISTOGRAMS.npz")
    parser.add_argument("--bowhist", default="build/ci/bin/bowhist")
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir(), "bowhist-leiden-venv"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    call = parser.parse_args()
    if not call.inside:
        enter(call.venv, "numpy", "igraph", "leidenalg", "scikit-learn")
    good = True
    for file in call.files:
        print(file)
        features, images = features_of(file)
        good = compare_modularity(call.bowhist, features, images) and good
        good = compare_methods(call.bowhist, features, images) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
