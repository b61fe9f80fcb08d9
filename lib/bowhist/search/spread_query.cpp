#include <bowhist/search/spread_query.hpp>

#include <algorithm>

namespace bowhist {

void SpreadQuery::make_room() {
    for (std::uint32_t levels = 0; levels <= LevelFrequencies::most_levels; ++levels)
        for (std::uint32_t excess = 0; excess <= ExcessRows::most_excess; ++excess)
            above_.push_back(measure_->value(levels + excess) - measure_->value(levels));
    if (has_table())
        table_.resize(k_);
    else
        may_have_.resize(most_in_table / 64);
}

void SpreadQuery::set(const WordQuery &query) {
    if (above_.empty()) make_room();
    lists_ = query.lists();
    if (!has_table()) {
        std::ranges::fill(may_have_, 0);
        for (const WordQuery::List &list : lists_)
            may_have_[list.word % most_in_table / 64] |= std::uint64_t{1} << list.word % 64;
        return;
    }
    for (const std::uint32_t word : in_table_) table_[word] = {};
    in_table_.clear();
    for (const auto &[word, levels, factor] : lists_) {
        table_[word] = {factor, levels};
        in_table_.push_back(word);
    }
}

std::uint64_t SpreadQuery::product_of_excess(const WordIndex &index, std::size_t image) const {
    return has_table() ? by_table(index, image) : by_lists(index, image);
}

std::uint64_t SpreadQuery::by_table(const WordIndex &index, std::size_t image) const {
    std::uint64_t sum = 0;
    index.for_each_excess(image, [&](std::uint32_t word, std::uint32_t excess) {
        const auto [factor, levels] = table_[word];
        sum += std::uint64_t{factor} * above(levels, excess);
    });
    return sum;
}

std::uint64_t SpreadQuery::by_lists(const WordIndex &index, std::size_t image) const {
    std::uint64_t sum = 0;
    auto list = lists_.begin();
    index.for_each_excess(image, [&](std::uint32_t word, std::uint32_t excess) {
        if ((may_have_[word % most_in_table / 64] >> word % 64 & 1U) == 0) return;
        while (list != lists_.end() && list->word < word) ++list;
        if (list != lists_.end() && list->word == word)
            sum += std::uint64_t{list->factor} * above(list->levels, excess);
    });
    return sum;
}

} // namespace bowhist
