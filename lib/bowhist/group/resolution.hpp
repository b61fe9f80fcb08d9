#pragma once

#include <cstdint>

namespace bowhist {

/// How finely a graph is divided: a community must hold more than this many times the edges that it
/// would hold were the ends of all edges drawn anew. A ratio of whole numbers, so that comparisons
/// are exact.
struct Resolution {
    static constexpr std::int64_t one = 1'000'000;
    static constexpr std::int64_t most = std::int64_t{1} << 40;

    std::int64_t millionths = one; ///< from 0 to `most`
};

} // namespace bowhist
