#include <bowhist/tables/descriptor_file.hpp>

#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <limits>

using namespace bowhist;

TEST_CASE("files: descriptors read back from each format") {
    for (const std::size_t count : {0, 1, 63, 64, 65, 1000}) {
        for (const char *name : {"x.npy", "x.NPY", "x.fvecs", "x.fbin"}) {
            const TemporaryFolder folder;
            const Descriptors written{64, checks::numbered(count * 64)};
            write_descriptors(folder / name, written);
            CHECK(checks::names_in(folder.path()) == std::set<std::string>{name});
            const Descriptors read = read_descriptors(folder / name);
            CHECK(read.values == written.values);
            CHECK(read.size() == count);
            // a .fvecs file without rows is empty and tells no D
            const bool tells_dimensions = count > 0 || std::string(name) != "x.fvecs";
            CHECK(read.dimensions == (tells_dimensions ? 64 : 0));
        }
    }
}

TEST_CASE("files: descriptors without rows and without dimensions are fine too") {
    const TemporaryFolder folder;
    for (const char *name : {"x.npy", "x.fvecs", "x.fbin"}) {
        write_descriptors(folder / name, {});
        CHECK(read_descriptors(folder / name).size() == 0);
    }
}

TEST_CASE("files: endings of descriptor files") {
    CHECK(is_descriptor_file("a/x.npy"));
    CHECK(is_descriptor_file("x.FVecs"));
    CHECK(is_descriptor_file("x.fbin"));
    CHECK_FALSE(is_descriptor_file("x.npz"));
    CHECK_FALSE(is_descriptor_file("npy"));
    checks::require_error(Fault::input, "x.txt", {".npy, .fvecs or .fbin", "'.txt'"},
                          [] { read_descriptors("x.txt"); });
    checks::require_error(Fault::usage, "x.txt", {".npy, .fvecs or .fbin", "'.txt'"},
                          [] { write_descriptors("x.txt", {}); });
}

TEST_CASE("files: wrong descriptors are the input's fault, with their row") {
    const TemporaryFolder folder;
    Descriptors descriptors{4, checks::numbered(80)};
    descriptors.values[71] = std::numeric_limits<float>::infinity();
    for (const char *name : {"x.npy", "x.fvecs", "x.fbin"}) {
        write_descriptors(folder / name, descriptors);
        checks::require_error(Fault::input, (folder / name).string(), {"row 17", "infinity"},
                              [&] { read_descriptors(folder / name); });
        std::filesystem::resize_file(folder / name, 101);
        checks::require_error(Fault::input, (folder / name).string(), {"promises"},
                              [&] { read_descriptors(folder / name); });
    }
    checks::require_error(Fault::input, (folder / "no.npy").string(), {"No such file"},
                          [&] { read_descriptors(folder / "no.npy"); });
}
