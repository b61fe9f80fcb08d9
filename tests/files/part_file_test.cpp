#include <bowhist/tables/parts/part_file.hpp>

#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace bowhist;

namespace {

const std::vector<Histogram> histograms = {{"a,\xff.jpg", 3, {0, 2, 0, 1}},
                                           {"", 0, {0, 0, 0, 0}},
                                           {"b", 4294967295U, {4294967295U, 0, 0, 0}},
                                           {"c", 130, {1, 128, 0, 1}}};

void write_part(const std::filesystem::path &path) {
    PartWriter part(path, "head");
    const auto writer = histograms_into(part);
    for (const Histogram &row : histograms) writer->write(row);
    part.finish("end");
}

/// Reads all of it. @return its histograms
std::vector<Histogram> read_part(const std::filesystem::path &path) {
    PartReader part(path);
    std::vector<Histogram> rows;
    for (std::string row; part.next(row);) rows.push_back(histogram_in(row, 4, part.file()));
    CHECK(part.head() == "head");
    CHECK(part.end() == "end");
    return rows;
}

void write_bytes(const std::filesystem::path &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace

TEST_CASE("parts: histograms come back as they were") {
    const TemporaryFolder folder;
    write_part(folder / "h.part");
    const auto rows = read_part(folder / "h.part");
    REQUIRE(rows.size() == histograms.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i].image == histograms[i].image);
        CHECK(rows[i].descriptors == histograms[i].descriptors);
        CHECK(rows[i].counts == histograms[i].counts);
    }
    CHECK(is_part(folder / "h.part"));
}

TEST_CASE("parts: every changed byte and every cut is found") {
    const TemporaryFolder folder;
    write_part(folder / "h.part");
    const std::string whole = checks::read_bytes(folder / "h.part");
    const auto path = folder / "damaged.part";
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 4);
        write_bytes(path, damaged);
        CHECK_THROWS_AS(read_part(path), Error);
        write_bytes(path, whole.substr(0, i));
        CHECK_THROWS_AS(read_part(path), Error);
    }
    write_bytes(path, whole + "x");
    CHECK_THROWS_AS(read_part(path), Error);
}

TEST_CASE("parts: rows that do not fit what their head says are refused") {
    const TemporaryFolder folder;
    write_part(folder / "h.part");
    PartReader part(folder / "h.part");
    std::string row;
    REQUIRE(part.next(row));
    CHECK_NOTHROW(histogram_in(row, 4, part.file()));
    CHECK_THROWS_AS(histogram_in(row, 3, part.file()), Error);
    CHECK_THROWS_AS(row_in(row,
                           {.size = 2,
                            .codes = false,
                            .encoding = "",
                            .fingerprint = "",
                            .extractor = "",
                            .preparation = ""},
                           part.file()),
                    Error);
    CHECK_THROWS_AS(words_in("abc", part.file()), Error);
    CHECK_THROWS_AS(histogram_in("abc", 4, part.file()), Error);
}
