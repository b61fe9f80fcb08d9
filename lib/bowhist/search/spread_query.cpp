#include <bowhist/search/spread_query.hpp>

namespace bowhist {

SpreadQuery::SpreadQuery(const WordMeasure &measure, std::size_t words) : factors_(words) {
    for (std::uint32_t levels = 0; levels <= LevelFrequencies::most_levels; ++levels)
        for (std::uint32_t excess = 0; excess < excesses; ++excess)
            above_.push_back(measure.value(levels + excess) - measure.value(levels));
}

void SpreadQuery::set(const WordQuery &query) {
    for (const std::uint32_t word : words_) factors_[word] = {};
    words_.clear();
    for (const auto &[word, levels, factor] : query.lists()) {
        factors_[word] = {factor, levels};
        words_.push_back(word);
    }
}

std::uint64_t SpreadQuery::product_of_excess(const WordIndex &index, std::size_t image) const {
    std::uint64_t sum = 0;
    index.for_each_excess(image, [&](std::uint32_t word, std::uint32_t excess) {
        const auto [factor, levels] = factors_[word];
        sum += std::uint64_t{factor} * above_[levels * excesses + excess];
    });
    return sum;
}

} // namespace bowhist
