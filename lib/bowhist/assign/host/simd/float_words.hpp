#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/core/vocabulary.hpp>

namespace bowhist {

/// Everything a search by float32 scores reads.
struct FloatWords {
    PackedWords<float> centroids;
    hwy::AlignedFreeUniquePtr<float[]> starts; ///< minus infinity for words that only fill up
    DotBound bound; ///< for tests of the form: other < best - margin, as rounded
};

FloatWords pack_floats(const Vocabulary &vocabulary, const PackedShape &shape, double bound_scale);

} // namespace bowhist
