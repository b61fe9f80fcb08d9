// PNM: "P1" to "P6", then width, height and (but for bitmaps) the largest sample as decimal text;
// white space and # comments between them.

#include <bowhist/core/as_number.hpp>
#include <bowhist/pictures/header/picture_formats.hpp>

namespace bowhist {
namespace {

bool is_digit(std::uint8_t byte) {
    return byte >= '0' && byte <= '9';
}

/// The decimal number at `at`, which then lies behind it; too large a one counts as 0: damaged.
std::uint32_t decimal(const Bytes &file, std::uint64_t &at) {
    const std::uint64_t begin = at;
    while (is_digit(file.at(at))) ++at;
    const auto value = as_number<std::int32_t>(file.text(begin, at - begin));
    return static_cast<std::uint32_t>(value.value_or(0));
}

bool is_white_space(std::uint8_t byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// The next number behind white space and comments; 0 when anything else comes first.
std::uint32_t next_number(const Bytes &file, std::uint64_t &at) {
    for (;; ++at) {
        if (file.at(at) == '#')
            while (at < file.size() && file.at(at) != '\n' && file.at(at) != '\r') ++at;
        else if (!is_white_space(file.at(at)))
            return decimal(file, at);
    }
}

} // namespace

ImageHeader pnm_header(const Bytes &file) {
    ImageHeader header;
    const bool is_bitmap = file.at(1) == '1' || file.at(1) == '4';
    std::uint64_t at = 2;
    // Netpbm begins a comment at a # right behind a number; OpenCV reads on in it.
    const auto number = [&] {
        const auto value = next_number(file, at);
        if (file.at(at) == '#') header.flaw = "with a # right behind a number";
        return value;
    };
    header.width = number();
    header.height = number();
    const bool is_text = file.at(1) == '2' || file.at(1) == '3';
    const auto largest = is_bitmap ? 0 : number();
    if (!is_bitmap && (largest == 0 || largest > 65535))
        header.flaw = "whose largest sample is not in 1 to 65535";
    if (!is_text || largest > 255) header.white = largest; // OpenCV scales only text of 8 bits
    const bool is_color = file.at(1) == '3' || file.at(1) == '6';
    return with_decoder_bytes(header, (is_color ? 3 : 1) * (largest > 255 ? 2 : 1));
}

} // namespace bowhist
