#include <bowhist/compare/prepared_queries.hpp>

#include <bowhist/compare/similarity.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

float factor_of(std::int64_t weight, std::uint32_t squared_norm) {
    if (squared_norm == 0) return 0;
    return static_cast<float>(double(weight * full_similarity) / std::sqrt(double(squared_norm)));
}

} // namespace

PreparedQueries::PreparedQueries(const SearchableImages &images,
                                 std::span<const ImageQuery> queries, const ScoreWeights &weights)
    : images_(images), weights_(weights),
      codes_(images.codes != nullptr ? images.codes->dimensions() : 1) {
    queries_.resize(queries.size());
    tbb::parallel_for(std::size_t{0}, queries.size(),
                      [&](std::size_t q) { prepare(queries[q], queries_[q]); });
    if (images.codes == nullptr) return;
    for (const ImageQuery &query : queries) codes_.add(code_of(query));
}

/// Zeros stand for one that is missing.
std::vector<std::int8_t> PreparedQueries::code_of(const ImageQuery &query) const {
    std::vector<std::int8_t> code = query.code;
    code.resize(images_.codes->dimensions());
    return code;
}

void PreparedQueries::prepare(const ImageQuery &query, PreparedQuery &prepared) const {
    if (images_.words != nullptr) {
        prepared.words =
            std::make_unique<WordQuery>(*images_.measure, images_.words->rows(), query.words);
        prepared.word_factor = factor_of(weights_.words, prepared.words->squared_norm());
        std::vector<std::uint32_t> factors;
        for (const WordQuery::List &list : prepared.words->lists()) factors.push_back(list.factor);
        prepared.bound = images_.excess_bounds->factors(factors);
        prepared.bound.ratio *= prepared.word_factor;
        prepared.bound.sum *= prepared.word_factor;
        prepared.bound.root *= prepared.word_factor;
    }
    if (images_.codes != nullptr) {
        prepared.code_norm = squared_norm(code_of(query));
        prepared.code_factor = factor_of(weights_.codes, prepared.code_norm);
    }
}

std::int64_t PreparedQueries::score(std::size_t q, std::size_t image, std::int64_t words,
                                    std::int64_t codes) const {
    const PreparedQuery &query = queries_[q];
    std::int64_t score = 0;
    if (images_.words != nullptr)
        score += weights_.words *
                 similarity(words, query.words->squared_norm(), images_.word_norms[image]);
    if (images_.codes != nullptr)
        score += weights_.codes * similarity(codes, query.code_norm, images_.code_norms[image]);
    return score;
}

float PreparedQueries::score_in_floats(std::size_t q, std::size_t image, std::uint64_t words,
                                       std::int64_t codes) const {
    const PreparedQuery &query = queries_[q];
    float score = 0;
    if (images_.words != nullptr)
        score = static_cast<float>(words) * images_.inverse_word_norms->values[image] *
                query.word_factor;
    if (images_.codes != nullptr)
        score += static_cast<float>(codes) * images_.inverse_code_norms->values[image] *
                 query.code_factor;
    return score;
}

float PreparedQueries::screen_limit(std::int64_t limit) const {
    return static_cast<float>(std::max(limit, -weights_.full())) - score_error;
}

} // namespace bowhist
