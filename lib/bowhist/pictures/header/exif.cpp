#include <bowhist/pictures/header/exif.hpp>

#include <bowhist/pictures/header/tiff_entries.hpp>

namespace bowhist {

using namespace std::string_view_literals;

std::optional<int> exif_orientation(std::string_view block) {
    constexpr std::size_t preamble_bytes = 6;
    if (block.starts_with("Exif\0"sv) && block.size() > preamble_bytes)
        block.remove_prefix(preamble_bytes);
    if (!block.starts_with("II*\0"sv) && !block.starts_with("MM\0*"sv)) return std::nullopt;
    const Bytes bytes(block);
    const Tiff exif(bytes);
    for (const TiffEntry &entry : tiff_entries(exif, exif.first_directory()))
        if (const auto orientation = tiff_orientation(exif, entry)) return orientation;
    return std::nullopt;
}

} // namespace bowhist
