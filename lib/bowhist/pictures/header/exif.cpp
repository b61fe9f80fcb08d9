#include <bowhist/pictures/header/exif.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/pictures/container/boxes.hpp>
#include <bowhist/pictures/header/tiff_pages.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

bool begins_tiff(std::string_view bytes) {
    return bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv);
}

/// The first bytes of what zlib packed, `most` at most; as many as there are of a damaged stream.
std::string inflated(std::string_view packed, std::size_t most) {
    std::string bytes(most, '\0');
    z_stream stream = {};
    if (inflateInit(&stream) != Z_OK) return {};
    stream.next_in = // zlib only reads it
        const_cast<Bytef *>(reinterpret_cast<const Bytef *>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef *>(bytes.data());
    stream.avail_out = static_cast<uInt>(most);
    inflate(&stream, Z_SYNC_FLUSH);
    bytes.resize(stream.total_out);
    inflateEnd(&stream);
    return bytes;
}

std::string_view behind(std::string_view text, char end) {
    const auto found = text.find(end);
    return found == text.npos ? std::string_view{} : text.substr(found + 1);
}

/// The text of a chunk behind its keyword, `most` bytes at most.
std::string text_of(std::string_view type, std::string_view rest, std::size_t most) {
    if (type == "tEXt") return std::string(rest.substr(0, most));
    if (type == "zTXt") return inflated(rest.substr(std::min<std::size_t>(1, rest.size())), most);
    if (rest.size() < 2) return {}; // iTXt: packed or not, method, language, translated keyword
    const bool is_packed = rest[0] == 1;
    const auto text = behind(behind(rest.substr(2), '\0'), '\0');
    return is_packed ? inflated(text, most) : std::string(text.substr(0, most));
}

/// A line's end, a name, the number of bytes, then two digits a byte in lines.
std::string raw_profile(std::string_view text) {
    constexpr std::string_view white_space = " \t\r\n"sv;
    const auto skip = [&](bool is_white) {
        const auto end =
            is_white ? text.find_first_not_of(white_space) : text.find_first_of(white_space);
        text = end == text.npos ? std::string_view{} : text.substr(end);
    };
    skip(true);
    skip(false); // "exif", "APP1", "generic profile"
    const auto number = text.find_first_of("0123456789");
    text = number == text.npos ? std::string_view{} : text.substr(number);
    skip(false);
    std::string bytes;
    int high = -1;
    for (; !text.empty(); text.remove_prefix(1)) {
        const auto digit = as_number<int>(text.substr(0, 1), 16);
        if (!digit) continue;
        if (high >= 0) bytes += static_cast<char>(high << 4 | *digit);
        high = high >= 0 ? -1 : *digit;
    }
    return bytes;
}

} // namespace

std::string_view exif_block(std::string_view file) {
    if (begins_tiff(file)) return file;
    // how containers name a block, and what stands between the name and the block
    constexpr std::array names{std::pair{"Exif\0\0"sv, 0}, std::pair{"eXIf"sv, 0},
                               std::pair{"EXIF"sv, 4}};
    for (const auto &[name, gap] : names)
        for (auto at = file.find(name); at != file.npos; at = file.find(name, at + 1)) {
            const auto begin = std::min(file.size(), at + name.size() + gap);
            const std::string_view block = file.substr(begin);
            if (begins_tiff(block)) return block;
        }
    return {};
}

std::optional<int> exif_orientation(std::string_view block) {
    constexpr std::size_t preamble_bytes = 6;
    if (block.starts_with("Exif\0"sv) && block.size() > preamble_bytes)
        block.remove_prefix(preamble_bytes);
    if (!begins_tiff(block)) return std::nullopt;
    const Bytes bytes(block);
    const Tiff exif(bytes);
    for (const TiffEntry &entry : tiff_entries(exif, exif.first_directory()))
        if (const auto orientation = tiff_orientation(exif, entry)) return orientation;
    return std::nullopt;
}

void PngOrientation::add(std::string_view type, std::string_view payload) {
    if (type == "eXIf" && !exif_) exif_ = exif_orientation(payload);
    const bool is_text = type == "tEXt" || type == "zTXt" || type == "iTXt";
    if (!is_text || exif_ || profile_ || left_ == 0) return;
    const auto keyword = payload.substr(0, payload.find('\0'));
    if (keyword != "Raw profile type exif" && keyword != "Raw profile type APP1") return;
    constexpr std::size_t most = std::size_t{1} << 18; // of a block of 64 KiB, the longest in JPEGs
    const auto text = text_of(type, behind(payload, '\0'), most);
    --left_;
    profile_ = exif_orientation(raw_profile(text));
}

int webp_orientation(const Bytes &file) {
    constexpr std::uint64_t head = 8; // type and length
    std::uint64_t at = 12;
    while (file.holds(at, head)) {
        const auto length = file.little(at + 4, 4);
        if (file.text(at, 4) == "EXIF")
            if (const auto found = exif_orientation(file.text(at + head, length))) return *found;
        at += head + length + length % 2;
    }
    return 1;
}

int jp2_orientation(const Bytes &file) {
    constexpr auto exif_uuid = "JpgTiffExif->JP2"sv;
    std::optional<int> found;
    for_each_box(file, 0, file.size(), [&](const IsoBox &box) {
        const auto content = file.text(box.begin, box.end - box.begin);
        if (box.is_whole && box.type == "uuid" && content.starts_with(exif_uuid))
            found = exif_orientation(content.substr(exif_uuid.size()));
        return !found;
    });
    return found.value_or(1);
}

} // namespace bowhist
