"""Which drawn forms `duplicates` takes for copies of one another, and how many true copies it finds.

    forms.py BOWHIST [--forms 1000] [--dpi 75 100 150 300] [--match normal strict] [--seed 1] [--keep DIR]

Needs Pillow, numpy and the fonts of fonts-dejavu-core; other fonts that are installed take part. Draws A4 forms of
ten layouts, as a scanner or a PDF renderer does at each dpi: no form is a resized one. Three forms of four differ from
the one before them in one thing alone: the month, a digit of the number, or a digit of the total. Half of the layouts
have the tone and the noise of paper.

Each form has three copies: resized to a half, recompressed (JPEG of quality 60), and cropped to 90 % of the area. The
margins are wider than what a crop takes away, so each copy shows all that sets its form apart.

DIR/DPI/FORM_COPY.png or .jpg are the files, DIR/DPI.tsv is their truth. Prints for each dpi and --match the groups that
hold two forms, the share of copies that stand in a group with their original, the rows without a group by their
kind, and the CPU seconds of `index` and `duplicates`. A later --match takes less: the library keeps what was compared.
"""
import argparse
import calendar
import collections
import csv
import dataclasses
import functools
import io
import multiprocessing
import pathlib
import random
import resource
import tempfile

import numpy
from PIL import Image, ImageDraw, ImageFont

import edited_copies
from duplicates import run

FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
FACES = ("DejaVuSans", "DejaVuSerif", "DejaVuSansMono")
MARGIN = 18  # millimeters; a crop to 90 % of A4 takes 16 at most
CHANGES = ("all", "month", "number", "total", "all", "total", "month", "number")  # by turns
COPIES = ("resized", "recompressed", "cropped")
MONTHS = calendar.month_name
NAMES = ("J. Miller", "A. Novak", "Maria Costa", "P. Lindqvist", "Sven Berg", "L. Moreau", "T. Okafor", "Ines Duarte")
GOODS = ("Printer paper A4", "Toner, black", "Service visit", "Desk lamp", "Cable, 3 m", "Coffee beans", "Chair, gray",
         "Hinge, brass", "Paint, 5 l", "Oak board", "Window seal", "Door handle")


@dataclasses.dataclass(frozen=True)
class Form:
    """What is written into a layout. Every layout shows each of these."""
    layout: str
    month: int
    number: str
    total: int  # cents
    name: str
    rows: tuple  # (goods, cents)
    year: int = 2024
    face: str = "DejaVuSans"

    @property
    def date(self):
        return f"03.{self.month:02}.{self.year}"


def money(cents):
    return f"{cents // 100}.{cents % 100:02}"


class Page:
    """An A4 page. Places and widths are millimeters from its upper left corner, sizes of text are points."""

    def __init__(self, dpi, face):
        self.dpi, self.face = dpi, face
        self.image = Image.new("L", (self.pixels(210), self.pixels(297)), 255)
        self.pen = ImageDraw.Draw(self.image)

    def pixels(self, millimeters):
        return round(millimeters * self.dpi / 25.4)

    def text(self, x, y, words, size=10, anchor="la", bold=False):
        face = self.face + "-Bold" if bold and self.face + "-Bold" in font_files() else self.face
        font = ImageFont.truetype(font_files()[face], max(1, round(size * self.dpi / 72)))
        self.pen.text((self.pixels(x), self.pixels(y)), words, 20, font, anchor=anchor)

    def lines(self, x, y, lines, size=10, step=5.0):
        for i, line in enumerate(lines):
            self.text(x, y + step * i, line, size)

    def rule(self, x, y, width, thickness=0.3):
        self.pen.rectangle((self.pixels(x), self.pixels(y), self.pixels(x + width), self.pixels(y) + max(0, self.pixels(thickness) - 1)), 60)

    def box(self, x, y, width, height):
        self.pen.rectangle((self.pixels(x), self.pixels(y), self.pixels(x + width), self.pixels(y + height)), None, 60, max(1, self.pixels(0.3)))

    def table(self, y, columns, rows, size=9, step=6.5, ruled=True):
        """columns: the x of each; the last one is set to the right."""
        for i, row in enumerate(rows):
            for x, words in zip(columns[:-1], row):
                self.text(x, y + step * i, words, size, bold=i == 0)
            self.text(columns[-1], y + step * i, row[-1], size, "ra", bold=i == 0)
            if ruled or i == 0:
                self.rule(columns[0], y + step * (i + 1) - 1.5, columns[-1] - columns[0], 0.5 if i == 0 else 0.2)


@functools.cache
def font_files():
    """@return the file of each font that is installed, by its name"""
    return {path.stem: str(path) for folder in FONT_FOLDERS for path in sorted(pathlib.Path(folder).rglob("*.ttf"))}


def writes_digits(face):
    """A font of signs draws one box for all that it lacks."""
    font = ImageFont.truetype(font_files()[face], 20)
    return len({bytes(font.getmask(digit)) for digit in "0123456789aM"}) == 12


def faces():
    """@return faces for forms, those of DejaVu first"""
    unfit = ("Bold", "Oblique", "Italic", "ExtraLight", "Math", "Symbol", "Emoji", "DejaVu")
    return [*FACES, *(face for face in sorted(font_files()) if not any(word in face for word in unfit) and writes_digits(face))]


def invoice(page, form):
    page.pen.rectangle([page.pixels(v) for v in (MARGIN, 18, 70, 34)], 60)
    page.lines(130, 20, ["12 Harbour Road", "Lisbon", "VAT PT 504 112 990"], 9)
    page.lines(MARGIN, 55, ["Bill to:", form.name, "4 Hill Street"])
    page.lines(130, 55, [f"Invoice {form.number}", f"Date {form.date}"])
    page.table(95, (MARGIN, 60, 190), [("Item", "", "EUR"), *((str(i + 1), goods, money(cents)) for i, (goods, cents) in enumerate(form.rows))])
    page.text(190, 200, f"Total  EUR {money(form.total)}", 12, "ra")
    page.lines(MARGIN, 240, ["Payment within 30 days to IBAN PT50 0002 0123 1234 5678 9015 4.", "Thank you for your business."], 8)


def pay_slip(page, form):
    page.text(MARGIN, 20, "Pay slip", 18, bold=True)
    page.text(190, 22, f"{MONTHS[form.month]} {form.year}", 12, "ra")
    page.box(MARGIN, 35, 172, 26)
    page.lines(22, 38, [f"Employee: {form.name}", f"Personnel number: {form.number}", "Tax class: 1", "Department: Sales"], 9)
    page.table(72, (MARGIN, 100, 190), [("Earnings", "hours", "EUR"), *((goods, "8.0", money(cents)) for goods, cents in form.rows)])
    page.box(110, 190, 80, 14)
    page.text(187, 194, f"Net pay  {money(form.total)}", 12, "ra", True)
    page.text(MARGIN, 250, "Keep this slip. It is not sent again.", 8)


def time_sheet(page, form):
    page.text(MARGIN, 19, f"Time sheet  {form.name}", 14, bold=True)
    page.text(190, 21, f"{form.month:02}/{form.year}  no. {form.number}", 10, "ra")
    marks = {i * 4 + 2: goods for i, (goods, _) in enumerate(form.rows)}
    days = [(str(day), "08:00", "16:30", marks.get(day, ""), f"{form.rows[day % len(form.rows)][1] % 900 / 100:.2f}") for day in range(1, 32)]
    page.table(34, (MARGIN, 45, 75, 105, 190), [("Day", "Begin", "End", "Note", "Hours"), *days], 8, 7.0)
    page.text(190, 266, f"Sum  {money(form.total)}", 11, "ra")


def receipt(page, form):
    page.text(60, 22, "CORNER SHOP", 16, "ma")
    page.text(60, 31, "Open daily from 7 to 23", 8, "ma")
    page.table(45, (25, 40, 95), [("", "", "EUR"), *((f"{i + 1}x", goods, money(cents)) for i, (goods, cents) in enumerate(form.rows))], 9, 5.5, False)
    page.rule(25, 125, 70)
    page.text(95, 128, f"TOTAL {money(form.total)}", 13, "ra")
    page.lines(25, 142, [f"Receipt {form.number}", f"{form.date}  14:52", f"Served by {form.name}", "Thank you!"], 9)
    for i in range(48):
        page.rule(30 + 1.25 * i, 168, 0.4 + 0.5 * (i * 7 % 3 == 0), 14)


def letter(page, form):
    page.lines(MARGIN, 22, ["Harbour Water Works", "1 Pier Lane", "Lisbon"], 10)
    page.text(190, 50, f"Lisbon, 3 {MONTHS[form.month]} {form.year}", 10, "ra")
    page.lines(MARGIN, 62, [form.name, "4 Hill Street", "", f"Your reference: {form.number}"])
    page.lines(MARGIN, 95, ["Dear customer,", "", "we have read your meters as you asked us in your letter. The figures are",
                            "in the table below. Please compare them with your own, and let us know", "within two weeks where they differ."])
    page.table(130, (MARGIN, 60, 150), [("Meter", "", "m³"), *((str(40 + i), goods, money(cents)) for i, (goods, cents) in enumerate(form.rows))])
    page.lines(MARGIN, 218, [f"The amount due is EUR {money(form.total)}. It will be debited from your account.", "", "Yours faithfully,", "", "", "R. Salgado"])


def tax_form(page, form):
    page.text(MARGIN, 18, "Declaration of income", 16, bold=True)
    fields = [("Number", form.number), ("Name", form.name), ("Month", f"{form.month:02}{form.year}"),
              *((goods, f"{cents:>10}") for goods, cents in form.rows), ("Sum of all lines", f"{form.total:>10}")]
    for i, (label, value) in enumerate(fields):
        y = 34 + 15 * i
        page.text(MARGIN, y + 1, f"{i + 1:02}  {label}", 8)
        for k in range(14):
            page.box(92 + 7 * k, y - 2, 7, 8)
            page.text(95.5 + 7 * k, y + 2, value[k:k + 1], 10, "mm")
    page.text(MARGIN, 262, "Fill in with black ink. One letter a box.", 8)


def delivery_note(page, form):
    page.text(105, 20, "DELIVERY NOTE", 18, "ma")
    page.box(MARGIN, 36, 80, 30)
    page.box(110, 36, 80, 30)
    page.lines(22, 40, ["Deliver to", form.name, "Dock 4, Harbour Road"], 9)
    page.lines(114, 40, [f"Note no. {form.number}", f"Delivered {form.date}", "Carrier: Rapid"], 9)
    page.table(80, (MARGIN, 32, 150, 190), [("", "Goods", "Parcels", "kg"), *((str(i + 1), goods, str(1 + i % 3), money(cents)) for i, (goods, cents) in enumerate(form.rows))], 10, 9)
    page.text(190, 205, f"Weight in all: {money(form.total)} kg", 10, "ra")
    page.lines(MARGIN, 245, ["Received in good order:", "______________________________"], 10, 12)


def bank_statement(page, form):
    page.text(MARGIN, 19, "Bank of the Harbour", 16, bold=True)
    page.lines(MARGIN, 32, [form.name, f"Account PT50 0002 0123 {form.number}", f"Statement of {MONTHS[form.month]} {form.year}"], 9)
    bookings = [(f"{3 + 2 * i:02}.{form.month:02}.", goods, "card payment", "-" + money(cents)) for i, (goods, cents) in enumerate(form.rows)]
    page.table(58, (MARGIN, 40, 110, 190), [("Date", "Text", "Kind", "EUR"), *bookings], 8, 8)
    page.rule(MARGIN, 215, 172, 0.6)
    page.text(190, 219, f"New balance {money(form.total)}", 11, "ra")
    page.text(MARGIN, 262, "Please report errors within six weeks.", 8)


def class_list(page, form):
    page.text(MARGIN, 19, f"Class list {form.number}", 14, bold=True)
    page.text(190, 20, f"{MONTHS[form.month]} {form.year}", 10, "ra")
    page.text(MARGIN, 29, f"Teacher: {form.name}", 9)
    for i in range(24):
        y = 40 + 8.5 * i
        goods, cents = form.rows[i % len(form.rows)]
        page.text(MARGIN, y + 1.5, f"{i + 1:2}  {NAMES[(i + cents) % len(NAMES)]}", 9)
        for k in range(12):
            page.box(80 + 9 * k, y, 9, 8.5)
            if (cents >> (k % 7)) + i + k & 3 == 0:
                page.text(84.5 + 9 * k, y + 4, str(1 + (cents + i * k) % 6), 9, "mm")
    page.text(190, 252, f"Funds for the trip: {money(form.total)}", 9, "ra")


def calendar_page(page, form):
    page.text(MARGIN, 20, f"{MONTHS[form.month]} {form.year}", 26, bold=True)
    page.text(190, 24, f"{form.name}, room {form.number}", 9, "ra")
    notes = {3 + 2 * i: row for i, row in enumerate(form.rows)}
    for week, days in enumerate(calendar.monthcalendar(form.year, form.month)):
        for weekday, day in enumerate(days):
            x, y = MARGIN + 24.5 * weekday, 45 + 32 * week
            page.box(x, y, 24.5, 32)
            if day:
                page.text(x + 2, y + 2, str(day), 14)
            if day in notes:
                page.lines(x + 2, y + 14, [notes[day][0].split(",")[0][:12], money(notes[day][1])], 8)
    page.text(MARGIN, 255, f"Spent this month: {money(form.total)}", 10)


LAYOUTS = {layout.__name__: layout for layout in (invoice, pay_slip, time_sheet, receipt, letter, tax_form, delivery_note, bank_statement, class_list, calendar_page)}
ON_PAPER = set(list(LAYOUTS)[1::2])  # those with a tone and noise


def other_digit(digits, draw):
    """One digit of them is another; no first one becomes 0."""
    places = [i for i, digit in enumerate(digits) if digit.isdigit()]
    i = draw.choice(places)
    return digits[:i] + draw.choice([digit for digit in "123456789" if digit != digits[i]]) + digits[i + 1:]


def new_form(layout, draw, known_faces):
    rows = tuple((draw.choice(GOODS), draw.randrange(100, 99999)) for _ in range(draw.randint(6, 11)))
    return Form(layout, draw.randint(1, 12), f"2024-{draw.randrange(1, 9999):04}", draw.randrange(10000, 999999), draw.choice(NAMES),
                rows, face=draw.choice(known_faces))


def drawn_forms(count, seed, layouts=tuple(LAYOUTS), known_faces=None):
    """@return `count` forms, by turns of each layout, and what sets each apart from the one before it of its layout"""
    draw, known_faces = random.Random(seed), known_faces or faces()
    last, forms = {}, {}
    while len(forms) < count:
        layout = layouts[len(forms) % len(layouts)]
        thing = CHANGES[len(forms) // len(layouts) % len(CHANGES)]
        form = last.get(layout)
        if thing == "all":
            form = new_form(layout, draw, known_faces)
        elif thing == "month":
            form = dataclasses.replace(form, month=draw.choice([month for month in range(1, 13) if month != form.month]))
        elif thing == "number":
            form = dataclasses.replace(form, number="2024-" + other_digit(form.number[5:], draw))
        else:
            form = dataclasses.replace(form, total=int(other_digit(str(form.total), draw)))
        if form not in forms:
            forms[form] = thing
            last[layout] = form
    return list(forms.items())


def drawn(form, dpi, seed):
    page = Page(dpi, form.face)
    LAYOUTS[form.layout](page, form)
    if form.layout not in ON_PAPER:
        return page.image
    noise = numpy.random.default_rng(seed).integers(-4, 5, (page.image.height, page.image.width, 1))
    tone = numpy.array((248, 244, 234)) * numpy.asarray(page.image)[:, :, None] // 255
    return Image.fromarray((tone + noise).clip(0, 255).astype(numpy.uint8))


def write_form(folder, number, form, dpi):
    """Writes the form and its copies. @return the name of each file, and what it is"""
    picture, stem = drawn(form, dpi, number), f"{number:04}_{form.layout}"
    as_png = number % 3 != 0
    how = {"compress_level": 3} if as_png else {"quality": 92}
    ending = "png" if as_png else "jpg"
    picture.save(folder / f"{stem}_original.{ending}", **how)
    edited_copies.scaled(picture, 0.5).save(folder / f"{stem}_resized.{ending}", **how)
    picture.save(folder / f"{stem}_recompressed.jpg", quality=60)
    edited_copies.cropped(picture, 0.9, random.Random(number)).save(folder / f"{stem}_cropped.{ending}", **how)
    return [(f"{stem}_original.{ending}", "original"), (f"{stem}_resized.{ending}", "resized"),
            (f"{stem}_recompressed.jpg", "recompressed"), (f"{stem}_cropped.{ending}", "cropped")]


def write_forms(folder, forms, dpi):
    """Writes FOLDER/DPI and FOLDER/DPI.tsv, its truth. @return for each path its form's number and what it is"""
    below = folder / str(dpi)
    below.mkdir(parents=True)
    with multiprocessing.Pool() as pool:
        written = pool.starmap(write_form, [(below, i, form, dpi) for i, (form, _) in enumerate(forms)], 4)
    truth = {}
    with open(folder / f"{dpi}.tsv", "w") as file:
        print("path", "form", "copy", "layout", "new", sep="\t", file=file)
        for i, (names, (form, thing)) in enumerate(zip(written, forms)):
            for name, copy in names:
                print(name, i, copy, form.layout, thing, sep="\t", file=file)
                truth[name] = (i, copy)
    return truth


def timed(program, *arguments):
    """@return standard output and the CPU seconds of a run"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(program, *arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout.decode(errors="surrogateescape"), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def judged(rows, truth):
    """@return the groups that hold two forms, how many copies of each kind stand with their original, and the kinds without a group"""
    groups, apart = collections.defaultdict(list), collections.Counter()
    for row in rows:
        if row["group"]:
            groups[row["group"]].append(pathlib.Path(row["image"]).name)
        else:
            apart[row["kind"]] += 1
    mixed, found = [], collections.Counter()
    for names in groups.values():
        members = [truth[name] for name in names]
        if len({form for form, _ in members}) > 1:
            mixed.append(sorted(names))
        originals = {form for form, copy in members if copy == "original"}
        found.update(copy for form, copy in members if copy != "original" and form in originals)
    return mixed, found, apart


def measure(program, folder, forms, dpi, matches):
    truth = write_forms(folder, forms, dpi)
    _, index_seconds = timed(program, "index", "-q", "-o", folder / f"{dpi}.bow", folder / str(dpi))
    for match in matches:
        output, seconds = timed(program, "duplicates", folder / f"{dpi}.bow", "--match", match)
        mixed, found, apart = judged(csv.DictReader(io.StringIO(output)), truth)
        shares = " ".join(f"{found[copy] / len(forms):8.3f}" for copy in COPIES)
        kinds = ", ".join(f"{count} {kind}" for kind, count in apart.most_common()) or "none"
        print(f"{dpi:4} {match:7} {len(mixed):9} {sum(found.values()) / 3 / len(forms):6.3f} {shares}  {index_seconds:7.1f} {seconds:7.1f}  {kinds}", flush=True)
        for names in mixed[:3]:
            print("      together:", *names[:6], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--forms", type=int, default=1000)
    parser.add_argument("--dpi", type=int, nargs="+", default=[75, 100, 150, 300])
    parser.add_argument("--match", nargs="+", default=["normal", "strict"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="an empty folder for the forms and libraries")
    asked = parser.parse_args()
    forms = drawn_forms(asked.forms, asked.seed)
    print(f"{len(forms)} forms, each with {', '.join(COPIES)}\n dpi match   two forms  found  resized recompr.  cropped    index   dupl.  rows without a group")
    for dpi in asked.dpi:
        with tempfile.TemporaryDirectory() as scratch:
            measure(asked.program, (asked.keep or pathlib.Path(scratch)).resolve(), forms, dpi, asked.match)


if __name__ == "__main__":
    main()
