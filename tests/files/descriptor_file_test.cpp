#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

#include "tests/files/sidecars.hpp"
#include "tests/support/temporary_folder.hpp"

#include <limits>

using namespace bowhist;

TEST_CASE("files: descriptors read back from each format") {
    for (const std::size_t count : {0, 1, 63, 64, 65, 1000}) {
        for (const char *name : {"x.npy", "x.NPY", "x.npz", "x.fvecs", "x.fbin"}) {
            const TemporaryFolder folder;
            const Descriptors written{64, checks::numbered(count * 64)};
            write_descriptors(folder / name, written);
            CHECK(checks::names_in(folder.path()) == std::set<std::string>{name});
            const Descriptors read = read_descriptors(folder / name);
            CHECK(read.values == written.values);
            CHECK(read.size() == count);
            // a .fvecs file without rows is empty and has no D
            const bool has_dimensions = count > 0 || std::string(name) != "x.fvecs";
            CHECK(read.dimensions == (has_dimensions ? 64 : 0));
        }
    }
}

TEST_CASE("files: descriptors without rows and without dimensions are fine too") {
    const TemporaryFolder folder;
    for (const char *name : {"x.npy", "x.npz", "x.fvecs", "x.fbin"}) {
        write_descriptors(folder / name, {});
        CHECK(read_descriptors(folder / name).size() == 0);
    }
}

TEST_CASE("files: endings of descriptor files") {
    CHECK(is_descriptor_file("a/x.npy"));
    CHECK(is_descriptor_file("x.FVecs"));
    CHECK(is_descriptor_file("x.fbin"));
    CHECK(is_descriptor_file("x.npz"));
    CHECK_FALSE(is_descriptor_file("npy"));
    const TemporaryFolder folder;
    const auto text = folder / "x.txt";
    checks::require_error(Fault::input, text, {"No such file"}, [&] { read_descriptors(text); });
    checks::write_bytes(text, "text");
    checks::require_error(Fault::input, text, {".npy, .npz, .fvecs or .fbin", "'.txt'"},
                          [&] { read_descriptors(text); });
    checks::require_error(Fault::usage, "x.txt", {".npy, .npz, .fvecs or .fbin", "'.txt'"},
                          [] { write_descriptors("x.txt", {}); });
}

TEST_CASE("files: wrong descriptors are the input's fault, with their row") {
    const TemporaryFolder folder;
    Descriptors descriptors{4, checks::numbered(80)};
    descriptors.values[71] = std::numeric_limits<float>::infinity();
    for (const char *name : {"x.npz", "x.npy", "x.fvecs", "x.fbin"}) {
        write_descriptors(folder / name, descriptors);
        checks::require_error(Fault::input, (folder / name).string(), {"row 17", "infinity"},
                              [&] { read_descriptors(folder / name); });
        if (name == std::string("x.npz")) continue; // its damages have a test of their own
        std::filesystem::resize_file(folder / name, 101);
        checks::require_error(Fault::input, (folder / name).string(), {"promises"},
                              [&] { read_descriptors(folder / name); });
    }
    checks::require_error(Fault::input, (folder / "no.npy").string(), {"No such file"},
                          [&] { read_descriptors(folder / "no.npy"); });
}

TEST_CASE("files: what is left of descriptors that were cut is counted") {
    const TemporaryFolder folder;
    const auto refuse = [&](const char *name, const std::vector<std::string> &parts) {
        for (const Fault fault : {Fault::input, Fault::vocabulary})
            checks::require_error(fault, (folder / name).string(), parts, [&] {
                if (fault == Fault::input)
                    read_descriptors(folder / name);
                else
                    read_vocabulary(folder / name);
            });
    };
    const Descriptors whole{16, checks::numbered(1000 * 16)};
    const auto write_fbin = [&](std::uint64_t bytes) {
        write_descriptors(folder / "x.fbin", whole);
        std::filesystem::resize_file(folder / "x.fbin", bytes);
    };
    // also where there are as many bytes as there were numbers, or twice as many
    for (const std::uint64_t rows : {1, 10, 250, 500, 999}) {
        write_fbin(8 + rows * 64);
        refuse("x.fbin", {"promises 1000 rows of 16 floats",
                          "holds " + std::to_string(rows) + " whole rows", "[0] = "});
        write_fbin(8 + rows * 64 + 12);
        refuse("x.fbin", {"holds " + std::to_string(rows) + " whole rows and 12 bytes", "cut off"});
    }
    write_fbin(8 + 1000 * 64 + 5);
    refuse("x.fbin", {"5 bytes follow the last row"});
    write_descriptors(folder / "x.fvecs", whole);
    std::filesystem::resize_file(folder / "x.fvecs", 68 * 77 + 30);
    refuse("x.fvecs", {"77 whole rows and 30 bytes", "truncate -s 5236"});
}

TEST_CASE("files: arrays that are no table of floats say what they are") {
    const TemporaryFolder folder;
    checks::write_bytes(folder / "x.npy", npy_header("|O", {3}) + "\x80\4.");
    checks::require_error(Fault::input, (folder / "x.npy").string(), {"Python objects", "stack"},
                          [&] { read_descriptors(folder / "x.npy"); });
}

TEST_CASE("files: an .npz of descriptors keeps what is known of them") {
    const TemporaryFolder folder;
    const auto file = folder / "x.npz";
    const DescriptorSidecar sidecar{"a\n\xff\xc3\xa4.jpg",
                                    {.extractor = "kaze", .threshold = 0.1, .max_side = 1024}};
    for (const std::size_t count : {0, 1, 65}) {
        Descriptors written{3, checks::numbered(count * 3)};
        for (std::size_t i = 0; i < count; ++i) {
            const auto x = static_cast<float>(i);
            written.keypoints.push_back({x, x + 0.5F, 2, -x, 1 / (x + 1)});
        }
        write_descriptors(file, written, sidecar);
        CHECK(checks::names_in(folder.path()) == std::set<std::string>{"x.npz"});
        const SavedDescriptors read = load_descriptors(file);
        CHECK(read.descriptors.values == written.values);
        CHECK(read.descriptors.keypoints == written.keypoints);
        REQUIRE(read.sidecar);
        CHECK(read.sidecar->image == sidecar.image);
        CHECK(read.sidecar->recipe == sidecar.recipe);
    }
    // without the entry its sidecar may lie beside it, as for the others
    write_descriptors(file, {3, checks::numbered(9)});
    CHECK_FALSE(load_descriptors(file).sidecar);
    CHECK(load_descriptors(file).descriptors.keypoints.empty());
    checks::write_sidecar(file, sidecar);
    CHECK(load_descriptors(file).sidecar->image == sidecar.image);
}

TEST_CASE("files: rows stay as they are where their sidecar cannot be written") {
    for (const char *name : {"x.npy", "x.fvecs", "x.fbin"}) {
        const TemporaryFolder folder;
        write_descriptors(folder / name, {2, {1, 2, 3, 4}});
        const std::string before = checks::read_bytes(folder / name);
        std::filesystem::create_directory(sidecar_path(folder / name));
        checks::require_error(Fault::output, sidecar_path(folder / name).string(), {"directory"},
                              [&] {
                                  write_descriptors(folder / name, {2, {5, 6}},
                                                    DescriptorSidecar{"p.jpg", Recipe::imported()});
                              });
        CHECK(checks::read_bytes(folder / name) == before);
    }
}

TEST_CASE("files: a damaged .npz of descriptors is the input's fault") {
    const TemporaryFolder folder;
    const auto file = folder / "x.npz";
    Descriptors descriptors{2, {1, 2, 3, 4}, {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}};
    write_descriptors(file, descriptors);
    const std::string whole = checks::read_bytes(file);
    const auto refuse = [&](const std::vector<std::string> &parts) {
        checks::require_error(Fault::input, file.string(), parts, [&] { read_descriptors(file); });
    };
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{200}, whole.size() - 1}) {
        checks::write_bytes(file, whole.substr(0, bytes));
        refuse({"zip archive"});
    }
    std::string flipped = whole;
    flipped[whole.find("NUMPY") + 130] ^= 1; // in the first value
    checks::write_bytes(file, flipped);
    refuse({"descriptors.npy", "damaged"});
    descriptors.keypoints[1].scale = std::numeric_limits<float>::quiet_NaN();
    write_descriptors(file, descriptors);
    refuse({"keypoints.npy", "row 1 holds NaN"});
}
