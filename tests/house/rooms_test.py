"""Each room includes only the rooms that the plan (docs/architecture.md) lets it see.

Reads the #include lines. Fences keep some libraries to one folder each, and the program's main file
is one sentence.
"""
import pathlib
import re
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()

PLAN = re.findall(r"^\| `((?:lib/bowhist/)?(?!app)(\w+))/` \|.*\| ([a-z ]*)\|$", (SOURCE / "docs/architecture.md").read_text(), re.M)
ROOMS = {room: set(below.split()) for folder, room, below in PLAN}
FOLDER = {room: folder for folder, room, below in PLAN}
KERNEL_ROOMS = {"assign": set(), "ladder": {"assign"}, "encode": {"device"}, "ops": set(), "extract": {"device"}, "train": {"assign"}, "bench": set(), "device": set(), "group": {"assign"}, "search": set()}

FENCES = {"sqlite3.h": "lib/bowhist/library/sqlite", "httplib.h": "lib/bowhist/serve/httplib", "mpi.h": "lib/bowhist/team/mpi"}
FOLDERS = ("app", "lib", "bench", "cl", "tests", "samples")


def includes(path):
    return re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', path.read_text(), re.M)


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp"))


def outside_fence(source, header, home):
    """The files that include the header, by whatever path, and do not lie in its folder."""
    return [path for folder in FOLDERS for path in sources(source / folder)
            if any(name.split("/")[-1] == header for name in includes(path)) and source / home not in path.parents]


class Rooms(unittest.TestCase):
    def test_the_house_has_these_rooms(self):
        there = {f"lib/bowhist/{p.name}" for p in (SOURCE / "lib/bowhist").iterdir() if p.is_dir()}
        self.assertEqual(there | {"bench"}, set(FOLDER.values()))

    def test_the_plan_shows_the_arrows_that_there_are(self):
        for room, below in ROOMS.items():
            seen = set()
            for path in sources(SOURCE / FOLDER[room]):
                for name in includes(path):
                    other = re.match(r"(?:bowhist/)?(\w+)/", name)
                    if name.startswith(("bowhist/", "bench/")):
                        self.assertIn(other[1], below | {room}, f"{path} includes {name}")
                        seen.add(other[1])
                    self.assertFalse(name.startswith("app/"), f"{path} includes {name}")
            self.assertEqual(seen - {room}, below, room)

    def test_kernels_keep_to_their_rooms(self):
        """A file's name stands for it everywhere, so no two rooms have one of the same name."""
        files = [path for path in (SOURCE / "cl").rglob("*") if path.is_file()]
        room = {path.name: path.parent.name for path in files}
        self.assertEqual(len(room), len(files))
        seen = {name: set() for name in KERNEL_ROOMS}
        for path in files:
            seen[path.parent.name] |= {room[name] for name in includes(path)} - {path.parent.name}
        self.assertEqual(seen, KERNEL_ROOMS)

    def test_kernels_that_count_on_their_group_demand_it(self):
        """Of any other a launch takes smaller groups where a driver refuses its own (device/device.cpp)."""
        files = {path.name: path for path in (SOURCE / "cl").rglob("*") if path.is_file()}

        def whole(name, seen):
            seen.add(name)
            return files[name].read_text() + "".join(whole(n, seen) for n in includes(files[name]) if n not in seen)

        uses = re.compile(r"\bget_local_|\bget_enqueued_local_|\bget_group_id|\bget_num_groups|\bbarrier\(|^ +local ", re.M)
        demand = "__attribute__((reqd_work_group_size("
        kernel = re.compile(r"^kernel\s+((?:.|\n)*?)^}", re.M)
        for name in sorted(files):
            own = kernel.findall(files[name].read_text())
            shared = kernel.sub("", whole(name, set()))  # functions that any of its kernels may call
            for text in own:
                if not text.startswith(demand):
                    called = shared if len(own) == 1 else ""
                    self.assertIsNone(uses.search(text + called), f"{name}: {text[:60]}")

    def test_no_comment_holds_a_struct_or_a_constant_to_its_copy(self):
        """What host and kernels share stands once, in a header of cl/ that both include."""
        copy = re.compile(r"[Ll]aid out as|[;{] +// (as in|[A-Z_]+ (in|there)|of) \S*\.cl|"
                          r"^/// (`?[A-Z]\w+`? of|As in) \S+\.cl", re.M)
        for path in [*sources(SOURCE / "lib/bowhist/assign"), *sources(SOURCE / "lib/bowhist/ops"),
                     *(SOURCE / "cl").rglob("*.cl")]:
            self.assertIsNone(copy.search(path.read_text()), path)

    def test_rooms_and_files_make_no_loop(self):
        files = {str(p.relative_to(SOURCE / "lib" if folder == "lib" else SOURCE)): set(includes(p))
                 for folder in ("lib", "bench") for p in sources(SOURCE / folder) if p.suffix == ".hpp"}
        for graph in (ROOMS, files):
            done = set()

            def walk(node, way):
                self.assertNotIn(node, way, " -> ".join((*way, node)))
                if node in done:
                    return
                for other in graph.get(node, ()):
                    walk(other, (*way, node))
                done.add(node)

            for node in graph:
                walk(node, ())

    def test_opencl_enters_through_one_header(self):
        found = [p for folder in ("lib", "bench", "app", "tests") for p in sources(SOURCE / folder)
                 if any(name.startswith("CL/") for name in includes(p))]
        self.assertEqual(found, [SOURCE / "lib/bowhist/device/opencl.hpp"])

    def test_opencv_stays_in_its_folders(self):
        for folder in ("lib", "bench", "app"):
            for path in sources(SOURCE / folder):
                if any(name.startswith("opencv2/") for name in includes(path)):
                    self.assertEqual(path.parent.name, "opencv", path)

    def test_fences_hold(self):
        for header, home in FENCES.items():
            self.assertEqual(outside_fence(SOURCE, header, home), [], header)

    def test_a_planted_include_breaks_each_fence(self):
        for header, home in FENCES.items():
            with tempfile.TemporaryDirectory() as made:
                source = pathlib.Path(made)
                places = [source / folder / "planted.cpp" for folder in (home, f"{home}_too", "app")]
                for place in places:
                    place.parent.mkdir(parents=True)
                    place.write_text(f"#include <some/{header}>\n")
                self.assertEqual(outside_fence(source, header, home), sorted(places[1:]), header)

    def test_only_the_app_logs(self):
        for path in [*sources(SOURCE / "lib"), *sources(SOURCE / "bench")]:
            self.assertFalse(any(name.startswith("spdlog/") for name in includes(path)), path)

    def test_main_is_one_sentence(self):
        self.assertEqual((SOURCE / "app/main.cpp").read_text().count(";"), 1)


if __name__ == "__main__":
    unittest.main()
