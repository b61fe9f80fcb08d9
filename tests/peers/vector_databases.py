#!/usr/bin/env python3
"""A library in Qdrant and in Milvus, their local forms: how many of bowhist's best they find.

    pip install qdrant-client pymilvus milvus-lite
    tests/peers/vector_databases.py BOWHIST photos.bow [QUERIES]

Exports the library, imports it by samples/vector_databases.py, and asks for the 10 images most like each of QUERIES
(100) images of the library, by code and by words. Prints how many are those of `bowhist search`, how many of the others
have an equal score there (printed with 6 digits), the largest difference of scores, and the seconds of a query. A
database that is not installed is left out with a line; without any the status is 77.
"""
import csv
import importlib.util
import io
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "samples"))
import vector_databases as sample  # noqa: E402

TOP = 10


def qdrant_answers(client, rows, kind):
    from qdrant_client import models
    for row in rows:
        vector = row["vector"][kind]
        query = models.SparseVector(**vector) if kind == "words" else vector
        found = client.query_points("images", query=query, using=kind, limit=TOP)
        yield [(point.payload["image"], point.score) for point in found.points]


def milvus_answers(client, rows, kind):
    for row in rows:
        query = {int(word): value for word, value in row["words"].items()} if kind == "words" else row["code"]
        found = client.search("images", data=[query], anns_field=kind, limit=TOP, output_fields=["image"])
        yield [(hit["entity"]["image"], hit["distance"]) for hit in found[0]]


DATABASES = {  # the module, how the file is loaded, where to, how it is asked, where a row has its image and its vectors
    "qdrant": ("qdrant_client", sample.load_qdrant, ":memory:", qdrant_answers, lambda row: row["payload"]["image"],
               lambda row: row["vector"]),
    "milvus": ("milvus_lite", sample.load_milvus, "m.db", milvus_answers, lambda row: row["image"], lambda row: row),
}


def expected(bowhist, library, names, kind):
    """The scores of all images, by query."""
    listed = "\0".join(names).encode()
    done = subprocess.run([bowhist, "search", "-q", library, "--by", kind, "--top", "1000000", "--files-from", "-", "-0"], input=listed,
                          stdout=subprocess.PIPE, check=True)
    answers = {}
    for row in csv.DictReader(io.StringIO(done.stdout.decode())):
        answers.setdefault(row["query"], {})[row["image"]] = float(row["score"])
    return answers


def compare(name, bowhist, library, count, folder):
    module, load, place, ask, image_of, vectors_of = DATABASES[name]
    if importlib.util.find_spec(module) is None:
        print(f"{name}: left out; {module} is not installed")
        return False
    path = f"{folder}/points.{name}.jsonl"
    subprocess.run([bowhist, "export", "-q", library, "-o", path], check=True)
    rows = [row for batch in sample.batches(path) for row in batch if {"code", "words"} <= vectors_of(row).keys()]
    start = time.perf_counter()
    client = load(path, place if place == ":memory:" else f"{folder}/{place}")
    print(f"{name}: {len(rows)} images loaded in {time.perf_counter() - start:.1f} s")
    rows = rows[:: max(1, len(rows) // count)][:count]
    for kind in "code", "words":
        start = time.perf_counter()
        answers = list(ask(client, rows, kind))
        seconds = (time.perf_counter() - start) / len(rows)
        same = ties = wanted = 0
        differences = [0.0]
        for row, found in zip(rows, answers):
            scores = exact[kind][image_of(row)]
            best = list(scores)[:TOP]
            last = scores[best[-1]]
            wanted += len(best)
            same += len({image for image, _ in found} & set(best))
            ties += sum(1 for image, _ in found if image not in best and scores.get(image, 0) >= last - 1e-6)
            differences += [abs(max(score, 0) - scores.get(image, 0)) for image, score in found]
        print(f"{name} by {kind}: {same} of {wanted} are bowhist's best {TOP}, {ties} more have an equal score; "
              f"scores differ by up to {numpy.max(differences):.1e}; {1000 * seconds:.1f} ms a query", flush=True)
    return True


if __name__ == "__main__":
    bowhist, library = sys.argv[1:3]
    queries = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([bowhist, "export", "-q", library, "--what", "code", "-o", f"{scratch}/codes.npz"], check=True)
        with numpy.load(f"{scratch}/codes.npz") as file:
            names = [str(name) for name in file["images"]]
        exact = {kind: expected(bowhist, library, names, kind) for kind in ("code", "words")}
        done = [compare(name, bowhist, library, queries, scratch) for name in DATABASES]
    sys.exit(0 if any(done) else 77)
