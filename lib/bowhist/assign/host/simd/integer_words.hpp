#pragma once

#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <optional>

namespace bowhist {

/// A row's or a centroid's norm in integers: no element of it exceeds sixteen bits.
constexpr double longest_integer_row = 32000;
/// A score in integers, rounding aside: no partial sum exceeds thirty-two bits.
constexpr double largest_integer_score = 2.1e9;
/// Dimensions up to which the rounding of elements stays within what these limits leave free.
constexpr std::size_t most_integer_dimensions = 1024;
/// Scales beyond these would come near the ends of float32's range.
constexpr bool usable_integer_scale(double scale) {
    return scale > 0x1p-50 && scale < 0x1p50;
}

/// A norm up to which half its square, a score's start, stays well inside float32's range.
constexpr double longest_integer_word = 0x1p63;

/// Everything a search by integer scores reads. A vector's number takes its scores' low bits.
struct IntegerWords {
    PackedWords<std::int32_t> pairs;           ///< two neighboring dimensions in each
    hwy::AlignedFreeUniquePtr<float[]> starts; ///< minus infinity for words that only fill up
    double scale = 0;                          ///< from a centroid to its integers
    double longest = 0;                        ///< at least the norm of any centroid
    double residual = 0;                       ///< at least the norm of any rounding, in integers
    std::size_t dimensions = 0;
    std::int32_t number_mask = 0; ///< the low bits that hold a vector's number
    double bound_scale = 1;
};

/// @return nothing where the vocabulary's size or shape does not suit integers
std::optional<IntegerWords> pack_integers(const Vocabulary &vocabulary, const PackedShape &shape,
                                          double bound_scale);

} // namespace bowhist
