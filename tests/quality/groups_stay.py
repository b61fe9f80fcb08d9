#!/usr/bin/python3
"""How many pictures keep the number of their group when 5 % new ones come, and whether copies share a group.

    groups_stay.py BOWHIST FOLDER... [--trials 5]

Each trial leaves out every twentieth picture of a folder, groups the others, and then continues these groups with all
(cluster --update). Where Pillow is installed, 20 pictures of each folder get 7 altered copies each: JPEG quality 30 and
60, PNG, half and three quarters of the size, cropped to 90 % of the area, brighter.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import tempfile

ENDINGS = (".jpg", ".jpeg", ".png")


def groups_of(program, pictures, output, *more):
    listed = output.with_suffix(".txt")
    listed.write_bytes(b"\n".join(os.fsencode(picture) for picture in pictures) + b"\n")
    subprocess.run([program, "cluster", "-q", "--files-from", listed, "-o", output, *more], check=True, stderr=subprocess.DEVNULL)
    return {image: group["group"] for group in json.loads(output.read_text())["groups"] for image in group["images"]}


def kept(program, pictures, first, scratch):
    """The share of the old pictures whose number stays."""
    old = [picture for i, picture in enumerate(pictures) if i % 20 != first]
    before = groups_of(program, old, scratch / "old.json")
    after = groups_of(program, pictures, scratch / "new.json", "--update", scratch / "old.json")
    return sum(after.get(image) == group for image, group in before.items()) / len(before)


def altered(image, folder, name):
    """Writes the copies of one picture. @return their paths"""
    from PIL import ImageEnhance
    width, height = image.size
    crop = (int(width * 0.026), int(height * 0.026), width - int(width * 0.026), height - int(height * 0.026))
    copies = {"quality30.jpg": (image, 30), "quality60.jpg": (image, 60), "same.png": (image, 90),
              "half.jpg": (image.resize((width // 2, height // 2)), 90), "smaller.jpg": (image.resize((width * 3 // 4, height * 3 // 4)), 90),
              "cropped.jpg": (image.crop(crop), 90), "brighter.jpg": (ImageEnhance.Brightness(image).enhance(1.3), 90)}
    for ending, (copy, quality) in copies.items():
        copy.save(folder / f"{name}-{ending}", quality=quality)
    return [str(folder / f"{name}-{ending}") for ending in copies]


def on_white(image):
    """As bowhist shows transparent pictures."""
    from PIL import Image
    image = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def copies_together(program, pictures, scratch):
    try:
        from PIL import Image
    except ImportError:
        return "copies: skipped, Pillow is not installed"
    folder = scratch / "copies"
    folder.mkdir()
    originals = random.Random(1).sample(pictures, min(20, len(pictures)))
    copies = {path: original for number, original in enumerate(originals)
              for path in altered(on_white(Image.open(original)), folder, number)}
    groups = groups_of(program, pictures + sorted(copies), scratch / "all.json")
    return f"copies: {sum(groups[copy] == groups[original] for copy, original in copies.items())} of {len(copies)} share their original's group"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--trials", type=int, default=5)
    options = parser.parse_args()
    for folder in options.folders:
        pictures = sorted(str(path) for path in pathlib.Path(folder).rglob("*") if path.suffix.lower() in ENDINGS)
        with tempfile.TemporaryDirectory() as name:
            scratch = pathlib.Path(name)
            shares = [kept(options.program, pictures, trial * 20 // options.trials, scratch) for trial in range(options.trials)]
            print(f"{folder}: {len(pictures)} pictures; kept {', '.join(f'{100 * share:.1f} %' for share in shares)}; "
                  f"{copies_together(options.program, pictures, scratch)}", flush=True)


main()
