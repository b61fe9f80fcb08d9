"""Each room includes only the rooms that the plan (docs/architecture.md) lets it see.

Reads the #include lines; also holds that OpenCL is included in device/ alone, OpenCV in the folders
named opencv alone, and that the program's main file is one sentence.
"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()

ROOMS = {
    "core": set(),
    "files": {"core"},
    "device": {"core"},
    "ops": {"device", "core"},
    "assign": {"ops", "device", "core"},
    "extract": {"ops", "files", "device", "core"},
    "train": {"assign", "device", "core"},
    "group": {"train", "assign", "device", "core"},
    "pipeline": {"extract", "assign", "ops", "files", "device", "core"},
    "bench": {"train", "assign", "ops", "device", "core"},
    "report": {"bench", "group", "files", "core"},
}


def includes(path):
    return re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', path.read_text(), re.M)


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp"))


class Rooms(unittest.TestCase):
    def test_the_house_has_these_rooms(self):
        there = {p.name for p in (SOURCE / "lib/bowhist").iterdir() if p.is_dir()}
        self.assertEqual(there, set(ROOMS))

    def test_each_room_includes_only_rooms_below(self):
        for room, below in ROOMS.items():
            for path in sources(SOURCE / "lib/bowhist" / room):
                for name in includes(path):
                    if name.startswith("bowhist/"):
                        self.assertIn(name.split("/")[1], below | {room}, f"{path} includes {name}")
                    self.assertFalse(name.startswith("app/"), f"{path} includes {name}")

    def test_opencl_enters_through_one_header(self):
        found = [p for folder in ("lib", "app", "tests") for p in sources(SOURCE / folder)
                 if any(name.startswith("CL/") for name in includes(p))]
        self.assertEqual(found, [SOURCE / "lib/bowhist/device/opencl.hpp"])

    def test_opencv_stays_in_its_folders(self):
        for folder in ("lib", "app"):
            for path in sources(SOURCE / folder):
                if any(name.startswith("opencv2/") for name in includes(path)):
                    self.assertEqual(path.parent.name, "opencv", path)

    def test_only_the_app_logs(self):
        for path in sources(SOURCE / "lib"):
            self.assertFalse(any(name.startswith("spdlog/") for name in includes(path)), path)

    def test_main_is_one_sentence(self):
        self.assertEqual((SOURCE / "app/main.cpp").read_text().count(";"), 1)


if __name__ == "__main__":
    unittest.main()
