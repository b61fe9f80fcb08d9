#include <bowhist/pictures/header/tiff_entries.hpp>

#include <algorithm>

namespace bowhist {

int tiff_type_bytes(std::uint64_t type) {
    switch (type) {
    case 1: // BYTE
    case 2: // ASCII
        return 1;
    case 3: // SHORT
        return 2;
    case 4:  // LONG
    case 13: // IFD
        return 4;
    case 16: // LONG8
    case 18: // IFD8
        return 8;
    default:
        return 0;
    }
}

std::optional<int> tiff_orientation(const Tiff &tiff, const TiffEntry &entry) {
    constexpr std::uint64_t tag = 274;
    constexpr int short_bytes = 2;
    if (entry.tag != tag) return std::nullopt;
    const int bytes = tiff_type_bytes(entry.type);
    const auto value = tiff.number(entry.inside, bytes > 0 ? bytes : short_bytes);
    return value >= 1 && value <= 8 ? std::optional(static_cast<int>(value)) : std::nullopt;
}

std::vector<TiffEntry> tiff_entries(const Tiff &tiff, std::uint64_t directory) {
    constexpr std::uint64_t most_entries = 4096; // of a directory; libtiff doubts more
    const std::uint64_t count_bytes = tiff.is_big_tiff ? 8 : 2;
    const std::uint64_t entry_bytes = tiff.is_big_tiff ? 20 : 12;
    if (!tiff.file.holds(directory, count_bytes)) return {};
    const auto room = (tiff.file.size() - directory - count_bytes) / entry_bytes;
    const auto count =
        std::min({tiff.number(directory, static_cast<int>(count_bytes)), room, most_entries});
    std::vector<TiffEntry> entries;
    entries.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i)
        entries.emplace_back(tiff, directory + count_bytes + i * entry_bytes);
    return entries;
}

} // namespace bowhist
