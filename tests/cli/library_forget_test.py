"""`index --forget` deletes nothing that a disk which is not mounted would explain."""
import os
import shutil
import unittest

from library_test import LibraryTest
from program import write_picture


class Forget(LibraryTest):
    def setUp(self):
        super().setUp()
        (self.photos / "disk" / "2019").mkdir(parents=True)
        for i in range(2):
            write_picture(self.photos / "disk" / "2019" / f"d{i}.pgm", 10 + i, 120, 90)
        self.make()

    def unmount(self, folder):
        """What a disk held is away, and the folder where it was mounted is empty."""
        folder.rename(self.folder / "disk away")
        folder.mkdir()

    def refused(self, *words, arguments=("--forget",)):
        self.run_program("cluster", "p.bow")
        before = self.status()["images"] + self.status()["gone"]
        for arguments_ in (arguments, ("--dry-run", *arguments), arguments):  # a second run knows what the first found
            said = self.run_program("index", "-o", "p.bow", "--kernel", "simd", *arguments_, status=3).stderr.decode()
            for word in (*words, "--yes"):
                self.assertIn(word, said)
        status = self.status()
        self.assertEqual(status["images"] + status["gone"], before)
        self.assertEqual(self.sql("SELECT count(*) FROM members"), [(8,)])
        self.assert_alone()

    def test_an_empty_disk_below_a_folder(self):
        self.unmount(self.photos / "disk")
        self.refused("photos/disk:", "2 pictures")
        shutil.rmtree(self.photos / "disk")
        (self.folder / "disk away").rename(self.photos / "disk")
        self.assertIn("2 back", self.index("--forget"))
        self.assertEqual(self.status()["images"], 8)

    def test_a_stray_file_changes_nothing(self):
        self.unmount(self.photos / "disk")
        (self.photos / "disk" / "readme.txt").write_text("mount here")
        self.refused("photos/disk:")

    def test_a_stray_picture_changes_nothing(self):
        self.unmount(self.photos / "disk")
        write_picture(self.photos / "disk" / "stray.pgm", 77, 120, 90)
        self.index()
        self.run_program("cluster", "p.bow")
        before = self.status()["gone"]
        self.assertIn("photos/disk:", self.index("--forget", status=3))
        self.assertEqual(self.status()["gone"], before)

    def test_a_root_with_a_stray_file(self):
        self.unmount(self.photos)
        (self.photos / "readme.txt").write_text("mount here")
        self.refused("photos:", "8 pictures")

    def test_a_root_that_went_later(self):
        self.unmount(self.photos)
        (self.photos / "readme.txt").write_text("mount here")
        self.index()
        shutil.rmtree(self.photos)
        said = self.index("--forget", status=3)
        self.assertIn("photos:", said)
        self.assertEqual(self.status()["gone"], 8)

    def test_a_link_to_a_disk_that_is_away(self):
        (self.photos / "disk").rename(self.folder / "mounted")
        os.symlink("../mounted", self.photos / "disk")
        self.index()
        (self.folder / "mounted").rename(self.folder / "away")
        self.refused("photos/disk:")

    def test_more_than_half_of_all(self):
        for path in (*self.photos.glob("p*.pgm"), *self.photos.glob("trip/p[13].pgm")):
            path.unlink()
        write_picture(self.photos / "p0.pgm", 0, 120, 90)
        (self.photos / "disk" / "2019" / "d0.pgm").unlink()
        self.refused("5 of 8 pictures", "more than half")

    def test_relearning_forgets_no_disk_either(self):
        self.unmount(self.photos / "disk")
        self.index()
        before = self.export()
        said = self.index("--relearn", "--words-k", "30", "--code-k", "8", status=3)
        self.assertIn("photos/disk:", said)
        self.assertEqual(self.export(), before)
        self.index("--relearn", "--words-k", "30", "--code-k", "8", "--yes")
        self.assertEqual(self.status()["gone"], 0)

    def test_what_was_deleted_is_forgotten(self):
        shutil.rmtree(self.photos / "disk")
        (self.photos / "trip" / "p1.pgm").unlink()
        self.assertIn("3 forgotten", self.index("--forget"))
        self.assertEqual(self.status()["gone"], 0)

    def test_yes_forgets_all_the_same(self):
        self.unmount(self.photos / "disk")
        self.assertIn("2 forgotten", self.index("--forget", "--yes"))
        self.assertEqual((self.status()["images"], self.status()["gone"]), (6, 0))

    def test_yes_is_about_forgetting(self):
        self.assertIn("--forget", self.index("--yes", status=2))


if __name__ == "__main__":
    unittest.main()
