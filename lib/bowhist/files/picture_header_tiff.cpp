// TIFF: byte order, version, offset of the first directory; a directory is a count and entries of
// tag, type, number of values, value or its offset. BigTIFF (version 43) widens counts and offsets.

#include <bowhist/files/picture_formats.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::uint64_t image_width = 256;
constexpr std::uint64_t image_length = 257;

int bytes_of_type(std::uint64_t type) {
    switch (type) {
    case 1:
        return 1; // BYTE
    case 3:
        return 2; // SHORT
    case 4:
        return 4; // LONG
    case 16:
        return 8; // LONG8
    default:
        return 0;
    }
}

} // namespace

PictureHeader tiff_header(const Bytes &file) {
    const bool is_little = file.at(0) == 'I';
    const auto number = [&](std::uint64_t offset, int count) {
        return is_little ? file.little(offset, count) : file.big(offset, count);
    };
    const bool is_big_tiff = number(2, 2) == 43;
    const int count_bytes = is_big_tiff ? 8 : 2;
    const int entry_bytes = is_big_tiff ? 20 : 12;
    const int value_offset = is_big_tiff ? 12 : 8;

    PictureHeader header{.format = "TIFF"};
    const auto directory = is_big_tiff ? number(8, 8) : number(4, 4);
    if (!file.holds(directory, count_bytes)) return header;
    const auto room = (file.size() - directory - count_bytes) / entry_bytes;
    const auto entries = std::min(number(directory, count_bytes), room);
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto entry = directory + count_bytes + i * entry_bytes;
        const auto tag = number(entry, 2);
        if (tag != image_width && tag != image_length) continue;
        const auto value = number(entry + value_offset, bytes_of_type(number(entry + 2, 2)));
        (tag == image_width ? header.width : header.height) = value;
    }
    return header;
}

} // namespace bowhist
