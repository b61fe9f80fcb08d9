#pragma once

#include <bowhist/compare/image_search.hpp>
#include <bowhist/compare/word_query.hpp>

#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// A query as a search reads it.
struct PreparedQuery {
    std::unique_ptr<WordQuery> words = nullptr; ///< null where images have no words
    std::uint32_t code_norm = 0;                ///< squared
    float word_factor = 0; ///< a product with words times this and the image's inverse norm is its
                           ///< part of the score
    float code_factor = 0;
    ExcessBounds::Factors bound; ///< as word_factor, of what is at most part of the score
};

/// The most that a score in floats may lie below the true one. A part of at most 7·2²⁴ and one of
/// 3·2²⁴ have five roundings each, and their sum one, of 2⁻²⁴ of it: less than 100 together.
/// Fractions that are cut off only lower the true one.
inline constexpr float score_error = 128;

/// Queries, prepared for images, which outlive them.
class PreparedQueries {
  public:
    PreparedQueries(const SearchableImages &images, std::span<const ImageQuery> queries,
                    const ScoreWeights &weights);

    std::size_t size() const { return queries_.size(); }
    const PreparedQuery &operator[](std::size_t q) const { return queries_[q]; }
    const CodeQueries &codes() const { return codes_; }

    /// The exact score of an image, by its products with a query.
    std::int64_t score(std::size_t q, std::size_t image, std::int64_t words,
                       std::int64_t codes) const;
    /// The same, but for score_error.
    float score_in_floats(std::size_t q, std::size_t image, std::uint64_t words,
                          std::int64_t codes) const;
    /// The score in floats that is reached whenever the true one reaches a limit.
    float screen_limit(std::int64_t limit) const;

  private:
    std::vector<std::int8_t> code_of(const ImageQuery &query) const;
    void prepare(const ImageQuery &query, PreparedQuery &prepared) const;

    const SearchableImages &images_;
    ScoreWeights weights_;
    std::vector<PreparedQuery> queries_;
    CodeQueries codes_;
};

} // namespace bowhist
