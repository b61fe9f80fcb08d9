#include "tests/pictures/drawn_headers.hpp"
#include "tests/pictures/make_pictures.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/pictures/picture_header.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <string>

using namespace bowhist;

namespace {

/// What OpenCV makes of the file; empty when it refuses it.
cv::Mat decoded(const std::string &file) {
    try {
        return cv::imdecode(std::vector<std::uint8_t>(file.begin(), file.end()),
                            cv::IMREAD_UNCHANGED);
    } catch (const cv::Exception &) {
        return {};
    }
}

bool is_refused(const PictureHeader &header) {
    return !header.flaw.empty() || !header.complete || header.width == 0 || header.height == 0;
}

/// A header tells the size that is decoded and no fewer bytes, or it is refused.
void check_sizes(std::string (*draw)(std::mt19937 &), int rounds) {
    std::mt19937 random(3);
    int told = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::string file = draw(random);
        const auto header = read_picture_header(file);
        if (!header || is_refused(*header)) continue;
        const cv::Mat picture = decoded(file);
        if (picture.empty()) continue;
        ++told;
        INFO("round " << round);
        const auto [shorter, longer] =
            std::minmax(header->width, header->height); // it may be turned
        REQUIRE(std::min(picture.cols, picture.rows) == static_cast<int>(shorter));
        REQUIRE(std::max(picture.cols, picture.rows) == static_cast<int>(longer));
        REQUIRE(picture.total() * picture.elemSize() <= header->decoder_bytes);
    }
    CHECK(told > rounds / 10);
}

/// The one line that the file is refused with, without the path.
std::string refusal(const std::string &file) {
    const TemporaryFolder folder;
    const auto path = save(folder / "x", file);
    try {
        read_picture(path);
        return "read";
    } catch (const Error &error) {
        return std::string(error.what()).substr(path.native().size() + 2);
    }
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

TEST_CASE("pictures: A header that decoders read in different ways is refused by name") {
    CHECK(refusal(grey_tiff({{256, 3, 1, 30}, {257, 3, 1, 20}})) == "read");
    CHECK_THAT(refusal(grey_tiff({{256, 3, 1, 30000}, {256, 3, 1, 30}, {257, 3, 1, 20}})),
               Catch::StartsWith("a TIFF that gives its size or layout twice; "));
    CHECK(refusal(grey_tiff({{256, 16, 1, 30}, {257, 4, 1, 20}}, true)) == "read");
    CHECK_THAT(refusal(grey_tiff({{256, 16, 1, 30}, {257, 3, 1, 20}})),
               Catch::StartsWith("a TIFF whose size or layout is no "));
    const std::string pixels(1000, '0');
    CHECK(refusal("P5 30 #17\n20 255\n" + pixels) == "read");
    CHECK_THAT(refusal("P5 30#17\n20 255\n" + pixels),
               Catch::StartsWith("a PNM with a # right behind a number; "));
}

TEST_CASE("pictures: A TIFF's header tells the size that is decoded, or is refused") {
    check_sizes(draw_tiff, 3000);
}

TEST_CASE("pictures: A PNM's header tells the size that is decoded, or is refused") {
    check_sizes(draw_pnm, 3000);
}
