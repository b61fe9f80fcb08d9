#pragma once

#include <bowhist/compare/best_images.hpp>
#include <bowhist/compare/code_index.hpp>
#include <bowhist/compare/excess_bounds.hpp>
#include <bowhist/compare/word_index.hpp>
#include <bowhist/compare/word_measure.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bowhist {

/// The weights of a score, which is the sum of weight · similarity (similarity.hpp).
struct ScoreWeights {
    std::int64_t words = 7;
    std::int64_t codes = 3;

    /// The score of two equal images.
    std::int64_t full() const { return (words + codes) * (std::int64_t{1} << 24); }
};

/// An image that is searched for. Parts that its score does not need may be empty.
struct ImageQuery {
    std::vector<WordCount> words = {};
    std::vector<std::int8_t> code = {};
};

/// 1/norm of images, 0 for those without a description; and the longest.
struct InverseNorms {
    InverseNorms() = default;
    /// @param squared  norms of images in their order
    explicit InverseNorms(std::span<const std::uint32_t> squared);

    std::vector<float> values = {}; ///< zeros fill the last window up
    std::uint32_t longest = 0;      ///< squared
};

/// Images that can be searched: their words, their codes, or both, in one order. All are whole:
/// finish() was called. Owns nothing: all that it names outlives it.
struct SearchableImages {
    const WordMeasure *measure = nullptr; ///< null without words
    const WordIndex *words = nullptr;
    std::span<const std::uint32_t> word_norms = {}; ///< squared, of each image
    const InverseNorms *inverse_word_norms = nullptr;
    const ExcessBounds *excess_bounds = nullptr; ///< of the words
    const CodeIndex *codes = nullptr;            ///< null without codes
    std::span<const std::uint32_t> code_norms = {};
    const InverseNorms *inverse_code_norms = nullptr;

    std::size_t size() const { return words != nullptr ? words->size() : codes->size(); }
};

/// Queries that are best searched for together: if images have words alone, a block of them comes
/// from memory once for all queries.
inline constexpr std::size_t queries_at_once = 512;

inline constexpr std::int64_t any_score = std::numeric_limits<std::int64_t>::min();

/// How the host adds up (search_choice.hpp).
struct HostWay {
    bool plain = false; ///< sum by sum, without vectors
    bool one_thread = false;
};

/// The most similar images of each query: BestImages::sorted(). Every image is compared, exactly;
/// images without any description have a score of 0. All threads; the same answers for any number
/// of them, and for any number of queries at once.
/// @param weights  0 for what the images lack
/// @param most     above 0
/// @param least    images of lower scores are left out
/// @throws Error{Fault::input} for a query of too many words; Error{Fault::interrupted}
std::vector<std::vector<ScoredImage>> search(const SearchableImages &images,
                                             std::span<const ImageQuery> queries,
                                             const ScoreWeights &weights, std::size_t most,
                                             const HostWay &way = {},
                                             std::int64_t least = any_score);

} // namespace bowhist
