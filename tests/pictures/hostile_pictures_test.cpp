#include "tests/pictures/drawn_headers.hpp"
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/codecs/codecs.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace bowhist;
namespace fs = std::filesystem;
using namespace bowhist::testing;

// BOWHIST_TEST_DATA names a folder of images, BOWHIST_TEST_HOSTILE one of hostile files
// (tests/run.sh sets both). Below either, a MANIFEST.tsv (path with \xHH escapes, what it is, what
// to expect: "decodes WxH", "clear error", ...) is held to.

namespace {

std::vector<fs::path> test_folders() {
    std::vector<fs::path> folders;
    for (const char *name : {"BOWHIST_TEST_DATA", "BOWHIST_TEST_HOSTILE"}) {
        const char *folder = std::getenv(name);
        if (folder != nullptr && *folder != '\0')
            folders.emplace_back(folder);
        else
            WARN("skipped: " << name << " names no folder");
    }
    return folders;
}

std::vector<fs::path> files_below(const fs::path &folder) {
    std::vector<fs::path> files;
    for (const auto &entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
}

/// "WxH", or "error".
std::string outcome(const fs::path &path) {
    try {
        const auto image = read_image(path, {.max_side = 0});
        CHECK(image.pixels.size() == static_cast<std::size_t>(image.width) * image.height);
        return std::to_string(image.width) + "x" + std::to_string(image.height);
    } catch (const Error &error) {
        CHECK(error.fault == Fault::input);
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        return "error";
    }
}

std::string unescaped(const std::string &text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape = text.compare(i, 2, "\\x") == 0 && i + 3 < text.size();
        result +=
            is_escape ? static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16)) : text[i];
        if (is_escape) i += 3;
    }
    return result;
}

void check_manifest(const fs::path &manifest) {
    const std::string decodes = "decodes ";
    std::ifstream lines(manifest, std::ios::binary);
    std::string line;
    while (std::getline(lines, line)) {
        std::istringstream columns(line);
        std::string path;
        std::string what;
        std::string expected;
        std::getline(columns, path, '\t');
        std::getline(columns, what, '\t');
        std::getline(columns, expected, '\t');
        if (!expected.starts_with(decodes)) continue;
        INFO(line);
        CHECK(outcome(manifest.parent_path() / unescaped(path)) == expected.substr(decodes.size()));
    }
}

bool is_refused(const ImageHeader &header) {
    return !header.flaw.empty() || !header.complete || header.width == 0 || header.height == 0;
}

/// The size that is decoded; nothing where the decoder refuses the file.
std::optional<cv::Size> decoded_size(const ImageHeader &header, std::string file) {
    try {
        const Raster image = codecs().decode({header, file}, Color::grey, 0).image;
        return cv::Size(image.width, image.height);
    } catch (const Error &) {
        return std::nullopt;
    }
}

/// A header gives the size that is decoded and no fewer bytes, or it is refused.
void check_sizes(std::string (*draw)(std::mt19937 &), int rounds) {
    std::mt19937 random(3);
    int compared = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::string file = draw(random);
        const auto header = read_image_header(file);
        if (!header || is_refused(*header)) continue;
        const auto size = decoded_size(*header, file);
        if (!size) continue;
        ++compared;
        INFO("round " << round);
        REQUIRE(size->width == static_cast<int>(header->width));
        REQUIRE(size->height == static_cast<int>(header->height));
        REQUIRE(header->width * header->height <= header->decoder_bytes);
    }
    CHECK(compared > rounds / 10);
}

std::string refusal_of(const std::string &file) {
    const TemporaryFolder folder;
    return refusal(save(folder / "x", file));
}

/// A grey TIFF of those entries and 8 bits a sample, in one strip.
std::string grey_tiff(std::vector<TiffEntry> entries, bool is_big = false) {
    for (const TiffEntry &more : {TiffEntry{258, 3, 1, 8},
                                  {259, 3, 1, 1},
                                  {262, 3, 1, 1},
                                  {273, 4, 1, TiffWriter::pixels_at},
                                  {277, 3, 1, 1},
                                  {278, 3, 1, 100},
                                  {279, 4, 1, TiffWriter::pixel_bytes}})
        entries.push_back(more);
    return TiffWriter(true, is_big).write(entries, 8);
}

} // namespace

TEST_CASE("pictures: Real and hostile files decode or are refused in one line") {
    for (const auto &folder : test_folders())
        for (const auto &path : files_below(folder)) {
            INFO(path);
            CHECK_FALSE(outcome(path).empty());
        }
}

TEST_CASE("pictures: What the test data's manifest says decodes, decodes to that size") {
    for (const auto &folder : test_folders())
        for (const auto &path : files_below(folder))
            if (path.filename() == "MANIFEST.tsv") check_manifest(path);
}

TEST_CASE("pictures: A header that decoders read in different ways is refused by name") {
    CHECK(refusal_of(grey_tiff({{256, 3, 1, 30}, {257, 3, 1, 20}})).empty());
    CHECK_THAT(refusal_of(grey_tiff({{256, 3, 1, 30000}, {256, 3, 1, 30}, {257, 3, 1, 20}})),
               Catch::StartsWith("a TIFF that gives its size or layout twice; "));
    CHECK(refusal_of(grey_tiff({{256, 16, 1, 30}, {257, 4, 1, 20}}, true)).empty());
    CHECK_THAT(refusal_of(grey_tiff({{256, 16, 1, 30}, {257, 3, 1, 20}})),
               Catch::StartsWith("a TIFF whose size or layout is no "));
    const std::string pixels(1000, '0');
    CHECK(refusal_of("P5 30 #17\n20 255\n" + pixels).empty());
    CHECK_THAT(refusal_of("P5 30#17\n20 255\n" + pixels),
               Catch::StartsWith("a PNM with a # right behind a number; "));
}

TEST_CASE("pictures: A TIFF's header gives the size that is decoded, or is refused") {
    check_sizes(draw_tiff, 3000);
}

TEST_CASE("pictures: A PNM's header gives the size that is decoded, or is refused") {
    check_sizes(draw_pnm, 3000);
}
