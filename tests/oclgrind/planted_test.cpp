// Faulty kernels, to see oclgrind find them (tests/oclgrind/clean_test.py). Hidden: on other
// devices their behaviour is undefined.
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace bowhist;

namespace {

/// Runs a kernel of that text on eight work-items and a buffer of four numbers.
void run_planted(const std::string &body) {
    const TemporaryFolder folder;
    std::ofstream(folder / "transpose_naive.cl")
        << "kernel void planted(global uint *numbers) {" << body << "}\n";
    Device device({.kernel_dir = folder.path()});
    Kernel kernel = device.kernel("transpose_naive.cl", "planted");
    device.launch(kernel, {8, 1}, {4, 1}, device.allocate<std::uint32_t>(4));
    device.take_launches();
}

} // namespace

TEST_CASE("oclgrind finds: beyond the end", "[.]") {
    run_planted("numbers[get_global_id(0)] = 0;");
}

TEST_CASE("oclgrind finds: data race", "[.]") {
    run_planted("numbers[0] += get_global_id(0);");
}
