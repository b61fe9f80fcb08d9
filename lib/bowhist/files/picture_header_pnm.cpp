// PNM: "P1" to "P6", then width, height and (but for bitmaps) the largest sample as decimal text;
// white space and # comments between them.

#include <bowhist/files/picture_formats.hpp>

#include <limits>

namespace bowhist {
namespace {

bool is_digit(std::uint8_t byte) {
    return byte >= '0' && byte <= '9';
}

/// The decimal number at `at`, which then lies behind it; too large a one counts as 0: damaged.
std::uint32_t decimal(const Bytes &file, std::uint64_t &at) {
    std::uint64_t value = 0;
    bool fits = true;
    for (; is_digit(file.at(at)); ++at) {
        value = value * 10 + (file.at(at) - '0');
        fits = fits && value <= std::numeric_limits<std::int32_t>::max();
        if (!fits) value = 0;
    }
    return fits ? static_cast<std::uint32_t>(value) : 0;
}

/// The next number; anything but digits is passed over, comments to the end of their line.
std::uint32_t next_number(const Bytes &file, std::uint64_t &at) {
    while (at < file.size() && !is_digit(file.at(at))) {
        if (file.at(at) == '#') {
            while (at < file.size() && file.at(at) != '\n' && file.at(at) != '\r') ++at;
        } else {
            ++at;
        }
    }
    return decimal(file, at);
}

} // namespace

PictureHeader pnm_header(const Bytes &file) {
    PictureHeader header{.format = "PNM"};
    const bool is_bitmap = file.at(1) == '1' || file.at(1) == '4';
    std::uint64_t at = 2;
    header.width = next_number(file, at);
    header.height = next_number(file, at);
    const bool is_text = file.at(1) == '2' || file.at(1) == '3';
    const auto largest = is_bitmap ? 0 : next_number(file, at);
    if (!is_text || largest > 255) header.white = largest; // OpenCV scales only text of 8 bits
    return header;
}

} // namespace bowhist
