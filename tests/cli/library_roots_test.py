"""The folders of a library: from whichever working directory, and however they are spelled."""
import os
import shutil
import unittest

from library_test import LibraryTest
from program import write_picture


class RootsTest(LibraryTest):
    def setUp(self):
        super().setUp()
        self.home = self.folder
        self.make()

    def work_in(self, name):
        """From now on the program runs in that folder, and the library has the path it has from there."""
        self.folder = self.home / name
        self.folder.mkdir(parents=True, exist_ok=True)

    def update(self, *arguments, status=0):
        return self.index(*arguments, library=str(self.home / "p.bow"), status=status)

    def roots(self):
        return [(root["path"], root["paths"]) for root in self.status(library=str(self.home / "p.bow"))["roots"]]

    def listed(self):
        return [bytes(path).decode() for path, in self.sql("SELECT CAST(path AS BLOB) FROM paths WHERE gone IS NULL ORDER BY path",
                                                           library=str(self.home / "p.bow"))]


class WorkingDirectories(RootsTest):
    def test_a_root_means_the_folder_that_it_meant(self):
        paths = self.listed()
        write_picture(self.photos / "new.pgm", 77, 120, 90)
        os.unlink(self.photos / "p4.pgm")
        self.work_in("elsewhere")
        self.assertIn("1 new, 0 changed, 0 moved, 1 gone, 0 back, 5 unchanged; 1 described", self.update())
        self.assertEqual(self.listed(), sorted({*paths, "photos/new.pgm"} - {"photos/p4.pgm"}))
        self.folder = self.home
        self.assertIn("0 new, 0 changed, 0 moved, 0 gone, 0 back, 6 unchanged; 0 described", self.update())
        self.assert_as_fresh()

    def test_another_folder_of_the_name_marks_nothing(self):
        self.work_in("elsewhere")
        (self.folder / "photos").mkdir()
        write_picture(self.folder / "photos" / "other.pgm", 50, 120, 90)
        self.assertIn("0 gone, 0 back, 6 unchanged", self.update())
        said = self.update("photos")
        self.assertIn("another folder of that name", said)
        self.assertIn("1 new, 0 changed, 0 moved, 0 gone, 0 back, 0 unchanged", said)
        self.assertEqual(self.roots(), [("photos", 6), (f"{self.folder}/photos", 1)])
        self.assertIn("7 unchanged", self.update())

    def test_a_root_that_is_away_marks_nothing(self):
        shutil.move(self.photos, self.home / "away")
        self.work_in("elsewhere")
        (self.folder / "photos").mkdir()
        write_picture(self.folder / "photos" / "other.pgm", 50, 120, 90)
        self.assertIn(f"photos: {self.home}/photos is not there", self.update(status=3))
        self.assertEqual(self.roots(), [("photos", 6)])
        self.assertIn("0 gone", self.update("photos"))
        self.assertEqual(self.roots(), [("photos", 6), (f"{self.folder}/photos", 1)])

    def test_a_root_follows_the_working_directory_that_moved(self):
        self.work_in("moved")
        for name in ("photos", "p.bow"):
            shutil.move(self.home / name, self.folder / name)
        for arguments in ([], ["photos"]):
            self.assertIn("0 new, 0 changed, 0 moved, 0 gone, 0 back, 6 unchanged", self.index(*arguments))
        self.assertEqual([bytes(place).decode() for place, in self.sql("SELECT place FROM roots")], [f"{self.folder}/photos"])

    def test_a_place_does_not_depend_on_the_way_to_it(self):
        self.work_in("way/there")
        self.index("--centroids", "../../models.bow", "../../photos", library="q.bow")
        self.assertEqual(self.sql("SELECT CAST(place AS TEXT) FROM roots", library="q.bow"), [(str(self.photos),)])

    def test_root_names_the_new_place(self):
        paths = self.listed()
        shutil.move(self.photos, self.home / "away")
        self.work_in("elsewhere")
        self.assertIn("6 unchanged", self.update("--root", f"{self.home}/photos={self.home}/away"))
        self.assertEqual(self.listed(), paths)
        self.folder = self.home
        shutil.copytree(self.home / "away", self.home / "photos")  # with other times
        for path in self.photos.rglob("*.pgm"):
            os.utime(path)
        shutil.rmtree(self.home / "away")
        self.assertIn("0 gone", self.index("--root", "photos=photos"))
        self.assertEqual(self.listed(), paths)
        self.assert_as_fresh()

    def test_named_files_stay_what_they_were(self):
        for name in ("a.pgm", "b.pgm"):
            write_picture(self.home / name, ord(name[0]), 120, 90)
        self.index("a.pgm", str(self.home / "b.pgm"))
        self.work_in("elsewhere")
        write_picture(self.folder / "a.pgm", 60, 120, 90)
        self.assertIn("8 unchanged", self.update())
        self.assertIn("1 new, 0 changed, 0 moved, 0 gone", self.update("a.pgm"))
        self.assertIn("9 unchanged", self.update())
        self.assertEqual(self.listed()[:3], sorted(["a.pgm", f"{self.home}/b.pgm", f"{self.folder}/a.pgm"], key=str.encode)[:3])

    def test_relearning_dry_runs_and_groups_find_the_files(self):
        self.work_in("elsewhere")
        library = str(self.home / "p.bow")
        os.rename(self.photos / "p2.pgm", self.photos / "trip" / "there.pgm")
        done = self.run_program("index", "-o", library, "--dry-run")
        self.assertEqual(done.stdout, b"moved   photos/trip/there.pgm\n")
        self.update()
        self.assertIn("6 described", self.update("--relearn", "--words-k", "30", "--code-k", "8"))
        self.run_program("cluster", library, "--link", "links")
        targets = {os.readlink(path) for path in (self.folder / "links").rglob("*.pgm")}
        self.assertEqual(targets, {str(path) for path in self.photos.rglob("*.pgm")})


class Spellings(RootsTest):
    def test_one_folder_under_several_names_is_one_root(self):
        os.symlink("photos", self.home / "link")
        for path in ("photos/", "./photos", "trip/../photos", str(self.photos), "link", "photos/."):
            (self.home / "trip").mkdir(exist_ok=True)
            with self.subTest(path):
                self.assertIn("0 new, 0 changed, 0 moved, 0 gone, 0 back, 6 unchanged", self.index(path))
        self.assertEqual(self.roots(), [("photos", 6)])
        (self.home / "q.bow").unlink(missing_ok=True)
        self.index("--centroids", "models.bow", "./photos", "link", str(self.photos), library="q.bow")
        self.assertEqual([root["path"] for root in self.status(library="q.bow")["roots"]], ["./photos"])

    def test_a_folder_in_a_root_is_a_part_of_it(self):
        write_picture(self.photos / "trip" / "new.pgm", 70, 120, 90)
        write_picture(self.photos / "other.pgm", 71, 120, 90)
        os.unlink(self.photos / "trip" / "p1.pgm")
        os.unlink(self.photos / "p0.pgm")
        self.assertIn("1 new, 0 changed, 0 moved, 1 gone, 0 back, 2 unchanged", self.index("./photos/trip"))
        self.assertIn("1 new, 0 changed, 0 moved, 1 gone, 0 back, 5 unchanged", self.index("photos/trip", "photos"))
        self.assertEqual(self.roots(), [("photos", 6)])
        self.assert_as_fresh()

    def test_a_folder_around_a_root_leaves_it_its_files(self):
        self.index("--centroids", "models.bow", "photos/trip", library="q.bow")
        paths = self.paths(library="q.bow")
        write_picture(self.photos / "trip" / "new.pgm", 70, 120, 90)
        for _ in range(2):
            self.index("photos", library="q.bow")
            self.assertEqual([(root["path"], root["paths"]) for root in self.status(library="q.bow")["roots"]],
                             [("photos/trip", 4), ("photos", 3)])
        self.assertIn("7 unchanged", self.index(library="q.bow"))
        self.assertEqual(self.paths(library="q.bow"), sorted({*paths, "photos/trip/new.pgm", "photos/p0.pgm", "photos/p2.pgm",
                                                              "photos/p4.pgm"}))

    def test_a_link_to_a_root_adds_no_files(self):
        (self.home / "album").mkdir()
        write_picture(self.home / "album" / "q.pgm", 72, 120, 90)
        os.symlink(self.photos, self.home / "album" / "all")
        self.assertIn("1 new", self.index("album"))
        self.assertIn("0 gone, 0 back, 7 unchanged", self.index())

    def test_what_a_root_excludes_is_a_root_of_its_own(self):
        self.index("--centroids", "models.bow", "--exclude", "trip", "photos", library="q.bow")
        self.assertIn("3 new", self.index("photos/trip", library="q.bow"))
        for _ in range(2):
            self.assertIn("0 gone, 0 back, 6 unchanged", self.index(library="q.bow"))

    def test_named_files_are_those_of_their_root(self):
        self.assertIn("2 unchanged", self.index("photos/p0.pgm", str(self.photos / "trip" / "p1.pgm")))
        self.assertEqual(self.status()["paths"], 6)
        self.index("--centroids", "models.bow", "./photos/p0.pgm", "photos/trip/p1.pgm", "photos/p0.pgm", library="q.bow")
        self.assertIn("4 new, 0 changed, 0 moved, 0 gone, 0 back, 2 unchanged; 4 described", self.index("photos", library="q.bow"))
        self.assertEqual(self.paths(library="q.bow"), self.paths())
        self.assertEqual((self.status(library="q.bow")["paths"], self.status(library="q.bow")["images"]), (6, 6))


if __name__ == "__main__":
    unittest.main()
