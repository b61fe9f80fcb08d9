"""Folders under two spellings, on a file system that folds the case of names: one root, and no file is a copy of itself."""
import csv
import io
import shutil
import unittest

from folding_mount import MISSING, FoldingMount
from library_test import LibraryTest
from program import write_picture


@unittest.skipIf(MISSING, MISSING)
class FoldingNames(LibraryTest):
    def setUp(self):
        super().setUp()
        self.make()
        self.disk = self.folder / "disk"
        self.backing = self.folder / "backing"
        for folder in (self.disk, self.backing):
            folder.mkdir()

    def mount(self):
        mount = FoldingMount(self.backing, self.disk)
        self.addCleanup(mount.__exit__)

    def fill(self, *folders):
        for folder in folders:
            (folder / "Trip").mkdir(parents=True)
            for name in ("a.pgm", "Trip/b.pgm"):
                place = folder / name
                if folder == folders[0]:
                    write_picture(place, 90 + len(name), 240, 180)
                else:
                    shutil.copy2(folders[0] / name, place)

    def add(self, *paths, library="q.bow", status=0):
        return self.index("--centroids", "models.bow", *(str(self.disk / path) for path in paths), library=library, status=status)

    def roots(self, library="q.bow"):
        return [(root["path"].removeprefix(f"{self.disk}/"), root["paths"]) for root in self.status(library=library)["roots"]]

    def copies(self, library="q.bow", *arguments):
        done = self.run_program("duplicates", "-q", library, *arguments)
        return [row["image"].removeprefix(f"{self.disk}/") for row in csv.DictReader(io.StringIO(done.stdout.decode()))]

    def test_a_folder_under_two_spellings_is_one_root(self):
        self.fill(self.backing / "Photos")
        self.mount()
        self.assertIn("2 new", self.add("Photos", "photos"))
        self.assertIn("0 new, 0 changed, 0 moved, 0 gone, 0 back, 2 unchanged", self.add("pHOTOS"))
        self.assertEqual(self.roots(), [("Photos", 2)])
        self.assertEqual(self.copies(), [])

    def test_a_part_and_a_file_keep_the_names_that_their_folders_list(self):
        self.fill(self.backing / "Photos")
        self.mount()
        self.add("photos")
        self.assertIn("0 new, 0 changed, 0 moved, 0 gone, 0 back, 1 unchanged", self.add("Photos/trip"))
        self.assertIn("0 new, 0 changed, 0 moved, 0 gone, 0 back, 1 unchanged", self.add("photos/TRIP/B.pgm"))
        self.assertEqual(self.roots(), [("photos", 2)])
        self.assertEqual(self.copies(), [])

    def test_a_root_in_a_root_is_met_once(self):
        self.fill(self.backing / "all/Photos")
        self.mount()
        self.add("all/photos")
        self.assertIn("0 new, 0 changed, 0 moved, 0 gone, 0 back, 2 unchanged", self.add("all"))
        self.assertIn("2 unchanged", self.index(library="q.bow"))

    def test_a_folder_of_the_same_content_is_a_root_of_its_own(self):
        self.fill(self.backing / "Photos", self.backing / "backup")
        self.mount()
        self.assertIn("4 new", self.add("photos", "Backup"))
        self.assertEqual(self.roots(), [("photos", 2), ("Backup", 2)])
        self.assertEqual(len(self.copies()), 4)

    def with_two_roots(self):
        """A library that took two spellings for two folders, as they were when it was made."""
        self.fill(self.backing / "Photos", self.disk / "Photos", self.disk / "photos")
        self.add("Photos", "photos")
        self.assertEqual(self.roots(), [("Photos", 2), ("photos", 2)])
        self.assertEqual(len(self.copies()), 4)
        self.mount()

    def test_no_file_is_a_copy_of_itself(self):
        self.with_two_roots()
        self.assertEqual(self.copies(), [])
        self.add("PHOTOS", library="other.bow")
        self.assertEqual(self.copies("q.bow", "--against", "other.bow"), [])

    def test_an_older_library_gets_one_root(self):
        self.with_two_roots()
        self.assertIn("0 new, 0 changed, 0 moved, 2 gone, 0 back, 2 unchanged", self.index(library="q.bow"))
        self.assertEqual(self.roots(), [("Photos", 2), ("photos", 0)])
        self.assertIn("0 gone, 0 back, 2 unchanged", self.add("photos"))

    def test_folders_whose_names_differ_by_case_are_two_where_case_counts(self):
        self.fill(self.disk / "Photos", self.disk / "photos")
        self.add("Photos", "photos")
        self.assertEqual(self.roots(), [("Photos", 2), ("photos", 2)])
        self.assertIn("4 unchanged", self.index(library="q.bow"))
        self.assertEqual(len(self.copies()), 4)


if __name__ == "__main__":
    unittest.main()
