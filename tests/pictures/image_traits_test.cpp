#include "tests/pictures/make_pictures.hpp"

#include <bowhist/pictures/header/image_traits.hpp>
#include <bowhist/pictures/picture_file.hpp>

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

using namespace bowhist;
using namespace std::string_literals;

namespace {

std::string big_endian(std::size_t value, int bytes) {
    std::string text;
    for (int i = bytes; i-- > 0;) text += static_cast<char>(value >> 8 * i);
    return text;
}

/// Tags of a directory: a SHORT each. A directory is below another one under a tag.
using Tags = std::vector<unsigned>;

/// A big-endian Exif block with the tags, and with those of the directories below.
std::string exif_with(const Tags &first, const std::map<unsigned, Tags> &below = {}) {
    std::string block = "MM\0*"s + big_endian(8, 4);
    const auto entry = [](unsigned tag, unsigned type, std::size_t value) {
        return big_endian(tag, 2) + big_endian(type, 2) + big_endian(1, 4) +
               (type == 3 ? big_endian(value, 2) + "\0\0"s : big_endian(value, 4));
    };
    std::size_t end = 8 + 2 + 12 * (first.size() + below.size()) + 4;
    std::string behind;
    block += big_endian(first.size() + below.size(), 2);
    for (const unsigned tag : first) block += entry(tag, 3, 6);
    for (const auto &[name, tags] : below) {
        block += entry(name, 4, end + behind.size());
        behind += big_endian(tags.size(), 2);
        for (const unsigned tag : tags) behind += entry(tag, 3, 1);
        behind += big_endian(0, 4);
    }
    return block + big_endian(0, 4) + behind;
}

std::string jpeg_with(const std::string &exif) {
    return with_app1(encode(".jpg", make_photo(40, 30)), "Exif\0\0"s + exif);
}

/// A JPEG with an index of those behind it, each with its type.
std::string mpo_with(const std::string &first,
                     const std::vector<std::pair<std::size_t, std::string>> &behind) {
    const std::size_t count = behind.size() + 1, table = 8 + 2 + 12 + 4;
    const std::size_t index = 2 + 4 + 4; // behind the start, marker and length, and the name
    std::string block = "MM\0*"s + big_endian(8, 4) + big_endian(1, 2) + big_endian(0xB002, 2) +
                        big_endian(7, 2) + big_endian(16 * count, 4) + big_endian(table, 4) +
                        big_endian(0, 4);
    std::size_t end = first.size() + index - 2 + table + 16 * count;
    const auto entry = [](std::size_t type, std::size_t size, std::size_t begin) {
        return big_endian(type, 4) + big_endian(size, 4) + big_endian(begin, 4) + big_endian(0, 4);
    };
    block += entry(0x030000, end, 0);
    std::string rest;
    for (const auto &[type, picture] : behind) {
        block += entry(type, picture.size(), end - index);
        end += picture.size();
        rest += picture;
    }
    auto mpo = first + rest;
    return mpo.insert(2, "\xFF\xE2"s + big_endian(6 + block.size(), 2) + "MPF\0"s + block);
}

std::string png_chunk(const std::string &type, const std::string &payload) {
    return big_endian(payload.size(), 4) + type + payload + "-crc"s;
}

std::string box(const std::string &type, const std::string &inside) {
    return big_endian(8 + inside.size(), 4) + type + inside;
}

/// A track of that kind with that number of samples.
std::string track(const std::string &kind, std::size_t samples) {
    const auto sizes = box("stsz", std::string(8, '\0') + big_endian(samples, 4));
    return box("trak", box("mdia", box("hdlr", std::string(8, '\0') + kind) +
                                       box("minf", box("stbl", sizes))));
}

} // namespace

TEST_CASE("image traits: Each bit of metadata stands for its tags") {
    CHECK(image_traits(jpeg_with(exif_with({}))).metadata == 0);
    CHECK(image_traits(jpeg_with(exif_with({0x010F}))).metadata == has_camera);
    CHECK(image_traits(jpeg_with(exif_with({0x0110}))).metadata == has_camera);
    for (const unsigned tag : {0x829AU, 0x829DU, 0x8827U, 0x920AU, 0xA434U})
        CHECK(image_traits(jpeg_with(exif_with({}, {{0x8769, {tag}}}))).metadata == has_exposure);
    CHECK(image_traits(jpeg_with(exif_with({}, {{0x8825, {0}}}))).metadata == 0); // its version
    CHECK(image_traits(jpeg_with(exif_with({}, {{0x8825, {0, 2}}}))).metadata == has_position);
    const auto several = exif_with({0x0110}, {{0x8769, {0x829A}}, {0x8825, {4}}});
    CHECK(image_traits(jpeg_with(several)).metadata == (has_camera | has_exposure | has_position));
}

TEST_CASE("image traits: Orientation is Exif's, and 0 without it") {
    const auto jpeg = encode(".jpg", make_photo(40, 30));
    CHECK(image_traits(jpeg).orientation == 0);
    for (int orientation = 1; orientation <= 8; ++orientation)
        CHECK(image_traits(with_orientation(jpeg, orientation)).orientation == orientation);
    CHECK(image_traits(jpeg_with(exif_with({0x0112}))).orientation == 6);
}

TEST_CASE("image traits: Each container's profile and XMP are found") {
    const auto jpeg = encode(".jpg", make_photo(40, 30));
    const auto with_profile = with_app1(jpeg, "ICC_PROFILE\0"s);
    CHECK(image_traits(jpeg).metadata == 0);
    CHECK(image_traits(with_app1(with_profile, "http://ns.adobe.com/xap/1.0/\0<x/>"s)).metadata ==
          has_xmp); // of APP2 alone profiles count
    auto both = with_app1(jpeg, "http://ns.adobe.com/xap/1.0/\0<x/>"s);
    both.insert(2, "\xFF\xE2\0\x0E"s + "ICC_PROFILE\0"s);
    CHECK(image_traits(both).metadata == (has_profile | has_xmp));

    const auto png = encode(".png", make_photo(40, 30));
    CHECK(image_traits(png).metadata == 0);
    auto marked = png;
    marked.insert(33, png_chunk("iCCP", "p") + png_chunk("iTXt", "XML:com.adobe.xmp\0..."s));
    CHECK(image_traits(marked).metadata == (has_profile | has_xmp));

    const auto webp = [](char flags) {
        return "RIFF\x16\0\0\0WEBPVP8X\x0A\0\0\0"s + flags + std::string(9, '\0');
    };
    CHECK(image_traits(webp(0)).metadata == 0);
    CHECK(image_traits(webp('\x20')).metadata == has_profile);
    CHECK(image_traits(webp('\x04')).metadata == has_xmp);

    const auto heic = box("ftyp", "heic\0\0\0\0"s) +
                      box("meta", "\0\0\0\0"s + box("iprp", box("colr", "prof...")) +
                                      box("iinf", "application/rdf+xml"));
    CHECK(image_traits(heic).metadata == (has_profile | has_xmp));
}

TEST_CASE("image traits: A JPEG's headers end at its first scan") {
    const auto jpeg = encode(".jpg", make_photo(40, 30));
    const auto head = jpeg_head(jpeg);
    REQUIRE(head);
    CHECK(jpeg.substr(*head, 2) == "\xFF\xDA");
    CHECK(image_traits(jpeg + "Exif\0\0"s + exif_with({0x010F})).metadata == 0);
    CHECK_FALSE(jpeg_head(jpeg.substr(0, *head)));
    CHECK_FALSE(jpeg_head(encode(".png", make_photo(40, 30))));
    const auto filled = jpeg.substr(0, 2) + "\xFF\xFF" + jpeg.substr(2);
    CHECK(jpeg_head(filled) == *head + 2);
}

TEST_CASE("image traits: A file's beginning says as much of a JPEG as the whole file") {
    const TemporaryFolder folder;
    auto large = jpeg_with(exif_with({0x0110, 0x0112})) + std::string(1 << 20, 'x');
    for (const auto &bytes : {large, encode(".png", make_photo(40, 30)),
                              with_app1(large, std::string(200, 'y')), large.substr(0, 100)}) {
        const auto path = save(folder / "x", bytes);
        const auto [said, stamp] = read_image_traits(path);
        const ImageTraits whole = image_traits(bytes);
        CHECK(said.metadata == whole.metadata);
        CHECK(said.orientation == whole.orientation);
        CHECK(said.frames == whole.frames);
        CHECK(stamp.size == bytes.size());
    }
}

TEST_CASE("image traits: A PNG has the frames that acTL promises before its pixels") {
    const auto png = encode(".png", make_photo(40, 30));
    CHECK(frame_count(png) == 1);
    const auto promise = png_chunk("acTL", big_endian(7, 4) + big_endian(0, 4));
    auto animated = png;
    CHECK(frame_count(animated.insert(33, promise)) == 7);
    auto late = png;
    CHECK(frame_count(late.insert(png.size() - 12, promise)) == 1);
    auto absurd = png;
    CHECK(frame_count(absurd.insert(33, png_chunk("acTL", std::string(8, '\xFF')))) == 65535);
}

TEST_CASE("image traits: A JPEG has the full pictures of its index") {
    const auto first = encode(".jpg", make_photo(40, 30));
    const auto second = encode(".jpg", turned(make_photo(40, 30), 3));
    const auto small = encode(".jpg", make_photo(20, 15));
    const auto grey = encode(".jpg", grey_of(make_photo(40, 30)));
    const auto mpo = [&](const std::vector<std::pair<std::size_t, std::string>> &behind) {
        return mpo_with(first, behind);
    };
    CHECK(frame_count(first + second) == 1);
    CHECK(frame_count(mpo({})) == 1);
    for (const std::size_t type : {0x020001U, 0x020002U, 0x020003U, 0U, 0x030000U})
        CHECK(frame_count(mpo({{type, second}})) == 2);
    CHECK(frame_count(mpo({{0x020002, small}})) == 2);
    CHECK(frame_count(mpo({{0x010001, small}, {0x010002, second}})) == 1); // previews
    CHECK(frame_count(mpo({{0, encode(".jpg", make_photo(30, 36))}})) == 2);
    CHECK(frame_count(mpo({{0, small}, {0, grey}})) == 1); // gain maps
    for (const auto *mark : {"http://ns.adobe.com/hdr-gain-map/1.0/", "urn:iso:std:iso:ts:21496:-1",
                             "urn:com:apple:photo:2020:aux:x"})
        CHECK(frame_count(mpo({{0, with_app1(second, mark)}})) == 1);
    CHECK(frame_count(mpo({{0x010002, small}, {0, second}, {0x020002, second}})) == 3);
    CHECK(frame_count(mpo({{0x020002, "no picture"}})) == 1);
    const auto whole = mpo({{0x020002, second}});
    CHECK(frame_count(whole.substr(0, whole.size() - second.size())) == 1);

    const TemporaryFolder folder;
    const auto far = mpo_with(first + std::string(1 << 20, 'x'), {{0x020002, second}});
    CHECK(read_image_traits(save(folder / "far.jpg", far)).first.frames == 2);
    const auto frames = read_frames(save(folder / "two.mpo", whole));
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].pixels == read_image(save(folder / "first.jpg", first)).pixels);
    CHECK(frames[1].pixels == read_image(save(folder / "second.jpg", second)).pixels);
    CHECK(read_frames(save(folder / "odd.mpo", mpo({{0x020002, small}}))).size() == 1);
}

TEST_CASE("image traits: A sequence has the frames of its movie, a still one") {
    const auto movie = box("moov", track("soun", 90) + track("pict", 12) + track("auxv", 40));
    const auto still = box("meta", "\0\0\0\0"s);
    for (const auto *brand : {"avis", "msf1", "hevc"})
        CHECK(frame_count(box("ftyp", brand + "\0\0\0\0"s) + still + movie) == 12);
    CHECK(frame_count(box("ftyp", "heic\0\0\0\0"s) + still) == 1);
    CHECK(frame_count(box("ftyp", "heic\0\0\0\0"s) + still + movie) == 1); // a phone's
    const auto appended = box("ftyp", "mp42\0\0\0\0"s) + movie;
    CHECK(frame_count(box("ftyp", "avis\0\0\0\0"s) + still + appended) == 1);
}

TEST_CASE("image traits: Any bytes will do") {
    const auto jpeg = jpeg_with(exif_with({0x0110}, {{0x8769, {0x829A}}, {0x8825, {4}}}));
    auto png = encode(".png", make_photo(40, 30));
    png.insert(33, png_chunk("acTL", big_endian(7, 8)) + png_chunk("eXIf", exif_with({0x0112})));
    const auto heic =
        box("ftyp", "msf1\0\0\0\0"s) + box("moov", track("pict", 12)) + box("meta", "colrprof");
    const auto mpo = mpo_with(jpeg, {{0x020002, jpeg}, {0, jpeg}});
    for (const std::string &whole : {jpeg, png, heic, mpo})
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const ImageTraits traits = image_traits(whole.substr(0, size));
            CHECK(traits.frames >= 1);
            auto flipped = whole;
            flipped[size] = static_cast<char>(~flipped[size]);
            CHECK(image_traits(flipped).frames >= 1);
        }
    CHECK(frame_count("") == 1);
    CHECK(frame_count("no picture") == 1);
}
