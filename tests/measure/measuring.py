"""What the measurements share: pictures of a folder, seconds of a command, and the middle and range of the rounds."""
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


def with_range(values, digits=2):
    """Median (least … most)."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} … {max(values):.{digits}f})"
