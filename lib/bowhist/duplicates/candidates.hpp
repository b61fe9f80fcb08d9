#pragma once

#include <compare>
#include <cstdint>

namespace bowhist {

/// Two images that may show the same.
struct CandidatePair {
    std::uint32_t first = 0; ///< the lower number
    std::uint32_t second = 0;
    bool mirrored = false; ///< the first image's mirror image is like the second

    auto operator<=>(const CandidatePair &) const = default;
};

} // namespace bowhist
