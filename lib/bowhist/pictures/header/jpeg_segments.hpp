#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <cstdint>

namespace bowhist {

/// Whether a segment says the size and the components of a JPEG.
inline bool is_start_of_frame(std::uint8_t marker) {
    const bool other_use = marker == 0xC4 || marker == 0xC8 || marker == 0xCC; // DHT, JPG, DAC
    return marker >= 0xC0 && marker <= 0xCF && !other_use;
}

/// Calls use(offset) for each segment of a JPEG before its first scan. @return where that, or what
/// is no segment, begins
template <typename Use>
std::uint64_t for_each_segment(const Bytes &file, Use use) {
    constexpr std::uint8_t start_of_scan = 0xDA;
    constexpr std::uint8_t prefix = 0xFF; // and any number of them before a marker
    std::uint64_t at = 2;
    while (file.at(at) == prefix && file.at(at + 1) != start_of_scan) {
        if (file.at(at + 1) == prefix) {
            ++at;
            continue;
        }
        use(at);
        at += 2 + file.big(at + 2, 2);
    }
    return at;
}

} // namespace bowhist
