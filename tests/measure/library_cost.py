"""What indexing costs beside the runs that make the same two descriptions.

    tests/measure/library_cost.py BOWHIST PHOTOS FOLDER [ROUNDS]

Learns a library of PHOTOS, then times, in turn: index with its models, without and with thumbnails
and with mirrored words; histograms by its vocabulary; codes by its model; and a run that does hardly
more than decode. Prints medians of CPU and wall time an image, and the library's bytes by table.
On a busy machine run it by `chrt -r 5`, or read CPU times.
"""
import json
import pathlib
import resource
import sqlite3
import statistics
import subprocess
import sys
import time


def timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, check=False)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command}: {done.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main():
    program, photos, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / "learned.bow"
    if not library.exists():
        timed([program, "index", "-o", str(library), "--kernel", "simd", photos])
    opened = sqlite3.connect(library)
    for kind, model, record in opened.execute("SELECT kind, model, record FROM models"):
        (folder / ("c.bin" if kind == "words" else "m.npz")).write_bytes(model)
        if kind == "words":
            (folder / "c.bin.json").write_bytes(record)
    images, = opened.execute("SELECT count(*) FROM contents WHERE skipped IS NULL").fetchone()
    opened.close()
    (folder / "one.bin").write_bytes(b"\1\0\0\0\x40\0\0\0" + bytes(256))
    index = [program, "index", "-o", str(folder / "p.bow"), "--kernel", "simd", "--centroids", str(library)]
    rows = [program, "--kernel", "simd", "-o", str(folder / "r.npz"), "--centroids"]
    commands = {
        "index --no-thumbnails": [*index, "--no-thumbnails", photos],
        "index": [*index, photos],
        "index --mirrored --no-thumbnails": [*index, "--mirrored", "--no-thumbnails", photos],
        "words alone": [*rows, str(folder / "c.bin"), photos],
        "code alone": [*rows, str(folder / "m.npz"), photos],
        "decode (and a patch or two)": [*rows, str(folder / "one.bin"), "--extractor", "dense", "--patches", "64", "--step",
                                        "64", "--max-side", "512", "-q", photos],
    }
    found = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            (folder / "p.bow").unlink(missing_ok=True)
            found[name].append(timed(command))
    print(f"{images} images; ms an image, medians of {rounds}")
    cpu, wall = {}, {}
    for name, times in found.items():
        cpu[name] = 1000 * statistics.median(time for time, _ in times) / images
        wall[name] = 1000 * statistics.median(time for _, time in times) / images
        print(f"{name:36} CPU {cpu[name]:7.2f}  wall {wall[name]:7.2f}")
    for name, times in (("CPU", cpu), ("wall", wall)):
        apart = times["words alone"] + times["code alone"] - times["decode (and a patch or two)"]
        print(f"{name}: both alone, one decode {apart:.2f}; index --no-thumbnails takes {times['index --no-thumbnails'] / apart:.3f} of it")
    status = json.loads(subprocess.run([program, "status", "--json", str(library)], check=True, capture_output=True).stdout)
    for table, size in [*status["tables"].items(), ("in all", status["bytes"])]:
        print(f"{table:12} {size:12} bytes, {size / images:9.1f} an image")


if __name__ == "__main__":
    main()
