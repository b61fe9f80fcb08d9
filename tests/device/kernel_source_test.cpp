#include "tests/files/checks.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace bowhist;
using namespace bowhist::testing;
using namespace checks;

TEST_CASE("kernels: every file of cl/ is embedded, byte for byte") {
    std::size_t files = 0;
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(BOWHIST_SOURCE_FOLDER "/cl")) {
        if (entry.is_directory()) continue;
        INFO(entry.path().filename());
        CHECK(embedded_kernels().at(entry.path().filename().string()) == read_bytes(entry.path()));
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

TEST_CASE("kernels: a header of the user's is refused where the library was built with another") {
    const TemporaryFolder folder;
    dump_kernels(folder.path());
    CHECK(kernel_source("gpu1.cl", folder.path()) == kernel_source("gpu1.cl"));
    std::ofstream(folder / "assign_launch.h", std::ios::app) << "// mine\n";
    require_error(Fault::device, "", {"assign_launch.h: differs"},
                  [&] { kernel_source("gpu1.cl", folder.path()); });
}

TEST_CASE("kernels: a header of the user's own may be included") {
    const TemporaryFolder folder;
    std::ofstream(folder / "gpu1.cl") << "#include \"mine.h\"\n";
    std::ofstream(folder / "mine.h") << "// mine\n";
    CHECK_THAT(kernel_source("gpu1.cl", folder.path()), Catch::Contains("// mine"));
    std::filesystem::remove(folder / "mine.h");
    require_error(Fault::device, "mine.h: there is no such kernel file", {},
                  [&] { kernel_source("gpu1.cl", folder.path()); });
}

TEST_CASE("kernels: a file of the user's that cannot be read is an error, a missing one is none") {
    const TemporaryFolder folder;
    CHECK(kernel_source("gpu1.cl", folder.path()) == kernel_source("gpu1.cl"));
    const auto refuse = [&](const std::string &reason) {
        require_error(Fault::device, (folder / "gpu1.cl").string() + ": ", {reason},
                      [&] { kernel_source("gpu1.cl", folder.path()); });
    };
    std::filesystem::create_directory(folder / "gpu1.cl");
    refuse("no regular file");
    std::filesystem::remove(folder / "gpu1.cl");
    REQUIRE(::mkfifo((folder / "gpu1.cl").c_str(), 0600) == 0);
    refuse("no regular file");
    std::filesystem::remove(folder / "gpu1.cl");
    std::filesystem::create_symlink("nowhere", folder / "gpu1.cl");
    refuse("No such file");
    std::filesystem::remove(folder / "gpu1.cl");
    std::filesystem::create_symlink("gpu1.cl", folder / "gpu1.cl");
    refuse("symbolic links");
    if (::geteuid() == 0) return; // root can read every file
    std::filesystem::remove(folder / "gpu1.cl");
    std::ofstream(folder / "gpu1.cl") << "kernel";
    std::filesystem::permissions(folder / "gpu1.cl", std::filesystem::perms::none);
    refuse("Permission denied");
}

TEST_CASE("kernels: a folder without any kernel file is wrong usage") {
    const TemporaryFolder folder;
    std::ofstream(folder / "mine.cl") << "kernel";
    for (const auto &wrong : {folder.path(), folder / "missing", folder / "mine.cl"}) {
        require_error(Fault::usage, wrong.string() + ": holds none",
                      {"--dump " + wrong.string() + "`"}, [&] { check_kernel_dir(wrong); });
    }
    require_error(Fault::usage, "a\\nb: ", {}, [] { check_kernel_dir("a\nb"); });
    std::ofstream(folder / "screen.cl") << "kernel";
    CHECK_NOTHROW(check_kernel_dir(folder.path()));
    CHECK_NOTHROW(check_kernel_dir({}));
}

TEST_CASE("kernels: a dump overwrites no edited file") {
    const TemporaryFolder folder;
    const auto target = folder / "new/folder";
    dump_kernels(target);
    CHECK(names_in(target).size() == embedded_kernels().size());
    CHECK(read_bytes(target / "gpu1.cl") == embedded_kernels().at("gpu1.cl"));
    CHECK_NOTHROW(dump_kernels(target)); // the same files

    // the last one differs: none of those before it is written either
    const std::string last = embedded_kernels().rbegin()->first;
    std::ofstream(target / last) << "mine";
    std::filesystem::remove(target / "gpu1.cl");
    require_error(Fault::output, (target / last).string() + ": exists and differs",
                  {"another folder"}, [&] { dump_kernels(target); });
    CHECK(read_bytes(target / last) == "mine");
    CHECK_FALSE(std::filesystem::exists(target / "gpu1.cl"));
}

TEST_CASE("kernels: a dump that fails tells the reason and leaves nothing behind") {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "x";
    const auto refuse = [&](const char *below, const char *reason) {
        require_error(Fault::output, (folder / below).string(), {reason},
                      [&] { dump_kernels(folder / below); });
    };
    refuse("file", "Not a directory");
    refuse("file/below", "Not a directory");
    std::filesystem::create_directories(folder / "k/gpu1.cl");
    refuse("k", "gpu1.cl: is no regular file");
    CHECK(names_in(folder / "k").size() == 1);
    if (::geteuid() == 0) return; // root can write everywhere
    std::filesystem::create_directory(folder / "locked");
    std::filesystem::permissions(folder / "locked", std::filesystem::perms::owner_read |
                                                        std::filesystem::perms::owner_exec);
    refuse("locked", "Permission denied");
}
