#include <bowhist/pictures/header/mpo_pictures.hpp>

#include <bowhist/pictures/header/jpeg_segments.hpp>
#include <bowhist/pictures/header/tiff_pages.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t most_pictures = 256;

/// The place of the index, a TIFF that counts its offsets from there; 0 without one.
std::uint64_t index_of(const Bytes &file) {
    constexpr std::uint8_t app2 = 0xE2;
    std::uint64_t index = 0;
    for_each_segment(file, [&](std::uint64_t at) {
        if (index == 0 && file.at(at + 1) == app2 && file.text(at + 4, 4) == "MPF\0"sv)
            index = at + 8;
    });
    return index;
}

/// The size and the components that a JPEG's frame header says.
struct JpegShape {
    std::uint64_t pixels = 0;
    std::uint8_t components = 0;
};

std::optional<JpegShape> shape_of(std::string_view jpeg) {
    const Bytes file(jpeg);
    std::optional<JpegShape> shape;
    if (!jpeg.starts_with("\xFF\xD8\xFF")) return shape;
    for_each_segment(file, [&](std::uint64_t at) {
        if (!shape && is_start_of_frame(file.at(at + 1)))
            shape = JpegShape{file.big(at + 5, 2) * file.big(at + 7, 2), file.at(at + 9)};
    });
    return shape;
}

/// Whether a picture only helps to show another one: a gain map, a depth map or a matte.
bool is_auxiliary(std::string_view jpeg) {
    static constexpr std::array marks{"/hdr-gain-map/"sv, "iso:ts:21496"sv, ":aux:"sv};
    const std::string_view head =
        jpeg.substr(0, for_each_segment(Bytes(jpeg), [](std::uint64_t) {}));
    return std::ranges::any_of(marks,
                               [&](std::string_view mark) { return head.find(mark) != head.npos; });
}

/// Many writers name no type. Then a picture of at least half as many pixels as the first one, and
/// in color as that one, is one of its own; gain maps have a quarter of them as a rule.
bool is_another(std::uint64_t type, std::string_view jpeg, const JpegShape &first) {
    constexpr std::uint64_t thumbnail = 1, several = 2; // the kind, beside which is which of it
    const auto shape = shape_of(jpeg);
    if (!shape || type >> 16 == thumbnail) return false;
    return type >> 16 == several || (2 * shape->pixels >= first.pixels &&
                                     shape->components == first.components && !is_auxiliary(jpeg));
}

} // namespace

bool has_picture_index(std::string_view head) {
    return index_of(Bytes(head)) > 0;
}

std::vector<std::string_view> mpo_pictures(std::string_view file) {
    constexpr std::uint64_t entries_tag = 0xB002, entry_bytes = 16, of_type = 0xFF'FFFF;
    std::vector<std::string_view> pictures{file};
    const std::uint64_t index = index_of(Bytes(file));
    const auto first = shape_of(file);
    if (index == 0 || !first) return pictures;
    const Bytes inside(file.substr(index));
    const Tiff tiff(inside);
    for (const TiffEntry &entry : tiff_entries(tiff, tiff.first_directory())) {
        if (entry.tag != entries_tag) continue;
        const std::uint64_t table = tiff.number(entry.inside, tiff.offset_bytes());
        const std::size_t count = std::min<std::size_t>(entry.count / entry_bytes, most_pictures);
        for (std::size_t i = 1; i < count && inside.holds(table, (i + 1) * entry_bytes); ++i) {
            const std::uint64_t at = table + i * entry_bytes;
            const std::uint64_t begin = tiff.number(at + 8, 4);
            if (begin == 0 || begin >= inside.size()) continue;
            const std::string_view picture = file.substr(index + begin);
            if (is_another(tiff.number(at, 4) & of_type, picture, *first))
                pictures.push_back(picture);
        }
        break;
    }
    return pictures;
}

} // namespace bowhist
