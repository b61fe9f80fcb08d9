#pragma once

#include <bowhist/compare/word_index.hpp>
#include <bowhist/compare/word_measure.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// How much an image's words add to a product beyond what bitmaps do, at most; so that most images
/// are done with when their bitmaps are added up. Zero for images whose excess lies by word.
///
/// An image's value at a word is that of its bitmaps, at most `ratio` times as much where its count
/// is 2 or less, and something on top, y. With a query's factors f, for every t ≥ 0,
///
///     product ≤ ratio · (product by bitmaps) + t · Σy + √(Σ max(f - t, 0)²) · √(Σy²)
///
/// the last by Cauchy and Schwarz's inequality.
class ExcessBounds {
  public:
    static constexpr std::uint32_t usual_count = 2;

    ExcessBounds() = default;
    /// @param inverse_norms  1/norm of each image, which sums are multiplied with
    ExcessBounds(const WordIndex &index, const WordMeasure &measure,
                 std::span<const float> inverse_norms);

    double ratio() const { return ratio_; }
    const float *sums() const { return sums_.data(); }   ///< of each image, Σy/norm
    const float *roots() const { return roots_.data(); } ///< of each image, √(Σy²)/norm

    /// Factors of the bound's terms: the product by bitmaps, sums() and roots(). The bound holds.
    struct Factors {
        float ratio = 1;
        float sum = 0;
        float root = 0;
    };
    /// The factors that make the bound low for usual images. @param factors  of a query's words
    Factors factors(std::span<const std::uint32_t> factors) const;

  private:
    double ratio_ = 1;
    double mean_sum_ = 0, mean_root_ = 0;
    std::vector<float> sums_, roots_;
};

} // namespace bowhist
