"""Edited copies of pictures, one a kind of edit: what duplicates.py measures with. Needs Pillow.

    edited_copies.py OUT FOLDER... [--bases N] [--skip M] [--seed 1]

Takes N pictures below the folders, in an order drawn by the seed, behind the first M. OUT/original/NAME
is each one (without transparency, whose ground programs choose differently); OUT/EDIT/NAME is its copy. Edits that are drawn (a crop's place, a text) depend on the name alone.
"""
import argparse
import io
import pathlib
import random
import zlib

from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps

ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp", ".gif"}


def scaled(picture, factor):
    return picture.resize([max(1, round(side * factor)) for side in picture.size], Image.Resampling.LANCZOS)


def cropped(picture, area, draw):
    """A part of that share of the area, anywhere."""
    width, height = [max(1, round(side * area ** 0.5)) for side in picture.size]
    left, top = draw.randint(0, picture.width - width), draw.randint(0, picture.height - height)
    return picture.crop((left, top, left + width, top + height))


def turned(picture, degrees):
    return picture.rotate(degrees, Image.Resampling.BICUBIC)


def gamma(picture, exponent):
    return picture.point([round(255 * (value / 255) ** exponent) for value in range(256)] * len(picture.getbands()))


def noisy(picture, deviation, draw):
    noise = Image.frombytes("L", picture.size, draw.randbytes(picture.width * picture.height))
    noise = noise.point([round(128 + (value - 127.5) * deviation * 12 ** 0.5 / 255) for value in range(256)])
    return Image.merge("RGB", [Image.blend(band, noise, 0.5).point([min(255, max(0, 2 * v - 128)) for v in range(256)])
                               for band in picture.split()])


def font(size):
    try:
        return ImageFont.load_default(size)
    except TypeError:  # before Pillow 10.1
        return ImageFont.truetype("DejaVuSans.ttf", size)


def with_text(picture, draw):
    copy = picture.copy()
    size = max(12, picture.width // 12)
    where = (picture.width // 20, draw.randint(picture.height // 10, max(picture.height // 10, picture.height * 6 // 10)))
    words = "when you finally\nfind that one picture\nagain"
    ImageDraw.Draw(copy).text(where, words, "white", font(size), stroke_width=max(1, size // 10), stroke_fill="black")
    return copy


def with_banner(picture):
    copy = picture.copy()
    height = picture.height // 6
    ImageDraw.Draw(copy).rectangle((0, picture.height - height, picture.width, picture.height), (200, 20, 30))
    ImageDraw.Draw(copy).text((picture.width // 20, picture.height - height * 4 // 5), "BREAKING NEWS", "white", font(max(10, height // 2)))
    return copy


def screenshot(picture):
    """On a phone: as wide as the screen, with bars and text above and below."""
    picture = picture.resize((540, max(1, round(picture.height * 540 / picture.width))), Image.Resampling.BICUBIC)
    screen = Image.new("RGB", (540, max(960, picture.height + 240)), (18, 18, 20))
    top = (screen.height - picture.height) // 2
    screen.paste(picture, (0, top))
    draw = ImageDraw.Draw(screen)
    draw.text((20, 12), "12:47", "white", font(22))
    draw.text((20, 56), "A friend", "white", font(30))
    draw.text((20, screen.height - 60), "41 likes", "white", font(26))
    return screen


def sepia(picture):
    grey = picture.convert("L")
    return Image.merge("RGB", [grey.point([min(255, round(value * share)) for value in range(256)]) for share in (1.1, 0.9, 0.65)])


def dated(picture):
    """As cameras print it."""
    copy = picture.copy()
    ImageDraw.Draw(copy).text((copy.width * 0.6, copy.height * 0.92), "12.08.'19", "#ff9a20", font(max(10, copy.height // 18)))
    return copy


def beside(pictures, gap=8):
    """A collage: each picture in the height of the first, with white between them."""
    parts = [scaled(picture, pictures[0].height / picture.height) for picture in pictures]
    sheet = Image.new("RGB", (sum(part.width for part in parts) + gap * (len(parts) - 1), parts[0].height), "white")
    left = 0
    for part in parts:
        sheet.paste(part, (left, 0))
        left += part.width + gap
    return sheet


def inlaid(picture, other):
    """A picture in a picture."""
    copy, small = picture.copy(), other.copy()
    small.thumbnail([round(side * 0.35) for side in picture.size])
    copy.paste(small, (round(picture.width * 0.6), round(picture.height * 0.05)))
    return copy


def combined(picture, draw):
    return scaled(again(cropped(picture, 0.8, draw), 40), 0.7)


def mirrored_and_more(picture, draw):
    return gamma(turned(cropped(ImageOps.mirror(picture), 0.85, draw), 5), 1.3)


def again(picture, quality):
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return Image.open(io.BytesIO(file.getvalue())).convert("RGB")


# Each gets the picture and its own random numbers, and returns a picture and how it is saved.
JPEG = {"format": "JPEG", "quality": 90}
EDITS = {
    "scale_0.5": lambda p, d: (scaled(p, 0.5), JPEG),
    "jpeg_30": lambda p, d: (p, {"format": "JPEG", "quality": 30}),
    "crop_90": lambda p, d: (cropped(p, 0.9, d), JPEG),
    "crop_80": lambda p, d: (cropped(p, 0.8, d), JPEG),
    "turn_3": lambda p, d: (turned(p, 3), JPEG),
    "turn_10": lambda p, d: (turned(p, 10), JPEG),
    "brighter": lambda p, d: (ImageEnhance.Brightness(p).enhance(1.3), JPEG),
    "contrast": lambda p, d: (ImageEnhance.Contrast(p).enhance(1.4), JPEG),
    "gamma": lambda p, d: (gamma(p, 1.6), JPEG),
    "grey": lambda p, d: (p.convert("L"), JPEG),
    "blur": lambda p, d: (p.filter(ImageFilter.GaussianBlur(max(p.size) / 512)), JPEG),
    "border": lambda p, d: (ImageOps.expand(p, max(p.size) // 10, "white"), JPEG),
    "scale_0.25": lambda p, d: (scaled(p, 0.25), JPEG),
    "jpeg_10": lambda p, d: (p, {"format": "JPEG", "quality": 10}),
    "crop_50": lambda p, d: (cropped(p, 0.5, d), JPEG),
    "turn_25": lambda p, d: (turned(p, 25), JPEG),
    "turn_90": lambda p, d: (p.transpose(Image.Transpose.ROTATE_90), JPEG),
    "turn_180": lambda p, d: (p.transpose(Image.Transpose.ROTATE_180), JPEG),
    "mirror": lambda p, d: (ImageOps.mirror(p), JPEG),
    "noise": lambda p, d: (noisy(p, 12, d), JPEG),
    "squeeze": lambda p, d: (p.resize((max(1, p.width * 4 // 5), p.height), Image.Resampling.LANCZOS), JPEG),
    "crop_jpeg_scale": lambda p, d: (combined(p, d), JPEG),
    "mirror_crop_turn_gamma": lambda p, d: (mirrored_and_more(p, d), {"format": "JPEG", "quality": 40}),
    "screenshot": lambda p, d: (screenshot(p), {"format": "PNG"}),
    "text": lambda p, d: (with_text(p, d), JPEG),
    "banner": lambda p, d: (with_banner(p), JPEG),
    "heic": lambda p, d: (p, {"format": "HEIF", "quality": 60}),
}
SUFFIXES = {"JPEG": ".jpg", "PNG": ".png", "HEIF": ".heic"}


def opened(path):
    """Upright, in color, over white."""
    picture = ImageOps.exif_transpose(Image.open(path))
    if picture.mode not in ("RGB", "L"):
        picture = picture.convert("RGBA")
        ground = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(ground, picture)
    return picture.convert("RGB")


def pictures_below(folders):
    return sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*")
                  if path.suffix.lower() in ENDINGS and path.is_file())


def drawn(folders, seed):
    paths = pictures_below(folders)
    random.Random(seed).shuffle(paths)
    return paths


def heif_is_here():
    try:
        import pillow_heif
        pillow_heif.register_heif_opener()
        return True
    except ImportError:
        return False


def make(out, paths, least_side=200):
    """@return the names of the bases: OUT/original/NAME and OUT/EDIT/NAME"""
    edits = dict(EDITS)
    if not heif_is_here():
        del edits["heic"]
    names = []
    for path in paths:
        try:
            picture = opened(path)
        except OSError:
            continue
        if min(picture.size) < least_side:
            continue
        stem = f"{len(names):04d}_{path.stem}"
        names.append(stem)
        (out / "original").mkdir(parents=True, exist_ok=True)
        if Image.open(path).mode in ("RGB", "L"):
            (out / "original" / (stem + path.suffix)).write_bytes(path.read_bytes())
        else:
            picture.save(out / "original" / (stem + ".png"))
        for edit, change in edits.items():
            copy, how = change(picture, random.Random(zlib.crc32(f"{edit}/{stem}".encode())))
            (out / edit).mkdir(exist_ok=True)
            copy.save(out / edit / (stem + SUFFIXES[how["format"]]), **how)
        with open(out / "sources.tsv", "a") as sources:
            sources.write(f"{stem}\t{path.resolve()}\n")
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--bases", type=int, default=100)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    paths = drawn(asked.folders, asked.seed)[asked.skip :][: asked.bases]
    print(len(make(asked.out, paths)), "pictures and their copies")


if __name__ == "__main__":
    main()
