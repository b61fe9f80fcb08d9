#include <bowhist/compare/image_search.hpp>

#include <bowhist/compare/host_comparison.hpp>
#include <bowhist/core/round_up.hpp>

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace bowhist {

InverseNorms::InverseNorms(std::span<const std::uint32_t> squared)
    : values(round_up(squared.size(), WordIndex::window_images)) {
    for (std::size_t i = 0; i < squared.size(); ++i) {
        longest = std::max(longest, squared[i]);
        if (squared[i] > 0) values[i] = static_cast<float>(1 / std::sqrt(double(squared[i])));
    }
}

std::vector<std::vector<ScoredImage>> search(const SearchableImages &images,
                                             std::span<const ImageQuery> queries,
                                             const ScoreWeights &weights, std::size_t most,
                                             const HostWay &way, std::int64_t least) {
    std::vector<std::vector<ScoredImage>> answers;
    const auto compare = [&] {
        for (std::size_t first = 0; first < queries.size(); first += queries_at_once) {
            const std::size_t count = std::min(queries_at_once, queries.size() - first);
            auto some =
                compare_on_host(images, queries.subspan(first, count), weights, most, way, least);
            std::ranges::move(some, std::back_inserter(answers));
        }
    };
    if (way.one_thread)
        tbb::task_arena(1).execute(compare);
    else
        compare();
    return answers;
}

} // namespace bowhist
