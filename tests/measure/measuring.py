"""What the measurements share: pictures of a folder, seconds and memory of a command, the middle and range of the rounds."""
import os
import pathlib
import statistics
import subprocess
import time


def pictures_in(folder, endings=(".jpg", ".jpeg", ".png", ".webp")):
    return sorted(str(path) for path in pathlib.Path(folder).rglob("*") if path.suffix.lower() in endings)


def seconds_of(command, **options):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, **options)
    return time.perf_counter() - start


def cost_of(command):
    """Seconds by the clock, seconds of the processor, MiB at most."""
    start = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"failed: {command}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def with_range(values, digits=2):
    """Median (least … most)."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} … {max(values):.{digits}f})"
