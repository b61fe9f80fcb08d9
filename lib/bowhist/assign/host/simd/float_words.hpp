#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <limits>

namespace bowhist {

/// Everything a search by float32 scores reads.
struct FloatWords {
    PackedWords<float> centroids;
    hwy::AlignedFreeUniquePtr<float[]> starts; ///< minus infinity for words that only fill up
    DotBound bound; ///< for tests of the form: other < best - margin, as rounded
};

inline FloatWords pack_floats(const Vocabulary &vocabulary, const PackedShape &shape,
                              double bound_scale) {
    PackedWords<float> centroids(vocabulary.size(), vocabulary.dimensions, shape);
    auto starts = allocate_aligned<float>(centroids.padded_words());
    std::fill_n(starts.get(), centroids.padded_words(), -std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        starts[j] = score_start(vocabulary.row(j));
        for (std::size_t i = 0; i < vocabulary.dimensions; ++i)
            centroids.at(j, i) = vocabulary.row(j)[i];
    }
    // One rounding more than the bound counts: of best minus margin, which is as large as they.
    const float enlarge = 1 + 1 / static_cast<float>(vocabulary.dimensions + 1);
    DotBound bound = dot_bound(vocabulary, bound_scale);
    bound.constant *= enlarge;
    bound.linear *= enlarge;
    bound.quadratic *= enlarge;
    return {std::move(centroids), std::move(starts), bound};
}

} // namespace bowhist
