#include <bowhist/pictures/jpeg/exif.hpp>

#include <bowhist/pictures/picture_formats.hpp>

namespace bowhist {

int exif_orientation(std::string_view segment) {
    constexpr int upright = 1;
    constexpr std::uint64_t orientation_tag = 0x112;
    constexpr std::uint64_t entry_bytes = 12;
    const Bytes exif(segment.substr(segment.size() < 6 ? segment.size() : 6)); // behind "Exif\0\0"
    const bool is_little = exif.text(0, 4) == std::string_view("II*\0", 4);
    if (!is_little && exif.text(0, 4) != std::string_view("MM\0*", 4)) return upright;
    const auto number = [&](std::uint64_t offset, int count) {
        return is_little ? exif.little(offset, count) : exif.big(offset, count);
    };
    const auto directory = number(4, 4);
    const auto entries = number(directory, 2);
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto entry = directory + 2 + i * entry_bytes;
        if (!exif.holds(entry, entry_bytes)) break;
        if (number(entry, 2) != orientation_tag) continue;
        const auto orientation = number(entry + 8, 2);
        return orientation >= 1 && orientation <= 8 ? static_cast<int>(orientation) : upright;
    }
    return upright;
}

} // namespace bowhist
