#pragma once

#include <bowhist/compare/word_counts.hpp>
#include <bowhist/core/weights.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// How counts of words become a likeness, in whole numbers. An image's value at a word is
/// value(count); with the words' weights,
///
///     product(a, b) = Σ weight(word) · value(a's count) · value(b's count)
///     likeness(a, b) = product(a, b) / √(product(a, a) · product(b, b))
///
/// Everything that follows is exact, so answers are the same on every machine.
class WordMeasure {
  public:
    /// Counts above this one count as this one.
    static constexpr std::uint32_t largest_count = 255;
    /// The largest product of an image with itself, so that 32 bits hold every product. Images of
    /// 80 000 descriptors stay below it.
    static constexpr std::uint64_t largest_squared_norm = 0xFFFFFFFF;

    /// The measure of a normalization:
    ///
    ///     none, l1, l2  value = count
    ///     hellinger     value = round(8·√count)
    ///     tfidf         value = count, weight = round(idf²)
    ///     bm25          value = round(16·count·2.2/(count + 1.2)), weight = round(4·idf²)
    ///
    /// (idf as in core/weights.hpp; a whole image has no length here, which the norm replaces.)
    /// @param weights  of tfidf and bm25, one a word; else empty
    WordMeasure(Normalization normalization, std::span<const double> weights);

    std::uint32_t value(std::uint32_t count) const {
        return values_[count < largest_count ? count : largest_count];
    }
    /// Above 0.
    std::uint32_t weight(std::uint32_t word) const { return weights_.empty() ? 1 : weights_[word]; }
    /// The product of an image with itself. @throws Error{Fault::input} above largest_squared_norm
    std::uint32_t squared_norm(std::span<const WordCount> image) const;

  private:
    std::vector<std::uint32_t> values_;  ///< of each count from 0
    std::vector<std::uint32_t> weights_; ///< of each word; empty: all are 1
};

/// The product of two images: the plain way, which the index must agree with.
std::uint64_t product(const WordMeasure &measure, std::span<const WordCount> a,
                      std::span<const WordCount> b);

} // namespace bowhist
