"""How a large contact sheet opens and scrolls in a headless Chromium.

    page_scroll.py BOWHIST [--images 10000] [--groups 100] [--rounds 5] [--pictures FOLDER]

Makes a sheet of that many images (drawn ones, or those below FOLDER, each as often as is needed), in groups of falling
size. Prints, as medians and ranges over the rounds: seconds until the overview shows its first content and until it is
loaded, the memory of all processes of the browser (proportional set size) with the overview open and beside an empty page,
and, while all pages of the largest group scroll by, the frames a second and the processor time of a frame, which is
steadier on a busy machine. Needs Selenium, Chromium and its driver.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cli"))
from browser import look_at, start_browser, url_of  # noqa: E402
from program import write_picture  # noqa: E402

FRAMES = """
const done = arguments[arguments.length - 1], seconds = arguments[0], end = document.documentElement.scrollHeight - innerHeight;
const frames = []; let start;
const step = now => {
  start ??= now; frames.push(now);
  const share = Math.min(1, (now - start) / 1000 / seconds);
  scrollTo(0, share * end);
  if (share < 1) requestAnimationFrame(step);
  else done([frames.length / ((now - start) / 1000), frames.length]);
};
requestAnimationFrame(step);
"""


def inputs(folder, count, groups, pictures):
    """A file of rows whose groups are plain to see, and their images."""
    if pictures:
        names = sorted(str(path.resolve()) for path in pathlib.Path(pictures).rglob("*") if path.suffix.lower() in (".jpg", ".png"))
    else:
        names = [str(folder / f"p{i}.pgm") for i in range(100)]
        for seed, name in enumerate(names):
            write_picture(name, seed, 320, 180 + 60 * (seed % 3))
    random = numpy.random.default_rng(1)
    group = (groups * random.random(count) ** 2).astype(int)
    rows = numpy.eye(groups)[group] * 200 + random.integers(0, 9, (count, groups))
    numpy.savez(folder / "rows.npz", histograms=rows.astype("<u4"), images=numpy.resize(numpy.array(names), count))


def processes_below(pid):
    children = {}
    for place in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(place.parent.name))
    found, todo = [], [pid]
    while todo:
        found += (below := children.get(todo.pop(), []))
        todo += below
    return found


def memory(driver):
    """MB of all processes of the browser."""
    kilobytes = 0
    for pid in processes_below(driver.service.process.pid):
        try:
            text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        kilobytes += int(next(line for line in text.splitlines() if line.startswith("Pss:")).split()[1])
    return kilobytes / 1024


def processor_seconds(driver):
    ticks = 0
    for pid in processes_below(driver.service.process.pid):
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def summary(name, values, unit):
    print(f"{name}: {statistics.median(values):.2f} {unit} ({min(values):.2f} to {max(values):.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bowhist")
    parser.add_argument("--images", type=int, default=10_000)
    parser.add_argument("--groups", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pictures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs(folder, options.images, options.groups, options.pictures)
        start = time.monotonic()
        subprocess.run([options.bowhist, "cluster", "-q", "--method", "kmeans", "-k", str(options.groups), "--html", "sheet/", "rows.npz"],
                       cwd=folder, check=True)
        parts = next((folder / "sheet").glob("index.bowhist-*"))
        print(f"made in {time.monotonic() - start:.0f} s: index.html {os.path.getsize(folder / 'sheet/index.html') / 1e6:.2f} MB, "
              f"{len(list(parts.glob('*.html')))} pages of groups, {sum(p.stat().st_size for p in parts.rglob('*')) / 1e6:.0f} MB in all")
        first, loaded, held, beside, rates, costs = [], [], [], [], [], []
        pages = sorted(parts.glob("group-0*.html"), key=lambda path: (len(path.name), path.name))
        for _ in range(options.rounds):
            driver = start_browser(tempfile.mkdtemp(dir=folder))
            try:
                look_at(driver, 1280, False)
                driver.get("about:blank")
                time.sleep(1)
                empty = memory(driver)
                driver.get(url_of(folder / "sheet/index.html"))
                time.sleep(1)
                times = driver.execute_script("return [performance.getEntriesByName('first-contentful-paint')[0].startTime, "
                                              "performance.timing.loadEventEnd - performance.timing.navigationStart]")
                first.append(times[0] / 1000)
                loaded.append(times[1] / 1000)
                held.append(memory(driver))
                beside.append(held[-1] - empty)
                for page in pages:
                    driver.get(url_of(page))
                    before = processor_seconds(driver)
                    rate, frames = driver.execute_async_script(FRAMES, 6)
                    rates.append(rate)
                    costs.append((processor_seconds(driver) - before) * 1000 / frames)
            finally:
                driver.quit()
        summary("first content of the overview", first, "s")
        summary("overview loaded", loaded, "s")
        summary("memory of the browser with it", held, "MB")
        summary("of it beside an empty page", beside, "MB")
        print(f"{len(pages)} pages of the largest group:")
        summary("frames a second while they scroll", rates, "")
        summary("processor time of a frame", costs, "ms")
        print(f"others meanwhile: load {os.getloadavg()[1]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
