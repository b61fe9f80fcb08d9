#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <catch2/catch.hpp>

#include <fstream>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("kernels: every file of cl/ is embedded, byte for byte") {
    std::size_t files = 0;
    for (const auto &entry : std::filesystem::directory_iterator(BOWHIST_SOURCE_FOLDER "/cl")) {
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        INFO(entry.path().filename());
        CHECK(embedded_kernels().at(entry.path().filename().string()) == text);
        ++files;
    }
    CHECK(files == embedded_kernels().size());
}

TEST_CASE("kernels: an include is replaced once, and lines keep their numbers") {
    const std::string source = kernel_source("gpu1.cl");
    CHECK(source.find("#include") == std::string::npos);
    CHECK(source.find("#line 1 \"screen.cl\"") != std::string::npos);
    const std::string text{embedded_kernels().at("gpu1.cl")};
    const auto line =
        1 + std::count(text.begin(),
                       text.begin() + static_cast<std::ptrdiff_t>(text.find("#include")), '\n');
    CHECK(source.find("#line " + std::to_string(line + 1) + " \"gpu1.cl\"") != std::string::npos);
}

TEST_CASE("kernels: a file of the user's stands in, and its faults are shown at its own lines") {
    const TemporaryFolder folder;
    dump_kernels(folder.path());
    std::string text{embedded_kernels().at("gpu1.cl")};
    const auto line = 1 + std::count(text.begin(), text.end(), '\n');
    std::ofstream(folder / "gpu1.cl") << text << "this is no OpenCL\n";
    Device device({.kernel_dir = folder.path()});
    CHECK_NOTHROW(device.kernel("gpu2.cl", "assign", "-DDIMENSIONS=64 -DGROUP=64"));
    try {
        device.kernel("gpu1.cl", "assign", "-DDIMENSIONS=64 -DGROUP=64");
        FAIL("it was built");
    } catch (const Error &error) {
        CHECK(error.fault == Fault::device);
        CHECK_THAT(error.what(), Catch::Contains("gpu1.cl"));
        // NVIDIA's compiler does not heed #line.
        if (device.info().platform.find("NVIDIA") == std::string::npos)
            CHECK_THAT(error.detail, Catch::Contains("gpu1.cl:" + std::to_string(line)));
        CHECK_FALSE(error.detail.empty());
    }
}
