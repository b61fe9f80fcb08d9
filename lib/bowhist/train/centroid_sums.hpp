#pragma once

#include <bowhist/core/descriptor_rows.hpp>
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
    /// @param rows  that are added again and again; one read of them finds the power of two
    CentroidSums(const DescriptorRows &rows, std::size_t k);

    /// The sums, and how many descriptors each has, start again.
    void clear();

    /// Adds some descriptors. All threads work.
    ///
    /// @param values  their floats
    /// @param words   each one's, in [0, k)
    /// @param before  their words the time before, or -1; becomes `words`
    /// @return how many words are others than before
    std::size_t add(std::span<const float> values, std::span<const std::int32_t> words,
                    std::span<std::int32_t> before);

    /// All are added: what follows may be asked for.
    void finish();

    /// In place of all that: multiples that were added up elsewhere, k×D, or none where nobody
    /// asks, and how many descriptors each word has.
    void take(std::span<const std::int64_t> sums, std::vector<std::uint32_t> counts);

    /// A power of two that makes values multiples.
    double scale() const { return scale_; }
    /// Two whose product it is: it may leave float32's range.
    std::pair<float, float> scales() const;

    /// The sum of the squared distances between the descriptors that were added and their words'
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
    };
    std::size_t add_rows(std::span<const float> values, std::span<const std::int32_t> words,
                         std::span<std::int32_t> before, Part &part) const;

    std::size_t dimensions_;
    double scale_;            ///< makes values multiples
    double squares_;          ///< Σ|x|²
    std::vector<Part> parts_; ///< a thread's each; in the end the first is all of them
};

} // namespace bowhist
