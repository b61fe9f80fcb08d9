#include "tests/pictures/make_pictures.hpp"
#include "tests/pictures/make_tiffs.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/header/image_traits.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bowhist;
using namespace bowhist::testing;
using namespace std::string_literals;

namespace {

std::string refusal_of(const std::string &bytes) {
    const TemporaryFolder folder;
    return refusal(save(folder / "x.tif", bytes));
}

constexpr unsigned subfile_type = 254;
constexpr unsigned sub_directories = 330;
constexpr double reduced = 1;
constexpr double page = 2;
constexpr double mask = 4;

/// A page that is all of one grey, 0 to 255, so that it is known again.
std::vector<TiffTag> flat(TiffMaker &maker, int width, int grey, double subfile) {
    auto tags = maker.page(cv::Mat(width / 2, width, CV_64F, cv::Scalar(grey)));
    tags.push_back({subfile_type, 4, {subfile}});
    return tags;
}

/// The grey and width of the page that is shown: of a chain of pages.
struct Shown {
    int width;
    int grey;
    bool operator==(const Shown &) const = default;
};

Shown shown(const std::string &bytes) {
    const cv::Mat image = read_bytes(bytes);
    return {image.cols, image.at<std::uint8_t>(0, 0)};
}

struct Page {
    int width;
    int grey;
    double subfile;
};

/// The pages in that order, in a chain.
std::string chain(const std::vector<Page> &pages, bool is_little = true, bool is_big = false) {
    TiffMaker maker(is_little, is_big);
    std::uint64_t next = 0;
    for (auto i = pages.rbegin(); i != pages.rend(); ++i)
        next = maker.add_directory(flat(maker, i->width, i->grey, i->subfile), next);
    return maker.file(next);
}

} // namespace

TEST_CASE("tiff pages: A reduced page gives way to the full one") {
    for (const bool is_little : {true, false})
        for (const bool is_big : {true, false}) {
            const auto of = [&](const std::vector<Page> &pages) {
                return shown(chain(pages, is_little, is_big));
            };
            CHECK(of({{20, 10, reduced}, {80, 200, 0}}) == Shown{80, 200});
            CHECK(of({{20, 10, reduced}, {40, 20, reduced}, {80, 200, 0}}) == Shown{80, 200});
            CHECK(of({{80, 200, 0}, {40, 20, reduced}}) == Shown{80, 200});
            CHECK(of({{80, 10, mask}, {80, 200, 0}}) == Shown{80, 200});
            CHECK(of({{20, 10, reduced + page}, {80, 200, page}}) == Shown{80, 200});
        }
}

TEST_CASE("tiff pages: Many pages show the first, reduced ones alone the largest") {
    CHECK(shown(chain({{40, 20, page}, {80, 200, page}})) == Shown{40, 20});
    CHECK(shown(chain({{40, 20, 0}, {80, 200, 0}})) == Shown{40, 20});
    CHECK(shown(chain({{20, 10, reduced}, {60, 30, reduced}, {40, 20, reduced}})) == Shown{60, 30});
    CHECK(shown(chain(std::vector<Page>(400, {20, 10, page}))) == Shown{20, 10});
}

TEST_CASE("tiff pages: The old tag of a reduced page counts, too") {
    TiffMaker maker;
    const auto full = maker.add_directory(flat(maker, 80, 200, 0));
    auto tags = maker.page(cv::Mat(10, 20, CV_64F, cv::Scalar(10)));
    tags.push_back({255, 3, {2}});
    CHECK(shown(maker.file(maker.add_directory(tags, full))) == Shown{80, 200});
}

TEST_CASE("tiff pages: The full page may lie in a sub-directory, before the next page") {
    for (const bool is_big : {false, true})
        for (const unsigned type : {4U, 13U}) {
            TiffMaker maker(false, is_big);
            const auto small = maker.add_directory(flat(maker, 40, 20, reduced));
            const auto full = maker.add_directory(flat(maker, 80, 200, 0));
            const auto second = maker.add_directory(flat(maker, 90, 90, page));
            auto first = flat(maker, 20, 10, reduced);
            first.push_back({sub_directories, type, {double(small), double(full)}});
            CHECK(shown(maker.file(maker.add_directory(first, second))) == Shown{80, 200});
        }
}

TEST_CASE("tiff pages: The chosen page stands as its own tags ask, and is held to the limits") {
    TiffMaker maker;
    const cv::Mat photo = make_photo(48, 30);
    auto full = maker.page(tiff_samples(photo, 257), {.bits = 16});
    full.push_back({274, 3, {6}});
    const auto next = maker.add_directory(full);
    auto small = flat(maker, 20, 10, reduced);
    small.push_back({274, 3, {3}});
    const auto bytes = maker.file(maker.add_directory(small, next));
    CHECK(same(read_bytes(bytes), turned(grey_of(photo), 6)));
    const TemporaryFolder folder;
    CHECK_THAT(refusal(save(folder / "x", bytes), {.max_pixels = 1000}),
               Catch::StartsWith("48x30 pixels, more than the limit"));
}

TEST_CASE("tiff pages: Chains that lead nowhere or in a circle end") {
    TiffMaker loop;
    const auto first = loop.add_directory(flat(loop, 20, 10, reduced), 0);
    auto bytes = loop.file(first);
    bytes.replace(bytes.size() - 4, 4, bytes.substr(4, 4)); // the next one is itself
    CHECK(shown(bytes) == Shown{20, 10});
    bytes.replace(bytes.size() - 4, 4, "\xFF\xFF\xFF\x7F");
    CHECK(shown(bytes) == Shown{20, 10});

    TiffMaker nested; // each page lists all that were made before
    std::vector<double> offsets;
    for (int i = 0; i < 100; ++i) {
        auto tags = flat(nested, 20, 10, reduced);
        if (!offsets.empty()) tags.push_back({sub_directories, 4, offsets});
        offsets.push_back(double(nested.add_directory(tags)));
    }
    CHECK(shown(nested.file(std::uint64_t(offsets.back()))) == Shown{20, 10});

    TiffMaker huge;
    auto tags = flat(huge, 20, 10, reduced);
    tags.push_back({sub_directories, 4, {8, 8}});
    auto many = huge.file(huge.add_directory(tags));
    const auto entry = many.find("\x4A\x01\x04\0\x02\0\0\0"s);
    REQUIRE(entry != std::string::npos);
    many.replace(entry + 4, 4, "\xFF\xFF\xFF\xFF");
    CHECK(shown(many) == Shown{20, 10});
}

TEST_CASE("tiff pages: No more than a thousand offsets are followed") {
    const auto width_behind = [](std::size_t offsets) {
        TiffMaker maker;
        const auto small = maker.add_directory(flat(maker, 20, 10, reduced));
        const auto full = maker.add_directory(flat(maker, 80, 200, 0));
        std::vector<double> below(offsets, double(small)); // a million of them would take seconds
        below.push_back(double(full));
        auto tags = flat(maker, 20, 10, reduced);
        tags.push_back({sub_directories, 4, below});
        return read_image_header(maker.file(maker.add_directory(tags)))->width;
    };
    CHECK(width_behind(1000) == 80);
    CHECK(width_behind(1'000'000) == 20);
}

namespace {

/// As cameras write them: a preview that every decoder reads, and the sensor's samples below it.
struct RawFile {
    const char *make;
    const char *kind; ///< in the message
    double photometric = 32803;
    double compression = 1;
    double preview_subfile = reduced;
    bool in_chain = false; ///< the sensor's samples are the next page, in no sub-directory
};

std::string raw_file(const RawFile &kind, bool is_little, bool is_big = false) {
    TiffMaker maker(is_little, is_big);
    auto sensor = maker.page(cv::Mat(40, 60, CV_64F, cv::Scalar(1000)), {.bits = 16});
    for (TiffTag &tag : sensor) {
        if (tag.tag == 262) tag.values = {kind.photometric};
        if (tag.tag == 259) tag.values = {kind.compression};
    }
    const auto below = maker.add_directory(sensor);
    auto preview = flat(maker, 20, 10, kind.preview_subfile);
    const std::string make = kind.make;
    if (!make.empty())
        preview.push_back(
            {271, 2, std::vector<double>(make.c_str(), make.c_str() + make.size() + 1)});
    if (!kind.in_chain) preview.push_back({sub_directories, 4, {double(below)}});
    return maker.file(maker.add_directory(preview, kind.in_chain ? below : 0));
}

} // namespace

TEST_CASE("raw files: They are named by their content, not read as their previews") {
    const RawFile kinds[] = {{"NIKON CORPORATION", "(NEF)"},
                             {"NIKON CORPORATION", "(NEF)", 1, 34713},
                             {"NIKON", "(NEF)", 32803, 34713, 0},
                             {"SONY", "(ARW)", 32803, 32767},
                             {"SONY", "(ARW)", 32803, 7},
                             {"PENTAX", "(PEF)", 32803, 65535, 0, true},
                             {"OLYMPUS IMAGING CORP.", "(ORF)"},
                             {"SAMSUNG", "(SRW)", 32803, 32770},
                             {"Hasselblad", "(3FR)", 32803, 1},
                             {"Phase One A/S", "(IIQ)"},
                             {"SEIKO EPSON CORP.", "(ERF)", 32803, 32769},
                             {"EASTMAN KODAK COMPANY", "(DCR)", 1, 65000},
                             {"Leaf", "(MOS)"},
                             {"Canon", "(CR2)", 32803, 6, 0, true},
                             {"", "of a camera", 34892}};
    for (const RawFile &kind : kinds)
        for (const bool is_little : {true, false}) {
            INFO(kind.make << ", compression " << kind.compression);
            const auto line = refusal_of(raw_file(kind, is_little));
            CHECK_THAT(line, Catch::StartsWith("a raw file ") && Catch::Contains(kind.kind) &&
                                 Catch::Contains("export it as JPEG"));
        }
    CHECK_THAT(refusal_of(raw_file(kinds[0], true, true)), Catch::StartsWith("a raw file"));
}

TEST_CASE("raw files: A DNG is known by its version, a CR2 and an IIQ by their first bytes") {
    TiffMaker dng;
    auto tags = flat(dng, 40, 10, 0);
    tags.push_back({50706, 1, {1, 4, 0, 0}});
    CHECK_THAT(refusal_of(dng.file(dng.add_directory(tags))),
               Catch::StartsWith("a raw file (DNG), "));

    for (const auto &[mark, kind] : {std::pair{"CR\2\0\0\0\0\0"s, "(CR2)"},
                                     {"\xBA\xB0\xAC\xBB\0\0\0\0"s, "(CR2)"},
                                     {"IIII\4waR"s, "(IIQ)"}}) {
        TiffMaker maker;
        maker.add(mark); // at 8
        CHECK_THAT(refusal_of(maker.file(maker.add_directory(flat(maker, 40, 10, 0)))),
                   Catch::Contains(kind));
    }
}

TEST_CASE("raw files: A photo that names its camera is no raw file") {
    TiffMaker maker;
    auto tags = flat(maker, 40, 73, 0); // its first pixels are "IIII"
    const std::string make = "NIKON CORPORATION";
    tags.push_back({271, 2, std::vector<double>(make.c_str(), make.c_str() + make.size() + 1)});
    CHECK(shown(maker.file(maker.add_directory(tags))) == Shown{40, 73});
}

TEST_CASE(
    "tiff: Full pages are counted, more of them than are looked at for the one that is shown") {
    for (const bool is_little : {false, true})
        for (const bool is_big : {false, true}) {
            CHECK(frame_count(chain({{16, 1, 0}}, is_little, is_big)) == 1);
            CHECK(frame_count(chain({{16, 1, page}, {8, 2, reduced}, {16, 3, page}, {16, 4, mask}},
                                    is_little, is_big)) == 2);
            CHECK(frame_count(chain({{16, 1, reduced}}, is_little, is_big)) == 1);
        }
    CHECK(frame_count(chain(std::vector<Page>(700, {4, 1, page}))) == 700);
}

TEST_CASE("tiff pages: All full pages are read, each in its own size") {
    const TemporaryFolder folder;
    for (const bool is_little : {true, false})
        for (const bool is_big : {true, false})
            for (const Isolation isolation : {Isolation::always, Isolation::never}) {
                const auto path = save(folder / "x.tif", chain({{20, 10, reduced},
                                                                {80, 200, page},
                                                                {40, 20, page},
                                                                {80, 9, mask},
                                                                {16, 90, 0}},
                                                               is_little, is_big));
                const auto read = read_frames(path, {.isolation = isolation});
                REQUIRE(read.size() == 3);
                for (const auto &[i, expected] :
                     {std::pair(0, Shown{80, 200}), {1, Shown{40, 20}}, {2, Shown{16, 90}}})
                    CHECK(Shown{read[i].width, read[i].pixels.front()} == expected);
                CHECK(read.front().pixels == read_image(path).pixels);
                CHECK(read_frames(path, {}, 2).size() == 2);
                CHECK_THROWS_WITH(read_frames(path, {.max_pixels = 3200}),
                                  Catch::Contains("3 frames or pages of 4128 pixels"));
            }
    const auto reduced_alone =
        save(folder / "y.tif", chain({{20, 10, reduced}, {60, 30, reduced}}));
    const auto read = read_frames(reduced_alone);
    REQUIRE(read.size() == 1);
    CHECK(read.front().width == 60);
}

TEST_CASE("tiff pages: Each page is turned as its own tag says") {
    const TemporaryFolder folder;
    TiffMaker maker;
    const cv::Mat pixels = grey_of(make_photo(30, 20));
    std::uint64_t next = 0;
    for (const int orientation : {8, 6, 3, 1}) {
        auto tags = maker.page(tiff_samples(pixels));
        tags.push_back({274, 3, {double(orientation)}});
        next = maker.add_directory(tags, next);
    }
    const auto read = read_frames(save(folder / "x.tif", maker.file(next)));
    REQUIRE(read.size() == 4);
    const int orientations[] = {1, 3, 6, 8};
    for (std::size_t i = 0; i < read.size(); ++i)
        CHECK(same(matrix_of(read[i]), turned(pixels, orientations[i])));
}

TEST_CASE("tiff pages: A damaged later page is refused where all are read") {
    const TemporaryFolder folder;
    TiffMaker maker;
    auto broken = flat(maker, 30, 9, page);
    for (TiffTag &tag : broken)
        if (tag.tag == 273) tag.values = {1e6}; // beyond the file
    const auto second = maker.add_directory(broken);
    const auto path =
        save(folder / "x.tif", maker.file(maker.add_directory(flat(maker, 40, 7, page), second)));
    CHECK(read_image(path).width == 40);
    CHECK_THROWS_AS(read_frames(path), Error);
    CHECK(read_frames(path, {}, 1).size() == 1);
}
