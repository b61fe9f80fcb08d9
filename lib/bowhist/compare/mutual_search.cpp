#include <bowhist/compare/mutual_search.hpp>

#include <bowhist/compare/host_comparison.hpp>
#include <bowhist/compare/prepared_queries.hpp>

#include <algorithm>
#include <limits>

namespace bowhist {

MutualSearch::MutualSearch(const SearchableImages &images, std::span<const std::uint32_t> numbers,
                           BestOfEach &best, std::size_t most)
    : images_(images), numbers_(numbers), best_(best), most_(most) {
    const InverseNorms &norms =
        images.words != nullptr ? *images.inverse_word_norms : *images.inverse_code_norms;
    // nothing counts for images without a description
    limits_.assign(norms.values.size(), std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (norms.values[i] > 0)
            limits_[i] = static_cast<float>(best.limit(numbers[i])) - score_error;
}

void MutualSearch::compare(std::span<const ImageQuery> queries,
                           std::span<const std::uint32_t> of_queries) {
    const ScoreWeights weights{images_.words != nullptr ? 1 : 0, images_.words != nullptr ? 0 : 1};
    for (std::size_t first = 0; first < queries.size(); first += queries_at_once) {
        const std::size_t count = std::min(queries_at_once, queries.size() - first);
        compare_on_host(images_, queries.subspan(first, count), weights, most_, *this,
                        of_queries.subspan(first, count));
    }
}

} // namespace bowhist
