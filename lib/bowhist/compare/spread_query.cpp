#include <bowhist/compare/spread_query.hpp>

#include <algorithm>

namespace bowhist {

void SpreadQuery::make_room() {
    for (std::uint32_t levels = 0; levels <= LevelFrequencies::most_levels; ++levels)
        for (std::uint32_t excess = 0; excess <= ExcessRows::most_excess; ++excess)
            above_.push_back(measure_->value(levels + excess) - measure_->value(levels));
    if (has_table()) {
        table_.resize(k_);
    } else {
        may_have_.resize(most_in_table / 64);
        first_.resize(most_in_table);
    }
}

void SpreadQuery::set(const WordQuery &query) {
    if (above_.empty()) make_room();
    lists_ = query.lists();
    if (!has_table()) return set_chains();
    for (const std::uint32_t word : in_table_) table_[word] = {};
    in_table_.clear();
    for (const auto &[word, levels, factor] : lists_) {
        table_[word] = {factor, levels};
        in_table_.push_back(word);
    }
}

/// Words that share a bit make a chain. Entries of an earlier query may stay: no bit leads to them.
void SpreadQuery::set_chains() {
    std::ranges::fill(may_have_, 0);
    next_.assign(lists_.size(), no_list);
    for (std::uint32_t i = 0; i < lists_.size(); ++i) {
        const std::uint32_t place = lists_[i].word % most_in_table;
        if (may_have(place)) next_[i] = first_[place];
        first_[place] = i;
        may_have_[place / 64] |= std::uint64_t{1} << place % 64;
    }
}

std::uint64_t SpreadQuery::product_of_excess(const WordIndex &index, std::size_t image) const {
    return has_table() ? by_table(index, image) : by_chains(index, image);
}

std::uint64_t SpreadQuery::by_table(const WordIndex &index, std::size_t image) const {
    std::uint64_t sum = 0;
    index.for_each_excess(image, [&](std::uint32_t word, std::uint32_t excess) {
        const auto [factor, levels] = table_[word];
        sum += std::uint64_t{factor} * above(levels, excess);
    });
    return sum;
}

/// Gathers without a branch what the query may have, and then looks for that.
std::uint64_t SpreadQuery::by_chains(const WordIndex &index, std::size_t image) const {
    std::uint64_t sum = 0;
    constexpr std::size_t room = 256;
    std::uint32_t words[room];
    std::uint8_t excesses[room];
    std::size_t count = 0;
    const auto add_found = [&] {
        for (std::size_t n = 0; n < count; ++n) {
            std::uint32_t i = first_[words[n] % most_in_table];
            while (i != no_list && lists_[i].word != words[n]) i = next_[i];
            if (i == no_list) continue;
            sum += std::uint64_t{lists_[i].factor} * above(lists_[i].levels, excesses[n]);
        }
        count = 0;
    };
    index.for_each_excess(image, [&](std::uint32_t word, std::uint32_t excess) {
        words[count] = word;
        excesses[count] = static_cast<std::uint8_t>(excess);
        count += may_have(word % most_in_table) ? 1 : 0;
        if (count == room) add_found();
    });
    add_found();
    return sum;
}

} // namespace bowhist
