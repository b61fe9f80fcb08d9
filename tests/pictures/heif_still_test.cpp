#include "tests/pictures/make_heif_grid.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// An item beside those of a libheif's file. One with data has that of item 1.
struct ExtraItem {
    int id;
    std::string type;
    bool is_hidden = false;
    bool has_data = true;
    bool is_gain_map = false;
};

struct ItemReference {
    std::string type;
    int from;
    std::vector<int> to;
};

std::string iref_box(const std::vector<ItemReference> &references, int version) {
    const int bytes = version == 0 ? 2 : 4;
    std::string boxes;
    for (const auto &[type, from, to] : references) {
        auto ids = big_endian(from, bytes) + big_endian(to.size(), 2);
        for (const int id : to) ids += big_endian(id, bytes);
        boxes += box(type, ids);
    }
    return full_box("iref", boxes, version);
}

/// The file with more items, other references, and more boxes in its meta, which then comes last.
std::string with_items(std::string file, const std::vector<ExtraItem> &extras,
                       const std::string &iref, const std::string &more = "") {
    const auto infos = box_in(file, "iinf");
    const auto places = box_in(file, "iloc");
    const auto properties = box_in(file, "ipco");
    const auto owners = box_in(file, "ipma");
    const auto own = static_cast<unsigned char>(infos[13]);
    std::string more_infos;
    std::string more_places;
    std::string more_owners;
    int with_data = 0;
    int images = 0;
    const auto properties_of_1 = owners.substr(18, static_cast<unsigned char>(owners[18]) + 1U);
    int last = 0; // the new auxC is the last property
    for (std::size_t at = 8; at < properties.size(); ++last)
        at += static_cast<unsigned char>(properties[at + 2]) << 8 |
              static_cast<unsigned char>(properties[at + 3]);
    for (const ExtraItem &item : extras) {
        more_infos += full_box("infe", big_endian(item.id, 2) + big_endian(0, 2) + item.type + '\0',
                               2, item.is_hidden ? 1 : 0);
        if (item.has_data) {
            more_places +=
                big_endian(item.id, 2) + places.substr(18, (places.size() - 16) / own - 2);
            ++with_data;
        }
        if (item.type != "hvc1" && item.type != "av01") continue;
        auto its_own = properties_of_1;
        its_own[0] = static_cast<char>(its_own[0] + (item.is_gain_map ? 1 : 0));
        more_owners += big_endian(item.id, 2) + its_own +
                       (item.is_gain_map ? big_endian(last + 1, 1) : std::string());
        ++images;
    }
    const auto gain_map =
        full_box("auxC", "urn:com:apple:photo:2020:aux:hdrgainmap" + std::string(1, '\0'));
    const auto meta = full_box(
        "meta",
        box_in(file, "hdlr") + box_in(file, "pitm") +
            full_box("iinf", big_endian(own + extras.size(), 2) + infos.substr(14) + more_infos) +
            full_box("iloc", places.substr(12, 2) + big_endian(own + with_data, 2) +
                                 places.substr(16) + more_places) +
            iref +
            box("iprp", box("ipco", properties.substr(8) + gain_map) +
                            full_box("ipma", big_endian(own + images, 4) + owners.substr(16) +
                                                 more_owners)) +
            more);
    return file.replace(file.find("meta"), 4, "free") + meta;
}

std::vector<std::uint8_t> pixels(const std::filesystem::path &path) {
    const auto refused = refusal(path);
    INFO(refused);
    REQUIRE(refused.empty());
    return read_image(path, {.max_side = 0}).pixels;
}

const auto alternatives =
    full_box("altr", big_endian(100, 4) + big_endian(2, 4) + big_endian(1, 4) + big_endian(12, 4));
const auto pyramid =
    full_box("pymd", big_endian(101, 4) + big_endian(1, 4) + big_endian(1, 4) + big_endian(256, 2) +
                         big_endian(256, 2) + big_endian(0, 3));

} // namespace

TEST_CASE(
    "heif: What lies beside a picture may belong to two items, as iPhones write since iOS 18") {
    const TemporaryFolder folder;
    const std::vector<ExtraItem> extras = {{10, "hvc1", true, true, true},
                                           {11, "Exif", true},
                                           {12, "tmap"},
                                           {13, "hvc1"},
                                           {14, "mime", false, false},
                                           {15, "hvc1", true, true, true}};
    const ItemReference twin = {"dimg", 12, {1, 10}};
    const std::vector<ItemReference> cases[] = {
        {twin, {"auxl", 10, {1, 12}}},
        {twin, {"auxl", 10, {12, 1}}},
        {twin, {"auxl", 10, {12}}},
        {twin, {"auxl", 10, {12, 12, 12}}},
        {twin, {"cdsc", 11, {1, 12}}},
        {twin, {"cdsc", 11, {12}}},
        {twin, {"cdsc", 11, {77}}},
        {twin, {"thmb", 13, {1, 12}}},
        {twin, {"thmb", 13, {12}}},
        {{"auxl", 10, {1, 13}}},
        {{"auxl", 15, {1, 12}}, {"auxl", 10, {1}}},
        {twin,
         {"auxl", 10, {1, 12}},
         {"auxl", 15, {1, 12}},
         {"cdsc", 11, {1, 12}},
         {"thmb", 13, {1, 12}}},
    };
    for (const auto codec : heif_codecs()) {
        const auto file = encode_heif(make_photo(150, 90), codec);
        auto items = extras;
        if (codec == heif_compression_AV1)
            for (auto &item : items)
                if (item.type == "hvc1") item.type = "av01";
        const auto expected = pixels(save(folder / "plain.heic", file));
        for (const auto &references : cases)
            for (const int version : {0, 1}) {
                INFO("codec " << codec << ", " << references.back().type << " of "
                              << references.back().from << ", iref " << version);
                const auto twofold = with_items(file, items, iref_box(references, version),
                                                box("grpl", alternatives));
                CHECK(pixels(save(folder / "x.heic", twofold)) == expected);
            }
        const auto grouped = with_items(file, {}, "", box("grpl", alternatives + pyramid));
        CHECK(pixels(save(folder / "x.heic", grouped)) == expected);
    }
}

TEST_CASE("heif: Alpha that two items share covers the picture") {
    const TemporaryFolder folder;
    cv::Mat image;
    cv::cvtColor(make_photo(150, 90), image, cv::COLOR_BGR2BGRA);
    image.colRange(0, 75).forEach<cv::Vec4b>([](cv::Vec4b &pixel, const int *) { pixel[3] = 0; });
    for (const auto codec : heif_codecs()) {
        const auto file = encode_heif(image, codec);
        const auto expected = pixels(save(folder / "plain.heic", file));
        for (const auto &owners : {std::vector{1, 12}, {12, 1}})
            for (const int version : {0, 1}) {
                const auto shared =
                    with_items(file, {{12, "tmap"}}, iref_box({{"auxl", 2, owners}}, version));
                CHECK(pixels(save(folder / "x.heic", shared)) == expected);
            }
    }
}

TEST_CASE("heif: The tiles of a grid stay, whatever belongs to two items") {
    const TemporaryFolder folder;
    for (const auto codec : heif_codecs()) {
        const auto tile = encode_heif(make_photo(64, 64), codec);
        auto grid = heif_grid(
            tile,
            {.columns = 3, .rows = 2, .tile = {64, 64}, .output = {180, 128}, .ispe = {180, 128}});
        const auto expected = pixels(save(folder / "grid.heic", grid));
        const auto twofold = with_items(
            grid, {{20, "tmap"}, {21, "Exif"}},
            iref_box({{"cdsc", 21, {1, 20}}, {"dimg", 1, {2, 3, 4, 5, 6, 7}}, {"dimg", 20, {1}}},
                     0));
        CHECK(pixels(save(folder / "x.heic", twofold)) == expected);
    }
}

TEST_CASE("heif: A movie behind the picture is left alone") {
    using namespace std::string_literals;
    const TemporaryFolder folder;
    const auto brands = box("ftyp", "mp42" + std::string(4, '\0') + "isommp42");
    const auto movie = brands + box("moov", box("mvhd", std::string(100, '\0'))) +
                       box("mdat", std::string(500, 'x'));
    auto endless = brands + box("mdat", std::string(500, 'x'));
    endless.replace(brands.size(), 4, std::string(4, '\0'));
    const auto other_meta =
        full_box("meta", full_box("hdlr", std::string(4, '\0') + "mdir" + std::string(13, '\0')) +
                             box("ilst", ""));
    const std::string tails[] = {movie,
                                 movie.substr(0, movie.size() - 100),
                                 movie.substr(brands.size()),
                                 movie.substr(brands.size(), movie.size() - 200),
                                 endless,
                                 box("mpvd", movie),
                                 box("mpvd", movie).substr(0, 300),
                                 other_meta + movie,
                                 brands + other_meta,
                                 brands + full_box("hvcC", ""),
                                 "\0\0\0\5rubbish behind the end"s,
                                 "abc"};
    for (const auto codec : heif_codecs()) {
        const auto file = encode_heif(make_photo(150, 90), codec);
        const auto expected = pixels(save(folder / "plain.heic", file));
        for (const auto &tail : tails) {
            INFO("codec " << codec << ", tail " << &tail - tails);
            CHECK(pixels(save(folder / "x.heic", file + tail)) == expected);
        }
    }
}
