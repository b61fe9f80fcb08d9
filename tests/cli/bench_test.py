"""bench: what its JSON lines say, what it refuses, and that a wrong result is no result."""
import json
import re
import unittest
import xml.etree.ElementTree

from program import ProgramTest, levels

KEYS = ["operation", "level", "device", "n", "k", "d", "median_seconds", "spread", "bytes_read", "bytes_written",
        "kernel_bytes", "operations", "gigabytes_per_second", "teraflops", "roof", "fraction_of_peak", "unproven",
        "mismatches"]


class Bench(ProgramTest):
    def prepare(self):
        # One operation of each kind of rows; tests/bench measures every operation.
        self.everything = self.bench("assign", "transpose", "gaussian", "convolve-5x5", "dense", "train-iteration", "search-words", "memory",
                                     "-n", "700", "-k", "40", "-d", "32")

    def bench(self, *arguments, status=0):
        """The rows of a small run."""
        done = self.run_program("bench", "--json", "--rounds", "2", *arguments, status=status)
        return [json.loads(line) for line in done.stdout.decode().splitlines()]

    def edit_kernel(self, name, right, wrong):
        """In the folder `mine`, which holds the others, too."""
        self.run_program("kernels", "--dump", "mine")
        path = self.folder / "mine" / name
        self.assertIn(right, path.read_text())
        path.write_text(path.read_text().replace(right, wrong))

    def test_the_textbook_s_predictions_stand_beside(self):
        operations = ("convolve-5x5", "convolve-9x9", "gaussian", "transpose")
        rows = {(row["operation"], row["level"]): row for row in self.bench(*operations, "-n", "64")}
        found = {name: row["predicted_operations_per_byte"] for name, row in rows.items()}
        for name, expected in ((("convolve-5x5", "basic"), 0.25), (("convolve-5x5", "constant"), 0.5),
                               (("convolve-5x5", "tiled_input"), 9.57), (("convolve-9x9", "tiled_input"), 22.78),
                               (("gaussian", "transposes"), 64 / (14 * 4))):
            self.assertAlmostEqual(found[name], expected, delta=0.005, msg=name)
        for name in (("convolve-5x5", "sliding"), ("gaussian", "turned"), ("transpose", "naive"), ("peak", "copy")):
            self.assertIsNone(found[name], name)
        self.assertEqual(rows["convolve-5x5", "tiled_input"]["operations_per_byte"], 6.25)
        table = self.run_program("bench", "convolve-9x9", "-n", "64", "--rounds", "1").stdout.decode().splitlines()
        heading = next(line for line in table if line.startswith("level"))
        line = next(line for line in table if line.startswith("tiled_input"))
        self.assertEqual(line[: heading.index("book's") + len("book's")].split()[-1], "22.78")

    def test_columns_stay_apart(self):
        table = self.run_program("bench", "surf", "-n", "10", "--rounds", "1").stdout.decode()
        self.assertIn("surf: pictures of up to", table)
        for level in ("halve", "place"):  # thousandths of a millisecond have the most digits
            self.assertRegex(table, rf"(?m)^{level} +64 +\S+ \(\S+ … \S+\) +\S+ ")

    def test_what_the_loops_ask_for_is_counted_from_the_launch(self):
        rows = {row["level"]: row for row in self.bench("convolve-5x5", "-n", "64")}  # a picture of 64 × 64
        pixels, weights = 64 * 64, 25
        floats = {"basic": pixels * (2 * weights + 1), "tiled_output": 4 * 36 * 36 + pixels * (weights + 1)}
        for level, expected in floats.items():
            self.assertEqual(rows[level]["kernel_bytes"], 4 * expected, level)
        if rows["tiled_input"]["predicted_operations_per_byte"] > 9:  # tiles of 32, which make 28: nine of them
            self.assertEqual(rows["tiled_input"]["kernel_bytes"], 4 * (9 * 32 * 32 + pixels * (weights + 1)))
        self.assertIsNone(rows["sliding"]["kernel_bytes"])

    def test_roofs_show_their_range_and_what_is_above_them_says_why(self):
        for row in self.everything:
            if row["roof"] is None:
                self.assertIsNone(row["roof_spread"])
                self.assertIsNone(row["above_roof"])
                continue
            least, most = row["roof_spread"]
            self.assertTrue(0 < least <= most)
            self.assertEqual(row["above_roof"] is not None, row["fraction_of_peak"] > 1, row)
            if row["level"] == "local1" and row["above_roof"]:
                self.assertRegex(row["above_roof"], "local memory|within the range")
        table = self.run_program("bench", "memory", "-n", "4096", "--rounds", "3").stdout.decode()
        self.assertRegex(table, r"copy \S+ .?B/s \(\S+ .? … \S+ .?\)")
        shares = re.findall(r"(\d+\.\d) % copy", table)
        self.assertEqual(any(float(share) > 100 for share in shares), "above 100 %: " in table)

    def test_the_keys_and_the_arithmetic(self):
        rows = self.everything
        self.assertLessEqual({"assign", "transpose", "memory"}, {row["operation"] for row in rows})
        self.assertEqual([row["level"] for row in rows if row["operation"] == "assign"], levels(everywhere=True))
        roofs = {}
        compared = 0
        for row in rows:
            self.assertEqual(list(row)[: len(KEYS)], KEYS)
            self.assertEqual(list(row), list(rows[0]))
            if row["median_seconds"] is None:
                continue
            seconds = row["median_seconds"]
            rate = (row["bytes_read"] + row["bytes_written"]) / seconds
            self.assertAlmostEqual(row["gigabytes_per_second"] / (rate / 1e9 or 1), 1 if rate else 0, places=9)
            self.assertAlmostEqual(row["teraflops"], row["operations"] / seconds / 1e12, places=9)
            self.assertLessEqual(row["spread"][0], seconds)
            self.assertGreaterEqual(row["spread"][1], seconds)
            if row["operation"] == "peak":
                roofs[row["device"], row["level"]] = rate if row["level"] == "copy" else row["operations"] / seconds
                self.assertIsNone(row["fraction_of_peak"])
                continue
            times = {"fma": row["operations"] / roofs[row["device"], "fma"],
                     "copy": (row["bytes_read"] + row["bytes_written"]) / roofs[row["device"], "copy"]}
            if row["roof"] in times:  # matrix units are not here
                self.assertEqual(row["roof"], max(times, key=times.get))
                self.assertAlmostEqual(row["fraction_of_peak"] * seconds / max(times.values()), 1, places=9)
                compared += 1
            self.assertEqual(row["mismatches"], 0)
        self.assertGreater(compared, len(levels()))

    def test_the_peak_counts_the_threads_that_there_are(self):
        def operations(threads, limit):
            done = self.run_program("bench", "assign", "--kernel", "serial", "-n", "10", "-k", "3", "-j", threads,
                                    "--rounds", "1", "--json", environment={"OMP_THREAD_LIMIT": limit})
            rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
            return next(row["operations"] for row in rows
                        if row["level"] == "fma" and row["device"].startswith("host"))
        alone = operations("1", "8")
        self.assertEqual(operations("3", "1"), alone)
        self.assertEqual(operations("3", "2"), 2 * alone)
        self.assertEqual(operations("3", "8"), 3 * alone)

    def test_lists_end_where_operations_begin(self):
        for arguments in (["-k", "3,5", "--kernel", "serial,gpu1", "assign"], ["-k", "3", "-k", "5", "assign", "--kernel", "serial,gpu1"],
                          ["assign", "--kernel=serial", "--kernel=gpu1", "-k3,5"]):
            rows = [row for row in self.bench("-n", "10", *arguments) if row["operation"] != "peak"]
            self.assertEqual([(row["level"], row["k"]) for row in rows],
                             [("serial", 3), ("gpu1", 3), ("serial", 5), ("gpu1", 5)], arguments)

    def test_near_ties_go_to_the_rule(self):
        rows = self.bench("assign", "-n", "5000", "-k", "64", "--kernel", "serial,openmp,gpu1")
        unproven = {row["level"]: row["unproven"] for row in rows if row["operation"] == "assign"}
        self.assertEqual(list(unproven), ["serial", "openmp", "gpu1"])
        self.assertEqual(unproven["serial"], 0)
        self.assertGreater(unproven["openmp"], 25, "a hundredth of 5000 rows is half-way between two words")
        self.assertLess(unproven["gpu1"], 100)

    def test_slow_levels_get_fewer_rows(self):
        rows = [row for row in self.bench("assign", "-k", "2000", "--kernel", "serial") if row["operation"] == "assign"]
        self.assertLess(rows[0]["n"], 65536)
        self.assertEqual(rows[0]["operations"], 2 * 64 * rows[0]["n"] * 2000)

    def test_real_descriptors_and_words(self):
        self.write_descriptors("d.npy", 100, dimensions=24)
        self.write_centroids("c.bin", k=9, dimensions=24)
        for words, k in ((["--centroids", "c.bin"], 9), (["-k", "50"], 50)):
            rows = self.bench("assign", "--data", "d.npy", *words, "-n", "250", "--kernel", "openmp,gpu2")
            rows = [row for row in rows if row["operation"] == "assign"]
            self.assertEqual([(row["n"], row["k"], row["d"], row["mismatches"]) for row in rows], [(250, k, 24, 0)] * 2)
        done = self.run_program("bench", "assign", "--data", "d.npy", "-k", "101", status=2)
        self.assert_one_line(done.stderr, "101", "100")
        done = self.run_program("bench", "--data", "d.npy", "-d", "24", status=2)
        self.assert_one_line(done.stderr, "-d", "--data")
        done = self.run_program("bench", "--centroids", "c.bin", "-k", "9", status=2)
        self.assert_one_line(done.stderr, "-k", "--centroids")
        self.write_descriptors("wide.npy", 10)
        done = self.run_program("bench", "--data", "wide.npy", "--centroids", "c.bin", status=3)
        self.assert_one_line(done.stderr, "wide.npy", "64", "24")

    def test_a_level_that_cannot_says_why(self):
        rows = self.bench("assign", "-n", "64", "-k", "3", "-d", "66", "--kernel", "gpu3,gpu4")
        by_level = {row["level"]: row for row in rows if row["operation"] == "assign"}
        self.assertIn("multiples of 4", by_level["gpu3"]["unsupported"])
        self.assertIsNone(by_level["gpu3"]["median_seconds"])
        self.assertIsNone(by_level["gpu4"]["unsupported"])
        text = self.run_program("bench", "assign", "-n", "64", "-k", "3", "-d", "66", "--kernel", "gpu3").stdout.decode()
        self.assertIn("unsupported, because it takes dimensions that are multiples of 4", text)

    def test_work_groups_are_swept(self):
        rows = self.bench("assign", "-n", "300", "-k", "5", "--kernel", "gpu4,openmp", "--local-size", "8,64,1000000")
        found = [(row["level"], row["local_size"], row["unsupported"] is None) for row in rows if row["operation"] == "assign"]
        self.assertEqual(found, [("openmp", None, True), ("gpu4", 8, True), ("gpu4", 64, True), ("gpu4", 1000000, False)])

    def test_groups_that_a_compute_unit_holds(self):
        arguments = ["assign", "-n", "300", "-k", "5", "-d", "256", "--kernel", "gpu1,gpu4,openmp", "--local-size", "8,64"]
        rows = {(row["level"], row["local_size"]): row["resident_groups"] for row in self.bench(*arguments)}
        self.assertEqual(rows["gpu1", 8], 8 * rows["gpu1", 64])
        local = json.loads(self.run_program("devices", "--json").stdout)[0]["local_memory_bytes"]
        for size in (8, 64):  # a descriptor of 1 KiB for each work-item
            self.assertEqual(rows["gpu4", size], min(rows["gpu1", size], local // (1024 * size)))
        self.assertIsNone(rows["openmp", None])
        table = self.run_program("bench", "--rounds", "1", *arguments).stdout.decode()
        self.assertIn(f"at once: gpu1 /8 {rows['gpu1', 8]}, gpu1 /64 {rows['gpu1', 64]}, gpu4 /8 {rows['gpu4', 8]}", table)

    def test_megapixels_stand_beside_their_prediction(self):
        rows = self.bench("gaussian", "gaussian-columns", "transpose-byte", "-n", "64")
        copy = next(row["gigabytes_per_second"] for row in rows if row["level"] == "copy" and not row["device"].startswith("host"))
        for row in rows:
            if row["operation"] == "gaussian-columns":  # peaks are measured with each operation
                self.assertGreater(row["predicted_megapixels_per_second"], 0)
            elif row["operation"] == "gaussian":
                floats = 14 if row["level"].startswith("transposes") else 10
                self.assertAlmostEqual(row["predicted_megapixels_per_second"] * 4e-3 * floats / copy, 1, places=9)
                self.assertAlmostEqual(row["megapixels_per_second"] * row["median_seconds"] * 1e6 / (row["n"] * row["d"]), 1, places=9)
            else:
                self.assertIsNone(row["predicted_megapixels_per_second"])
        table = self.run_program("bench", "gaussian", "-n", "64", "--rounds", "1").stdout.decode()
        self.assertRegex(table, r"megapixels/s \(predicted by the copy peak\): rows \S+ \(\S+\), rows4 ")

    def test_sizes_are_those_asked_for(self):
        rows = self.bench("convolve-5x5", "-n", "500", "--side", "50", "--tile", "8,16")
        levels = [row["level"] for row in rows if row["operation"] == "convolve-5x5"]
        self.assertEqual(levels, ["basic", "constant", "tiled_input8", "tiled_input16", "tiled_output", "cached8", "cached16", "sliding"])
        self.assertEqual({row["d"] for row in rows if row["operation"] != "peak"}, {50})
        for option, operation, value in (("--side", "memory", "16"), ("--side", "assign", "16"), ("--tile", "gaussian", "16"),
                                         ("--local-size", "integral", "16"), ("--local-size", "train-iteration", "16"),
                                         ("--kernel", "surf", "gpu1"), ("--data", "dense", "d.npy"), ("--centroids", "scan-rows", "c.bin")):
            done = self.run_program("bench", operation, option, value, status=2)
            self.assert_one_line(done.stderr, option + " is for ", "not for " + operation)
        self.assert_one_line(self.run_program("bench", "--side", "0", status=2).stderr, "--side")
        self.assert_one_line(self.run_program("bench", "--tile", "8,x", status=2).stderr, "--tile")

    def test_without_a_device_the_host_is_measured(self):
        rows = [json.loads(line) for line in self.run_program(
            "bench", "--json", "-n", "100", "-k", "9", "--rounds", "1", environment={"OCL_ICD_VENDORS": str(self.folder)},
        ).stdout.decode().splitlines()]
        by_level = {row["level"]: row for row in rows}
        self.assertIsNotNone(by_level["openmp"]["median_seconds"])
        self.assertIn("no OpenCL device", by_level["gpu1"]["unsupported"])
        self.assertIn("no OpenCL device", by_level["tiled"]["unsupported"])
        self.assertIn("no OpenCL device", by_level["greedy-device"]["unsupported"])
        for level in ("greedy-host", "update-host"):
            self.assertIsNotNone(by_level[level]["median_seconds"], level)
        on_host = {row["operation"] for row in rows if row["level"] == "host-threads" and row["median_seconds"]}
        self.assertEqual(on_host, {"scan-vector", "histogram256", "dense", "surf"})

    def test_a_wrong_word_is_no_result(self):
        self.edit_kernel("gpu1.cl", "distance, pass.first + j)", "1000 - distance, pass.first + j)")
        done = self.run_program("bench", "assign", "--json", "-n", "500", "--rounds", "1", "--kernel", "gpu1",
                                "--kernel-dir", "mine", status=3)
        self.assert_one_line(done.stderr, "gpu1", "wrong", "repair the kernel")
        rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
        self.assertGreater(rows[-1]["mismatches"], 400)

    def test_a_kernel_that_does_not_build_is_a_row_that_says_so(self):
        self.run_program("kernels", "--dump", "mine")
        (self.folder / "mine/gpu1.cl").write_text("nonsense\n")
        rows = self.bench("assign", "-n", "100", "--kernel", "gpu1,gpu2", "--kernel-dir", "mine",
                          status=3)
        by_level = {row["level"]: row for row in rows}
        self.assertRegex(by_level["gpu1"]["error"], r"gpu1.cl does not build.*gpu1.cl:\d+")
        self.assertIsNotNone(by_level["gpu2"]["median_seconds"])

    def test_bad_input(self):
        for arguments, word in ((["-k", "0"], "-k"), (["-n", "0"], "-n"), (["-d", "0"], "-d"), (["--rounds", "0"], "--rounds"),
                                (["-k", "3,x"], "-k"), (["nonsense"], "assign"), (["--kernel", "gpu99"], "gpu99"),
                                (["--local-size", "0"], "--local-size"), (["--plot", "a.png"], "a.png")):
            done = self.run_program("bench", *arguments, status=2)
            self.assert_one_line(done.stderr, word)
            self.assertEqual(done.stdout, b"", arguments)
        self.assert_one_line(self.run_program("bench", "--data", "none.npy", status=3).stderr, "none.npy")
        self.assert_one_line(self.run_program("bench", "--device", "no such", status=3).stderr, "no such")

    def test_more_words_than_rows(self):
        rows = self.bench("assign", "-n", "5", "-k", "100", "--kernel", "serial,gpu5")
        self.assertEqual([row["mismatches"] for row in rows if row["operation"] == "assign"], [0, 0])

    def test_a_training_takes_no_more_words_than_descriptors(self):
        for operation in ("train-start", "train-iteration"):
            rows = [row for row in self.bench(operation, "-n", "5", "-k", "6,5") if row["operation"] == operation]
            self.assertEqual({row["unsupported"] for row in rows if row["k"] == 6}, {"there are fewer descriptors than words"})
            found = [(row["n"], row["mismatches"]) for row in rows if row["k"] == 5 and not row["unsupported"]]
            self.assertEqual(set(found), {(5, 0)})

    def test_the_plot_is_xml(self):
        self.run_program("bench", "assign", "-n", "200", "-k", "4,9", "--rounds", "1", "--plot", "a.svg")
        root = xml.etree.ElementTree.parse(self.folder / "a.svg").getroot()
        words = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
        for level in levels():
            self.assertEqual(words.count(level), 2, level)
        self.assertIn("assign, k = 9, d = 64", words)
        self.run_program("bench", "transpose", "-n", "200", "--rounds", "1", "--plot", "a.html")
        done = self.run_program("bench", "transpose", "-n", "200", "--rounds", "1", "--plot", "none/a.svg", status=3)
        self.assert_one_line(done.stderr, "none/a.svg", "make its folder first")
        self.assertEqual(done.stdout, b"")  # nothing was measured
        self.assertIn("<svg", (self.folder / "a.html").read_text())


if __name__ == "__main__":
    unittest.main()
