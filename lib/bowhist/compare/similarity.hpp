#pragma once

#include <cmath>
#include <cstdint>

namespace bowhist {

/// A similarity of 1, as a whole number.
inline constexpr std::int64_t full_similarity = std::int64_t{1} << 24;

/// 2²⁴ · product/√(a · b), without what is behind the point: -2²⁴ … 2²⁴. Exact.
/// @param product      at most √(a · b) in size
/// @param a, b         squared norms, below 2³²; where one is 0 the similarity is 0
inline std::int64_t similarity(std::int64_t product, std::uint64_t a, std::uint64_t b) {
    if (a == 0 || b == 0) return 0;
    __extension__ using Wide = unsigned __int128;
    const auto size = static_cast<std::uint64_t>(product < 0 ? -product : product);
    const Wide scaled = Wide{size} * full_similarity;
    const Wide norms = Wide{a} * b;
    const Wide square = scaled * scaled; // below 2¹¹²
    auto value = static_cast<std::uint64_t>(
        static_cast<double>(scaled) / std::sqrt(static_cast<double>(a) * static_cast<double>(b)));
    while (Wide{value} * value * norms > square) --value;
    while (Wide{value + 1} * (value + 1) * norms <= square) ++value;
    return product < 0 ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

} // namespace bowhist
