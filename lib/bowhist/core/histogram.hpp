#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// One image's bag of words: how often each of the k words occurs among its descriptors.
struct Histogram {
    std::string image;             ///< the input's path, its bytes as given
    std::uint32_t descriptors = 0; ///< the sum of counts
    std::vector<std::uint32_t> counts;
};

/// How counts become features.
enum class Normalization {
    none,      ///< the counts themselves
    l1,        ///< count / sum
    l2,        ///< count / sqrt(sum of squares)
    hellinger, ///< sqrt(count / sum): Euclidean distance is then the Hellinger distance
};

/// Normalized counts, computed in float64 and rounded once. All zeros stay zeros.
std::vector<float> normalize(std::span<const std::uint32_t> counts, Normalization normalization);

/// "none", "l1", "l2", "hellinger".
std::string_view name_of(Normalization normalization);

} // namespace bowhist
