#pragma once

#include "tests/files/checks.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace checks {

inline std::uint32_t checksum(std::string_view content) {
    std::uint32_t value = 0xffffffff;
    for (const unsigned char byte : content) {
        value ^= byte;
        for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xedb88320U : 0);
    }
    return ~value;
}

/// A zip archive with these entries, put together by hand; `promised` bytes are added to the sizes
/// in its directory.
inline std::string zip(const std::vector<std::pair<std::string, std::string>> &entries,
                       std::uint32_t promised = 0) {
    std::string archive;
    std::string directory;
    for (const auto &[name, content] : entries) {
        const auto size = static_cast<std::uint32_t>(content.size());
        const auto place = static_cast<std::uint32_t>(archive.size());
        const std::string facts = bytes(std::uint16_t{20}, std::uint16_t{0}, std::uint16_t{0},
                                        std::uint32_t{0}, checksum(content), size, size + promised,
                                        static_cast<std::uint16_t>(name.size()), std::uint16_t{0});
        archive += "PK\x03\x04" + facts + name + content;
        directory += "PK\x01\x02" + bytes(std::uint16_t{20}) + facts + std::string(10, '\0') +
                     bytes(place) + name;
    }
    const auto count = static_cast<std::uint16_t>(entries.size());
    return archive + directory + std::string("PK\x05\x06\0\0\0\0", 8) +
           bytes(count, count, static_cast<std::uint32_t>(directory.size()),
                 static_cast<std::uint32_t>(archive.size()), std::uint16_t{0});
}

} // namespace checks
