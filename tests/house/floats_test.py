"""Code whose float results are a contract rounds every operation on its own: no fused multiply-add.

Such code sets the rounding of its threads (core/default_floats.hpp), or is compiled for each
generation of vector units (core/cpu_clones.hpp, Highway). Each such file has -ffp-contract=off in
lib/CMakeLists.txt, or stands here with what makes its results exact all the same.
"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".").resolve()

SENSITIVE = re.compile(r"\bDefaultFloats \w+;|^BOWHIST_FOR_EACH_CPU|foreach_target", re.M)
OTHERWISE_EXACT = {
    "screens, whose candidates are proven by the rule": [
        "assign/host/openmp_search.cpp", "assign/host/simd_search.cpp", "assign/host/simd/float_screen.cpp",
        "assign/host/simd/integer_screen.cpp", "group/product_screen.cpp"],
    "screens, whose candidates are scored in whole numbers": ["compare/block_screen.cpp"],
    "whole numbers": ["compare/code_products.cpp", "compare/word_sums.cpp"],
    "the state of a thread that calls others": [
        "assign/host/host_assigner.cpp", "assign/levels.cpp", "device/opencl.cpp", "group/device_neighbors.cpp",
        "train/shared_word_search.cpp", "train/tree_training.cpp"],
    "the state of a thread that calls OpenCL": [
        "extract/device/device_surf.cpp", "train/seeding.cpp", "train/device_word_search.cpp",
        "assign/device/device_assigner.cpp", "assign/device/device_nearest_words.cpp", "assign/device/device_screen.cpp",
        "pipeline/device_encoder.cpp"],
    "centroids rounded for matrix units, with a bound of their error": [
        "assign/device/matrix_centroids.cpp", "assign/device/wgmma_kernel.cpp"],
}


def uncontracted(text):
    """The files that CMake compiles so; of a pattern, those that match it."""
    variables = {name: pattern for name, pattern in re.findall(r"file\(GLOB (\w+) CONFIGURE_DEPENDS (\S+)\)", text)}
    names = []
    for files, options in re.findall(r"set_source_files_properties\(([^)]*?)\s+PROPERTIES COMPILE_OPTIONS \"([^\"]*)\"", text):
        if "-ffp-contract=off" in options.split(";"):
            names += files.split()
    found = set()
    for name in names:
        variable = re.fullmatch(r"\$\{(\w+)\}", name)
        found |= set((SOURCE / "lib").glob(variables[variable[1]])) if variable else {SOURCE / "lib" / name}
    return found


class Floats(unittest.TestCase):
    def test_no_file_that_must_round_is_left_out(self):
        listed = uncontracted((SOURCE / "lib/CMakeLists.txt").read_text())
        self.assertEqual([str(p) for p in listed if not p.is_file()], [])
        exact = {SOURCE / "lib/bowhist" / name for names in OTHERWISE_EXACT.values() for name in names}
        sensitive = {p for p in (SOURCE / "lib").rglob("*.cpp") if SENSITIVE.search(p.read_text())}
        self.assertEqual(sorted(map(str, sensitive - listed - exact)), [])
        self.assertEqual(sorted(map(str, exact - sensitive)), [])

    def test_a_file_that_is_left_out_is_noticed(self):
        text = (SOURCE / "lib/CMakeLists.txt").read_text()
        left = uncontracted(text) - uncontracted(text.replace("bowhist/core/weights.cpp", ""))
        self.assertEqual(left, {SOURCE / "lib/bowhist/core/weights.cpp"})


if __name__ == "__main__":
    unittest.main()
