"""Images that are the same but for something that each has of its own: no copies."""
import csv
import io
import pathlib
import unittest

import numpy

from program import ProgramTest
from search_test import scene, write_pgm


def mark(seed, side=7, cell=9):
    """A sign, as an icon has in its middle: the same to the left and to the right."""
    half = numpy.random.default_rng(100 + seed).integers(0, 2, (side, side // 2 + 1))
    return numpy.kron(numpy.hstack([half, half[:, -2::-1]]), numpy.ones((cell, cell)))


def framed(seed=None, side=300):
    """An ornate frame that icons share, and a mark of its own."""
    icon = numpy.full((side, side), 235.0)
    random = numpy.random.default_rng(7)
    for _ in range(160):
        x, y = random.integers(4, side - 24, 2)
        if 90 < x < side - 110 and 90 < y < side - 110:
            continue
        w, h = random.integers(4, 18, 2)
        icon[y:y + h, x:x + w] = random.integers(0, 200)
    if seed is not None:
        sign = mark(seed)
        top = (side - len(sign)) // 2
        icon[top:top + len(sign), top:top + len(sign)][sign > 0] = 20
    return icon


def board(seed, square=40):
    """A chessboard in its frame, with the men of a game."""
    random = numpy.random.default_rng(seed)
    squares = numpy.indices((8, 8)).sum(0) % 2
    pixels = numpy.kron(120 + 90 * squares, numpy.ones((square, square)))
    for place in random.choice(64, 20, replace=False):
        y, x = (square * numpy.array(divmod(place, 8))) + 6
        man = numpy.kron(numpy.random.default_rng(int(random.integers(6))).integers(0, 2, (7, 7)), numpy.ones((4, 4)))
        pixels[y:y + 28, x:x + 28][man > 0] = 30 if random.integers(2) else 250
    edge = numpy.full((square * 8 + 60, square * 8 + 60), 60.0)
    for i in range(40):
        edge[5:24, 10 + 9 * i:16 + 9 * i] = edge[-24:-5, 10 + 9 * i:16 + 9 * i] = numpy.random.default_rng(i).integers(0, 255, (19, 1))
    edge[30:-30, 30:-30] = pixels
    return edge


def card(value, sign):
    """A playing card in its frame: its value in two corners, and as many signs."""
    pixels = numpy.full((420, 300), 245.0)
    frame = numpy.random.default_rng(7)
    for i in range(46):
        y = 8 + 9 * i
        if y < 404:
            pixels[y:y + 6, 4:14] = pixels[y:y + 6, -14:-4] = frame.integers(0, 160, (6, 1))
        if 9 * i < 270:
            pixels[4:14, 14 + 9 * i - 9:20 + 9 * i - 9] = pixels[-14:-4, 14 + 9 * i - 9:20 + 9 * i - 9] = frame.integers(0, 160, 6)
    shape = numpy.kron(mark(500 + sign, 7, 1), numpy.ones((5, 5)))
    number = numpy.kron(numpy.random.default_rng(600 + value).integers(0, 2, (7, 5)), numpy.ones((6, 6)))
    pixels[24:66, 22:52][number > 0] = pixels[-66:-24, -52:-22][number > 0] = 20
    for i in range(value):
        y, x = 80 + 50 * (i // 2), 80 + 100 * (i % 2)
        pixels[y:y + 35, x:x + 35][shape > 0] = 20
    return pixels


def form(seed):
    """A form that is filled in: rows with a name and a line; the values are typed behind the names."""
    page = numpy.full((1100, 850), 250.0)
    for row in range(16):
        y = 60 + 60 * row
        name = letters(300 + row, 14, 2)
        page[y:y + 14, 60:60 + name.shape[1]][name == 1] = 40
        page[y + 20:y + 22, 260:790] = 90
        value = letters(100 * seed + row, 18, 2)
        page[y:y + 14, 280:280 + value.shape[1]][value == 1] = 30
    return page


def letters(text_seed, count, size):
    """A line of an alphabet of 26, each 7 x 5 dots, with gaps for words."""
    alphabet = numpy.random.default_rng(1).integers(0, 2, (26, 7, 5))
    random = numpy.random.default_rng(text_seed)
    line = numpy.zeros((7, 6 * count), int)
    for i in range(count):
        if random.integers(6):
            line[:, 6 * i:6 * i + 5] = alphabet[random.integers(26)]
    return numpy.kron(line, numpy.ones((size, size), int))


def editor(changed=None, size=2, width=1280, height=800):
    """A dark screen with lines of text, their numbers, and bars above and below; in one line twenty letters may be others."""
    screen = numpy.full((height, width), 30.0)
    screen[:28] = screen[-24:] = 70
    screen[28:-24, :50] = 40
    for line, y in enumerate(range(40, height - 40, 9 * size)):
        random = numpy.random.default_rng(line)
        text = letters(100 + line, int(random.integers(28, 60)), size)
        if line == changed:
            text[:, 12 * size:132 * size] = letters(1000 + line, 20, size)
        for x, part, level in ((10, letters(100 + line, 3, size), 110), (60 + 24 * int(random.integers(4)), text, 205)):
            screen[y:y + 7 * size, x:x + part.shape[1]][part == 1] = level
    return screen


def with_text(pixels, seed, top=90, left=40):
    """Three lines in white, with black around them."""
    copy = pixels.copy()
    for line in range(3):
        text = numpy.pad(letters(10 * seed + line, 14, 4), 3)
        y, x = top + 50 * line, left
        around = sum(numpy.roll(text, (dy, dx), (0, 1)) for dy in (-2, 0, 2) for dx in (-2, 0, 2)) > 0
        part = copy[y:y + text.shape[0], x:x + text.shape[1]]
        part[around] = 0
        part[text == 1] = 255
    return copy


def dark_things(seed, height=480, width=360):
    """Dark things on light ground: few pixels have a level between."""
    random = numpy.random.default_rng(seed)
    pixels = numpy.full((height, width), 218.0)
    for _ in range(60):
        x, y = random.integers(10, width - 30), random.integers(10, height * 3 // 4 - 30)
        w, h = random.integers(6, 40, 2)
        pixels[y:y + h, x:x + w] = random.integers(18, 45)
    for axis in (0, 1):
        pixels = (numpy.roll(pixels, 1, axis) + 2 * pixels + numpy.roll(pixels, -1, axis)) / 4
    return pixels + random.normal(0, 2, pixels.shape)


def with_banner(pixels, seed, level=75):
    copy = pixels.copy()
    height = len(copy) // 6
    copy[-height:] = level
    text = letters(seed, 11, height // 14)
    copy[-height * 4 // 5:, 18:][:text.shape[0], :text.shape[1]][text == 1] = 255
    return copy


def spotted_thing(seed, side=1000):
    """A thing with many spots, in the middle of white paper: most is of one level."""
    random = numpy.random.default_rng(seed)
    pixels = numpy.full((side, side), 255.0)
    thing = pixels[side // 4:side * 3 // 4, side // 4:side * 3 // 4]
    thing[:] = 150
    for _ in range(250):
        x, y = random.integers(0, side // 2 - 10, 2)
        w, h = random.integers(8, 40, 2)
        thing[y:y + h, x:x + w] = random.integers(40, 230)
    return pixels


def with_disk(pixels, x, y, radius, level):
    rows, columns = numpy.indices(pixels.shape)
    return numpy.where((columns - x) ** 2 + (rows - y) ** 2 <= radius ** 2, level, pixels)


def garment(seed, height=480, width=360):
    """A thing of one color on a ground of another: it has less texture than a text that lies over it."""
    random = numpy.random.default_rng(seed)
    pixels = numpy.full((height, width), float(random.integers(60, 120)))
    left, right = random.integers(50, 110, 2)
    top, bottom = random.integers(40, 90), random.integers(380, 440)
    pixels[top:bottom, left:width - right] = random.integers(140, 220)
    pixels[top + 40:top + 130, :left] = pixels[top:bottom, left:width - right].mean()
    for _ in range(20):
        x, y = random.integers(left, width - right - 10), random.integers(top, bottom - 10)
        pixels[y:y + 8, x:x + 8] += 20
    return pixels + random.normal(0, 1, pixels.shape)


def ground(seed):
    """What lies in a photograph: no level is that of a whole part."""
    grain = numpy.kron(numpy.random.default_rng(seed).normal(0, 30, (60, 80)), numpy.ones((6, 6)))
    for axis in (0, 1):
        grain = sum(numpy.roll(grain, i, axis) for i in range(-3, 4)) / 7
    return 0.6 * scene(seed) + 30 + grain


class OwnParts(ProgramTest):
    def index(self):
        for i in range(5):
            write_pgm(self.folder / f"other{i}.pgm", scene(50 + i))
        self.run_program("index", "-o", "p.bow", "--words-k", "500", "--code-k", "8", "--kernel", "simd", ".")

    def groups(self, *arguments):
        done = self.run_program("duplicates", "p.bow", *arguments)
        groups = {}
        for row in csv.DictReader(io.StringIO(done.stdout.decode())):
            groups.setdefault(row["group"], []).append((pathlib.Path(row["image"]).name, row["kind"]))
        return list(groups.values())

    def last_kinds(self):
        return [[(name, kind.split("+")[-1]) for name, kind in group] for group in self.groups()]

    def test_a_burst_with_a_thing_that_moves_is_a_scene(self):
        for radius, folder in ((14, "small"), (30, "large")):
            (self.folder / folder).mkdir()
            for i in range(3):
                noise = numpy.random.default_rng(i).normal(0, 3, (360, 480))
                pixels = with_disk(ground(radius) + noise, 100 + 90 * i, 150 + 20 * i, radius, 250)
                write_pgm(self.folder / f"{folder}/{i}.pgm", pixels.clip(0, 255))
        self.index()
        self.assertEqual(self.groups(), [])
        scenes = self.groups("--scene")
        self.assertEqual([sorted(kind for _, kind in group) for group in scenes], [["", "scene", "scene"]] * 2)

    def test_what_is_laid_over_a_picture_leaves_a_copy(self):
        write_pgm(self.folder / "plain.pgm", scene(3))
        write_pgm(self.folder / "sticker.pgm", with_disk(scene(3), 200, 150, 40, 250))
        self.index()
        self.assertEqual(self.groups(), [[("plain.pgm", ""), ("sticker.pgm", "overlaid")]])

    def test_a_banner_of_a_level_that_the_picture_lacks_leaves_a_copy(self):
        for seed in range(3):
            write_pgm(self.folder / f"a{seed}.pgm", dark_things(seed).clip(0, 255))
            write_pgm(self.folder / f"banner{seed}.pgm", with_banner(dark_things(seed), seed).clip(0, 255))
        self.index()
        self.assertEqual(self.last_kinds(), [[(f"a{seed}.pgm", ""), (f"banner{seed}.pgm", "overlaid")] for seed in range(3)])

    def test_text_over_a_thing_on_plain_ground_leaves_a_copy(self):
        for seed in range(3):
            write_pgm(self.folder / f"a{seed}.pgm", spotted_thing(seed))
            write_pgm(self.folder / f"text{seed}.pgm", with_text(spotted_thing(seed), seed, 300, 280))
        self.index()
        self.assertEqual(self.last_kinds(), [[(f"a{seed}.pgm", ""), (f"text{seed}.pgm", "overlaid")] for seed in range(3)])

    def test_icons_that_share_a_frame_are_no_copies(self):
        for i in range(4):
            write_pgm(self.folder / f"icon{i}.pgm", framed(i))
        self.index()
        self.assertEqual(self.groups(), [])

    def test_screens_with_another_text_in_one_line_are_no_copies(self):
        for size in (1, 2):
            for i, changed in enumerate((None, 12, 30)):
                write_pgm(self.folder / f"letters{size}_{i}.pgm", editor(changed, size))
        write_pgm(self.folder / "letters1_0_too.pgm", editor(size=1) + 9)
        self.index()
        self.assertEqual(self.last_kinds(), [[("letters1_0.pgm", ""), ("letters1_0_too.pgm", "recolored")]])

    def test_what_lies_over_a_screen_hides_no_other_text_elsewhere(self):
        for i, changed in enumerate((30, 40)):
            screen = editor(changed, 1)
            screen[60:260, 700:1200] = 120
            for line in range(4):
                text = letters(900 + line, 18, 2)
                screen[80 + 40 * line:80 + 40 * line + text.shape[0], 730:730 + text.shape[1]][text == 1] = 200
            write_pgm(self.folder / f"boxed{i}.pgm", screen)
        write_pgm(self.folder / "bare.pgm", editor(size=1))
        self.index()
        self.assertEqual(self.groups(), [])

    def test_what_is_laid_over_a_picture_is_not_the_best(self):
        for seed in range(3):
            write_pgm(self.folder / f"bare_picture{seed}.pgm", ground(seed))
            banner = ground(seed)
            banner[300:] = 250
            write_pgm(self.folder / f"banner{seed}.pgm", banner)
        self.index()
        self.assertEqual(self.last_kinds(), [[(f"bare_picture{seed}.pgm", ""), (f"banner{seed}.pgm", "overlaid")] for seed in range(3)])

    def test_a_picture_with_two_texts_is_a_copy_with_each_alone(self):
        for seed in range(3):
            write_pgm(self.folder / f"one{seed}.pgm", with_text(ground(seed), 2))
            write_pgm(self.folder / f"two{seed}.pgm", with_text(ground(seed), 3))
        self.index()
        self.assertEqual(self.groups(), [])
        for seed in range(3):
            write_pgm(self.folder / f"bare{seed}.pgm", ground(seed))
        self.index()
        self.assertEqual(self.last_kinds(), [[(f"bare{seed}.pgm", ""), (f"one{seed}.pgm", "overlaid"), (f"two{seed}.pgm", "overlaid")] for seed in range(3)])

    def test_pictures_with_the_same_text_over_them_are_no_copies(self):
        for seed in range(6):
            write_pgm(self.folder / f"text{seed}.pgm", with_text(garment(seed), 1, 150, 12).clip(0, 255))
            write_pgm(self.folder / f"banner{seed}.pgm", with_banner(garment(20 + seed), 1).clip(0, 255))
        self.index()
        self.assertEqual(self.groups(), [])

    def test_cards_of_one_game_are_no_copies(self):
        for value in (2, 5, 6, 9):
            for sign in range(2):
                write_pgm(self.folder / f"card{value}_{sign}.pgm", card(value, sign))
        self.index()
        self.assertEqual(self.groups(), [])

    def test_a_form_with_other_values_is_no_copy(self):
        for seed in range(3):
            write_pgm(self.folder / f"form{seed}.pgm", numpy.kron(form(seed), numpy.ones((2, 2))))
        write_pgm(self.folder / "form0_half.pgm", form(0))
        self.index()
        self.assertEqual(self.last_kinds(), [[("form0.pgm", ""), ("form0_half.pgm", "resized")]])

    def test_a_small_form_proves_nothing(self):
        """In 425 pixels a copy looks as a form with another digit may."""
        write_pgm(self.folder / "form.pgm", form(0))
        write_pgm(self.folder / "form_half.pgm", form(0).reshape(550, 2, 425, 2).mean((1, 3)))
        self.index()
        self.assertEqual(self.last_kinds(), [[("form_half.pgm", "unproven")]])

    def test_boards_with_the_men_of_other_games_are_no_copies(self):
        for i in range(3):
            write_pgm(self.folder / f"board{i}.pgm", board(i))
        self.index()
        self.assertEqual(self.groups(), [])


if __name__ == "__main__":
    unittest.main()
