#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/formats/filter_file.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/histograms/words_file.hpp>

using namespace bowhist;
using Shape = std::vector<std::uint64_t>;

namespace {

NpyHeader read_header(const std::filesystem::path &path) {
    InputFile file(path, Fault::input);
    return read_npy_header(file);
}

std::uint64_t values_in(const std::filesystem::path &path, std::uint64_t bytes_per_value) {
    InputFile file(path, Fault::input);
    const NpyHeader header = read_npy_header(file);
    return npy_value_count(file, header, bytes_per_value);
}

} // namespace

TEST_CASE("files: .npy headers have one size and read back") {
    const TemporaryFolder folder;
    constexpr std::uint64_t largest = ~std::uint64_t{0};
    for (const Shape &shape :
         {Shape{}, Shape{0}, Shape{7}, Shape{1000, 64}, Shape{largest, largest}}) {
        const std::string header = npy_header("<U2147483647", shape);
        REQUIRE(header.size() == npy_header_bytes);
        CHECK(header.back() == '\n');
        checks::write_bytes(folder / "x.npy", header);
        const NpyHeader read = read_header(folder / "x.npy");
        CHECK(read.type == "<U2147483647");
        CHECK(read.shape == shape);
        CHECK_FALSE(read.fortran_order);
    }
}

TEST_CASE("files: .npy headers as others write them") {
    const TemporaryFolder folder;
    const std::string text = "{\"shape\":(3L,64L),\"descr\" : '<f4','fortran_order':True}\n";
    const auto length = static_cast<std::uint32_t>(text.size());
    for (const char version : {'\x02', '\x03'}) {
        checks::write_bytes(folder / "x.npy", "\x93NUMPY" + std::string{version, '\0'} +
                                                  checks::bytes(length) + text);
        const NpyHeader read = read_header(folder / "x.npy");
        CHECK(read.type == "<f4");
        CHECK(read.shape == Shape{3, 64});
        CHECK(read.fortran_order);
    }
}

TEST_CASE("files: dictionaries that are none") {
    CHECK(parse_npy_dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"));
    for (const char *wrong :
         {"", "{", "{}", "{'descr': '<f4', 'fortran_order': False}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (3,",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x",
          "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
          "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}",
          "{'descr': '<f4, 'fortran_order': False, 'shape': (3,)}",
          "{'descr' '<f4', 'fortran_order': 0, 'shape': (3,)}"}) {
        INFO(wrong);
        CHECK_FALSE(parse_npy_dictionary(wrong));
    }
    std::string deep = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    for (int i = 0; i < 33; ++i) deep += "1,";
    CHECK_FALSE(parse_npy_dictionary(deep + ")}"));
}

TEST_CASE("files: damaged .npy files say what is wrong") {
    const TemporaryFolder folder;
    const auto path = folder / "x.npy";
    const std::string good = npy_header("<f4", {2, 3}) + std::string(24, '\0');
    const checks::Refuse refuse{Fault::input, path, [](const auto &file) { values_in(file, 4); }};
    checks::write_bytes(path, good);
    CHECK(values_in(path, 4) == 6);
    refuse("", {"no .npy file", "too short"});
    refuse("\x89PNG and more than ten", {"no .npy file", "NUMPY"});
    refuse("\x93NUMPY" + std::string("\x04\0\x10\0", 4), {"1.0, 2.0 or 3.0", "found 4.0"});
    refuse(good.substr(0, 100), {"promises 118 bytes", "90 follow"});
    refuse("\x93NUMPY" + std::string("\x02\0\xff\xff\xff\xff{}", 8), {"promises 4294967295"});
    refuse("\x93NUMPY" + std::string("\x02\0\xff\xff", 4), {"ends too early"});
    refuse("\x93NUMPY" + std::string("\x01\0\x03\0a\nb", 7), {"expected a header", "found a\\nb"});
    refuse(good.substr(0, good.size() - 1), {"'<f4' of shape (2, 3)", "24 bytes", "23 follow"});
    refuse(good + "x", {"24 bytes", "25 follow"});
    refuse(npy_header("<f4", {1ULL << 32, 1ULL << 32}), {"more than 2^64"});
    refuse(npy_header("<f4", {1ULL << 62}), {"more than 2^64"});
    refuse(npy_header("<f4", {1ULL << 40}), {"4398046511104 bytes, but 0 follow"});
    refuse(good + good, {"'<f4' of shape (2, 3)", "more follows", "begins at byte 152"});
    std::string fields = npy_header("<f4", {4});
    fields.replace(fields.find("'<f4'"), 5, "[('a', '<f4')]");
    refuse(fields.erase(fields.rfind(' '), 1).insert(127, "\n").substr(0, 128),
           {"records with named fields", "'a'"});
}

TEST_CASE("files: random damage to a .npy header is refused or harmless") {
    const TemporaryFolder folder;
    const std::string good = npy_header("<f4", {2, 3}) + std::string(24, '\0');
    checks::require_harmless_damage(Fault::input, folder / "x.npy", good, [](const auto &path) {
        const auto values = values_in(path, 4);
        REQUIRE(values == 6);
    });
}

TEST_CASE("files: words are one row of int32") {
    for (const std::size_t count : {0, 1, 63, 64, 65, 1000}) {
        const TemporaryFolder folder;
        std::vector<std::int32_t> words(count);
        for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<std::int32_t>(i * 7919);
        WordsFile file(folder / "words.npy");
        file.write(std::span(words).first(count / 2));
        file.write(std::span(words).subspan(count / 2));
        CHECK_FALSE(std::filesystem::exists(folder / "words.npy"));
        file.finish();
        InputFile read(folder / "words.npy", Fault::input);
        const NpyHeader header = read_npy_header(read);
        CHECK(header.type == "<i4");
        CHECK(header.shape == Shape{count});
        CHECK(read_values<std::int32_t>(read, count) == words);
        CHECK(read.remaining() == 0);
    }
}

TEST_CASE("files: a filter's file reads whatever separates its numbers") {
    const TemporaryFolder folder;
    const Filter expected{3, 1, {-1, 0.5F, 2e-3F}};
    for (const char *text :
         {"-1 0.5 2e-3", "-1 0.5 2e-3\n", "# a comment\n\n-1,0.5,\t+2e-3 # another\r\n\n",
          "  -1 , 0.5 , .002  \n"}) {
        INFO(text);
        checks::write_bytes(folder / "f.txt", text);
        CHECK(read_filter(folder / "f.txt") == expected);
    }
    checks::write_bytes(folder / "f.txt", "1 2 3\n4 5 6\n7 8 9\n10 11 12\n13 14 15\n");
    CHECK(read_filter(folder / "f.txt").height == 5);
    CHECK(read_filter(folder / "f.txt").weights[5] == 6);
}

TEST_CASE("files: what is no filter is said, with what was found") {
    const TemporaryFolder folder;
    const checks::Refuse refused{Fault::usage, folder / "f.txt", read_filter};
    refused("", {"0x0"});
    refused("# nothing\n", {"0x0"});
    refused("1 2\n3 4\n", {"2x2", "odd", "1 to 31"});
    refused("1 2 3\n4 5 6\n", {"3x2"});
    refused("1 2 3\n\n4 5\n7 8 9\n", {"line 3", "2 numbers", "have 3"});
    refused("1 2 three\n", {"line 1", "three"});
    refused("1 2 3e\n", {"3e"});
    refused("1 2 nan\n", {"not finite"});
    refused("1 2 1e99\n", {"1e99"});
    refused("1\x01", {"\\x01"});
    std::string wide;
    for (int i = 0; i < 33; ++i) wide += "1 ";
    refused(wide, {"33x1", "1 to 31"});
    refused(std::string(2 << 20, ' '), {"961"});
    checks::require_error(Fault::usage, (folder / "none").string(), {},
                          [&] { read_filter(folder / "none"); });
    checks::require_error(Fault::usage, folder.path().string(), {},
                          [&] { read_filter(folder.path()); });
}
