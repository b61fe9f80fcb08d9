#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The exponent by which VladEncoder rounds: 2^exponent brings `largest`, the largest magnitude of
/// the rows that words were learned from, into [2^19, 2^20).
int vlad_exponent(float largest);

/// Vectors of locally aggregated descriptors (Jégou, Douze, Schmid, Pérez 2010), with each word's
/// part brought to unit length (Arandjelović and Zisserman 2013) and signed square roots.
///
/// Differences from words are added up as whole numbers: row and word times 2^exponent, rounded,
/// magnitudes of at most 2^26 (larger ones, and NaN, become that). float64 holds each sum exactly
/// for fewer than 2^26 rows, so their order does not matter. All later steps are float64, one
/// rounding an operation, in the order of words and dimensions.
///
/// Any thread, several at a time.
class VladEncoder {
  public:
    /// @param exponent  by vlad_exponent(), recorded with the words
    VladEncoder(const Vocabulary &words, int exponent);

    /// The length of an image's row: k × D.
    std::size_t length() const { return words_.size(); }

    /// An image's row, of unit length; zeros where there are no rows, or all equal their words.
    /// @param rows  n×D, prepared as those that the words were learned from
    /// @param words n, each row's word by the rule in docs/words.md
    std::vector<float> encode(std::span<const float> rows,
                              std::span<const std::int32_t> words) const;

    /// The same of what a device added up of the rows.
    /// @param cell  of a tally (encode/tally.hpp): k counts, k×D sums
    std::vector<float> encode(std::span<const std::uint32_t> cell) const;

  private:
    std::vector<float> finish(std::vector<double> sums, std::span<const double> counts) const;

    std::size_t dimensions_;
    double scale_;
    std::vector<double> words_; ///< k×D whole numbers
};

/// A row of at most unit length, rounded for products and projections.
std::vector<std::int16_t> whole_row(std::span<const float> row);

} // namespace bowhist
