"""Whatever a device allows of work-groups, the bytes are the same, or a line says what it lacks.

PoCL takes its largest group from POCL_MAX_WORK_GROUP_SIZE; a device of another implementation has its own.
"""
import unittest

from program import ProgramTest, write_picture


class SmallGroups(ProgramTest):
    def setUp(self):
        super().setUp()
        write_picture(self.folder / "a.pgm", 1, 160, 130)

    def allow(self, items):
        return {"POCL_MAX_WORK_GROUP_SIZE": str(items)}

    def written(self, *call, environment):
        self.run_program(*call, "-q", "-o", "out.csv", environment=environment)
        return (self.folder / "out.csv").read_bytes()

    def is_smaller_than(self, items):
        """Whether the device has taken the limit from the environment."""
        return f"at most {items} " in self.run_program("devices", environment=self.allow(items)).stdout.decode()

    def test_levels(self):
        self.run_program("train", "-q", "-k", "20", "--iterations", "1", "-o", "c.bin", "a.pgm")
        expected = self.written("--centroids", "c.bin", "--kernel", "simd", "a.pgm", environment={})
        for items in (4, 16, 100):
            for level in ("gpu1", "gpu4", "gpu5", "gpu6", "auto"):
                with self.subTest(items=items, level=level):
                    call = ("--centroids", "c.bin", "--kernel", level, "a.pgm")
                    if items < 8 and level in ("gpu4", "gpu5") and self.is_smaller_than(items):
                        done = self.run_program(*call, "-q", environment=self.allow(items), status=3)
                        self.assert_one_line(done.stderr, level, "groups of 8", "allows 4", "--kernel")
                    else:
                        self.assertEqual(self.written(*call, environment=self.allow(items)), expected)

    def test_operations(self):
        def filtered(environment):
            self.run_program("filter", "-q", "a.pgm", "-o", "f.pgm", "--equalize", "--blur", "2", "--filter", "box:5",
                             "--histogram", "h.npy", "--integral", "s.npy", environment=environment)
            return [(self.folder / name).read_bytes() for name in ("f.pgm", "h.npy", "s.npy")]

        expected = filtered({})
        for items in (1, 16, 100):
            with self.subTest(items=items):
                self.assertEqual(filtered(self.allow(items)), expected)

    def test_every_row_of_a_bench_is_measured_or_says_what_it_takes(self):
        # Rows of a training on a device are the ones with the largest groups.
        done = self.run_program("bench", "train-iteration", "--json", "-n", "2000", "-k", "20", "--rounds", "1", "--kernel",
                                "openmp,gpu6", environment=self.allow(16))
        self.assertNotIn(b"failed", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
