#include <bowhist/pictures/exif.hpp>

#include <bowhist/pictures/picture_formats.hpp>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

/// Writers use SHORT, as the standard demands; some use BYTE or LONG.
int bytes_of_type(std::uint64_t type) {
    return type == 1 ? 1 : type == 4 ? 4 : 2;
}

} // namespace

std::optional<int> exif_orientation(std::string_view block) {
    constexpr std::uint64_t orientation_tag = 0x112;
    constexpr std::uint64_t entry_bytes = 12;
    constexpr std::size_t preamble_bytes = 6;
    if (block.starts_with("Exif\0"sv) && block.size() > preamble_bytes)
        block.remove_prefix(preamble_bytes);
    const Bytes exif(block);
    const bool is_little = block.starts_with("II*\0"sv);
    if (!is_little && !block.starts_with("MM\0*"sv)) return std::nullopt;
    const auto number = [&](std::uint64_t offset, int bytes) {
        return is_little ? exif.little(offset, bytes) : exif.big(offset, bytes);
    };
    const auto directory = number(4, 4);
    const auto entries = number(directory, 2);
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto entry = directory + 2 + i * entry_bytes;
        if (!exif.holds(entry, entry_bytes)) break;
        if (number(entry, 2) != orientation_tag) continue;
        const auto value = number(entry + 8, bytes_of_type(number(entry + 2, 2)));
        if (value >= 1 && value <= 8) return static_cast<int>(value);
    }
    return std::nullopt;
}

} // namespace bowhist
