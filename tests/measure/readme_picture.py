"""Makes docs/sheet.png: the page of groups of scenes that are drawn here, so that the project may show it.

    readme_picture.py BOWHIST docs/sheet.png

Draws 96 scenes of 8 kinds, groups them, opens the page in a headless Chromium, and writes it in 128 colors. Needs
Selenium, Chromium and its driver.
"""
import io
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cli"))
from browser import look_at, start_browser, url_of  # noqa: E402

WIDTH, HEIGHT = 384, 256
Y, X = numpy.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
Y, X = Y / HEIGHT, X / HEIGHT  # units of the height


def sky(top, bottom):
    share = Y[..., None]
    return numpy.array(top) * (1 - share) + numpy.array(bottom) * share


def paint(scene, mask, color):
    scene[mask] = color


def ridge(random, base, height, steps=5):
    line = numpy.full(WIDTH, base)
    for k in range(1, steps + 1):
        line += height / k * numpy.sin(X[0] * k * random.uniform(2.5, 4) + random.uniform(0, 7))
    return line


def disc(x, y, radius):
    return (X - x) ** 2 + (Y - y) ** 2 < radius ** 2


def mountains(random):
    scene = sky((250, 214, 165), (248, 238, 220))
    paint(scene, disc(random.uniform(.3, 1.2), random.uniform(.15, .35), .09), (240, 128, 90))
    for i, color in enumerate(((150, 160, 190), (104, 118, 160), (62, 76, 118), (34, 44, 76))):
        paint(scene, Y > ridge(random, .42 + .14 * i, .07), color)
    return scene


def night(random):
    scene = sky((12, 16, 48), (46, 40, 92))
    for x, y in random.random((140, 2)):
        paint(scene, disc(x * 1.5, y * .75, random.uniform(.002, .006)), (245, 240, 215))
    x, y = random.uniform(.3, 1.2), random.uniform(.2, .4)
    paint(scene, disc(x, y, .1), (250, 240, 200))
    paint(scene, disc(x + .04, y - .02, .085), (24, 24, 62))
    paint(scene, Y > ridge(random, .85, .04), (6, 8, 24))
    return scene


def sea(random):
    scene = sky((120, 200, 230), (220, 240, 245))
    for i in range(9):
        top = .38 + .07 * i + .018 * numpy.sin(X * (14 - i) + random.uniform(0, 7))
        paint(scene, Y > top, (20 + 8 * i, 150 - 11 * i, 190 - 12 * i))
        paint(scene, abs(Y - top) < .006, (235, 248, 250))
    return scene


def city(random):
    scene = sky((255, 170, 120), (255, 220, 180))
    left = 0.0
    while left < 1.5:
        width, top = random.uniform(.09, .2), random.uniform(.2, .6)
        shade = random.integers(40, 90)
        paint(scene, (X >= left) & (X < left + width) & (Y > top), (shade, shade, shade + 25))
        lit = ((X - left) % .045 > .02) & ((Y - top) % .06 > .03) & (X >= left + .012) & (X < left + width - .012) & (Y > top + .02)
        paint(scene, lit & ((numpy.floor(X / .045) * 7 + numpy.floor(Y / .06) * 3 + shade) % 4 < 2), (255, 222, 130))
        left += width + .008
    return scene


def forest(random):
    scene = sky((205, 228, 215), (238, 244, 230))
    for row in range(4):
        color = (120 - 26 * row, 160 - 24 * row, 128 - 26 * row)
        for x in numpy.arange(-.1, 1.6, .14) + random.uniform(0, .14):
            top, base = .22 + .16 * row + random.uniform(-.05, .05), .55 + .17 * row
            for part in range(3):
                y = top + (base - top) * part / 3.4
                paint(scene, (Y > y) & (Y < y + .2) & (abs(X - x) < (Y - y) * .38), color)
            paint(scene, (abs(X - x) < .008) & (Y > base - .02) & (Y < base + .1), (92, 70, 56))
    return scene


def flowers(random):
    scene = sky((196, 226, 160), (110, 168, 96))
    for x, y, kind in random.random((26, 3)):
        x, y, size = x * 1.5, .15 + y * .8, .05 + .03 * kind
        color = ((230, 80, 110), (250, 200, 80), (150, 110, 210), (250, 250, 245))[int(kind * 4)]
        for turn in numpy.arange(6) * numpy.pi / 3 + kind:
            paint(scene, disc(x + size * numpy.cos(turn), y + size * numpy.sin(turn), size * .62), color)
        paint(scene, disc(x, y, size * .5), (240, 170, 50))
    return scene


def dunes(random):
    scene = sky((250, 226, 180), (252, 240, 214))
    for i in range(6):
        top = ridge(random, .35 + .12 * i, .05, 2)
        paint(scene, Y > top, (236 - 22 * i, 186 - 24 * i, 118 - 17 * i))
        paint(scene, (Y > top) & ((Y - top) % .03 < .007), (224 - 24 * i, 172 - 26 * i, 104 - 17 * i))
    return scene


def tiles(random):
    scene = numpy.zeros((HEIGHT, WIDTH, 3))
    colors = random.integers(60, 250, (6, 3))
    size = random.choice((.125, .1667))
    place = numpy.floor(X / size) * 3 + numpy.floor(Y / size) * 5
    for i, color in enumerate(colors):
        paint(scene, place % 6 == i, color)
    inside = ((X % size) - size / 2) ** 2 + ((Y % size) - size / 2) ** 2 < (size * .32) ** 2
    for i, color in enumerate(colors):
        paint(scene, inside & (place % 6 == (i + 2) % 6), color)
    return scene


def png(pixels, palette=None):
    """8 bits of RGB, or of a palette."""
    height, width = pixels.shape[:2]
    rows = numpy.concatenate([numpy.zeros((height, 1), numpy.uint8), pixels.reshape(height, -1).astype(numpy.uint8)], axis=1)
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2 if palette is None else 3, 0, 0, 0))]
    chunks += [] if palette is None else [(b"PLTE", palette.astype(numpy.uint8).tobytes())]
    chunks += [(b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
                                            for kind, data in chunks)


def pixels_of(png_bytes):
    """RGB of a PNG of 8 bits, as Chromium writes it."""
    at, width, height, channels, data = 8, 0, 0, 3, b""
    while at < len(png_bytes):
        length, kind = struct.unpack(">I4s", png_bytes[at:at + 8])
        body = png_bytes[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
            channels = {2: 3, 6: 4}[body[9]]
        data += body if kind == b"IDAT" else b""
        at += 12 + length
    source = io.BytesIO(zlib.decompress(data))
    rows = numpy.zeros((height, width * channels), numpy.uint8)
    above = numpy.zeros(width * channels, int)
    for row in range(height):
        method = source.read(1)[0]
        line = numpy.frombuffer(source.read(width * channels), numpy.uint8).astype(int)
        if method == 2:
            line = (line + above) & 255
        elif method:
            for i in range(len(line)):
                left, corner = (line[i - channels], above[i - channels]) if i >= channels else (0, 0)
                guess = left + above[i] - corner
                paeth = min((left, above[i], corner), key=lambda value: abs(value - guess))
                line[i] = (line[i] + {1: left, 3: (left + above[i]) // 2, 4: paeth}[method]) & 255
        rows[row] = above = line
    return rows.reshape(height, width, channels)[..., :3]


def in_few_colors(pixels, count=128):
    """A palette by k-means, and the place of each pixel in it."""
    values, inverse, counts = numpy.unique(pixels.reshape(-1, 3) // 4 * 4 + 2, axis=0, return_inverse=True, return_counts=True)
    palette = values[numpy.argsort(-counts)[:count * 8:8]].astype(float)
    for _ in range(12):
        nearest = numpy.concatenate([((part[:, None] - palette) ** 2).sum(2).argmin(1) for part in numpy.array_split(values, 64)])
        for i in range(len(palette)):
            if (own := nearest == i).any():
                palette[i] = numpy.average(values[own], axis=0, weights=counts[own] ** .5)
    return nearest[inverse].reshape(pixels.shape[:2]), palette.round()


def main():
    program, place = sys.argv[1:]
    random = numpy.random.default_rng(7)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "photos").mkdir()
        for draw in (mountains, night, sea, city, forest, flowers, dunes, tiles):
            for i in range(12):
                (folder / "photos" / f"{draw.__name__}-{i + 1}.png").write_bytes(png(draw(random)))
        subprocess.run([pathlib.Path(program).resolve(), "cluster", "-q", "photos", "--html", "sheet.html"], cwd=folder, check=True)
        driver = start_browser(name)
        try:
            look_at(driver, 1000, False, 600)
            driver.get(url_of(folder / "sheet.html"))
            time.sleep(1)
            pixels = pixels_of(driver.get_screenshot_as_png())
        finally:
            driver.quit()
    indices, palette = in_few_colors(pixels)
    pathlib.Path(place).write_bytes(png(indices, palette))


if __name__ == "__main__":
    main()
