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
    tfidf,     ///< by the weights of words (core/weights.hpp), then to unit length
    bm25,      ///< by the weights of words, and less the higher a count is already
};

/// Whether it needs the weights of words.
inline bool weighs(Normalization normalization) {
    return normalization == Normalization::tfidf || normalization == Normalization::bm25;
}

/// Normalized counts, computed in float64 and rounded once. All zeros stay zeros.
/// REQUIRES: normalization does not weigh()
std::vector<float> normalize(std::span<const std::uint32_t> counts, Normalization normalization);

/// "none", "l1", "l2", "hellinger", "tfidf", "bm25".
std::string_view name_of(Normalization normalization);

} // namespace bowhist
