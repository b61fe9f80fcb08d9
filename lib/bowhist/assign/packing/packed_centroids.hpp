#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bowhist {

/// Centroids for a CPU's vector units: blocks of 64 words, dimension by dimension, so that one
/// vector holds the same dimension of neighbouring words. The last block is filled up with
/// infinity, which is never nearest.
class PackedCentroids {
  public:
    static constexpr std::size_t lanes = 64;

    PackedCentroids() = default;
    explicit PackedCentroids(const Vocabulary &vocabulary);

    /// The word of x by a float32 search, or nothing where the bound does not prove it.
    std::optional<std::int32_t> screen(std::span<const float> x, const Bound &bound) const;

  private:
    std::size_t words_ = 0;
    std::size_t dimensions_ = 0;
    std::vector<float> values_; ///< [block][dimension][lane]
};

} // namespace bowhist
