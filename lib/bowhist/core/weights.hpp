#pragma once

#include <bowhist/core/histogram.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// In how many images each word occurs: of some of those that a vocabulary was learned from. Whole
/// numbers, so that every machine makes the same weights of them.
struct WordFrequencies {
    static constexpr std::size_t most_words = std::size_t{1} << 20; ///< that are recorded
    static constexpr std::size_t most_images = 100'000;             ///< that are counted

    std::uint64_t images = 0;                    ///< that have descriptors
    std::uint64_t descriptors = 0;               ///< of all of these together
    std::vector<std::uint64_t> images_with = {}; ///< of each word; at most `images`

    /// Counts an image; one without descriptors counts for nothing.
    void add(std::span<const std::uint32_t> counts);

    bool operator==(const WordFrequencies &) const = default;
};

/// Names what does not fit together in frequencies read from a file. Empty when they are whole.
/// @param k  words of the vocabulary
std::optional<std::string> fault_of(const WordFrequencies &frequencies, std::size_t k);

/// The weights of words, by a normalization that weighs(). With N images, of which n hold the word,
///
///     tfidf  count · (ln((1 + N)/(1 + n)) + 1), then the row to unit length
///     bm25   ln(1 + (N - n + 1/2)/(n + 1/2)) · count · 2.2/(count + 1.2 · (1/4 + 3/4 · sum/mean)),
///            sum being the row's counts and mean those of an image on average
///
/// (Sivic and Zisserman 2003, smoothed so that no weight is 0; Robertson and Zaragoza 2009, with
/// k1 = 1.2, b = 0.75, and 1 added within the logarithm, so that no weight is negative.) Logarithms
/// are series in float64 (core/logarithm.hpp): the same bits everywhere.
struct WordWeights {
    Normalization normalization = Normalization::tfidf;
    std::vector<double> of_word = {}; ///< k
    double mean = 1;                  ///< counts of an image on average, above 0

    /// The weights of rows whose counts add up to `times` those of histograms: of pyramids, of soft
    /// words.
    WordWeights scaled(std::size_t times) const;
};

/// @param frequencies  whole (fault_of)
WordWeights weights_of(const WordFrequencies &frequencies, Normalization normalization);

/// Weighted counts, computed in float64 and rounded once. All zeros stay zeros.
/// @param counts  one or more histograms of k words, end to end, as one row
std::vector<float> weigh(std::span<const std::uint32_t> counts, const WordWeights &weights);

/// weigh() where there are weights, else normalize().
std::vector<float> features(std::span<const std::uint32_t> counts, Normalization normalization,
                            const std::optional<WordWeights> &weights);

} // namespace bowhist
