#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {

/// The sum of each word's descriptors, the same bit for bit in any order of adding: values are
/// rounded to multiples of one power of two, so fine that float64 just holds all sums exactly. For
/// n descriptors it is about n / 2^51 of the largest value.
class CentroidSums {
  public:
    /// @param descriptors  that are added again and again; one read of them finds the power of two
    CentroidSums(const Descriptors &descriptors, std::size_t k);

    /// The sums, and how many descriptors each has, start again from these. All threads work.
    ///
    /// @param words   each descriptor's, in [0, k)
    /// @param before  the words of the call before; empty: there are none
    /// @return how many words are others than before
    std::size_t add(const std::vector<std::int32_t> &words,
                    const std::vector<std::int32_t> &before);

    /// The same of multiples that were added up elsewhere: k×D, or none where nobody asks, and how
    /// many descriptors each word has.
    void take(std::span<const std::int64_t> sums, std::vector<std::uint32_t> counts);

    /// A power of two that makes values multiples.
    double scale() const { return scale_; }
    /// Two whose product it is: it may leave float32's range.
    std::pair<float, float> scales() const;

    /// The sum of the squared distances between the descriptors of the last call and their words'
    /// centroids: Σ|x|² less what the sums say of the rest, which needs no descriptor.
    double inertia(const Vocabulary &vocabulary) const;
    /// The same from what each word's sums say, found elsewhere (move_words.cl).
    double inertia(std::span<const double> explained) const;

    /// The words that have no descriptor.
    std::vector<std::size_t> empty() const;

    /// Puts each other word's centroid on the mean of its descriptors.
    void move(Vocabulary &vocabulary) const;

  private:
    struct Part {
        std::vector<double> sums; ///< k×D, in multiples
        std::vector<std::uint32_t> counts;
        std::size_t moved = 0;
    };
    void add_rows(std::size_t first, std::size_t end, const std::vector<std::int32_t> &words,
                  const std::vector<std::int32_t> &before, Part &part) const;

    const Descriptors &descriptors_;
    double scale_;            ///< makes values multiples
    double squares_;          ///< Σ|x|²
    std::vector<Part> parts_; ///< of the descriptors; the first part becomes all of them
};

} // namespace bowhist
