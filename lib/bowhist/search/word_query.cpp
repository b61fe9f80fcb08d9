#include <bowhist/search/word_query.hpp>

#include <bowhist/core/round_up.hpp>

#include <bit>

namespace bowhist {

WordQuery::WordQuery(const WordMeasure &measure, const WordRows &rows,
                     std::span<const WordCount> image)
    : measure_(&measure), squared_norm_(measure.squared_norm(image)),
      has_(divided_up(rows.words(), 64)) {
    factors_.reserve(image.size());
    lists_.reserve(image.size());
    for (const WordCount &of_query : image) add_word(measure, rows, of_query);
    ranks_.reserve(has_.size());
    std::uint32_t rank = 0;
    for (const std::uint64_t bits : has_) {
        ranks_.push_back(rank);
        rank += static_cast<std::uint32_t>(std::popcount(bits));
    }
    order_ = AddingOrder(bitmaps_);
}

void WordQuery::add_word(const WordMeasure &measure, const WordRows &rows,
                         const WordCount &of_query) {
    const std::uint32_t word = of_query.word;
    const std::uint32_t factor = measure.weight(word) * measure.value(of_query.count);
    const std::uint32_t levels = rows.levels(word);
    auto offset = static_cast<std::uint32_t>(rows.first[word] * WordIndex::block_words);
    for (std::uint32_t level = 1; level <= levels; ++level, offset += WordIndex::block_words)
        bitmaps_.push_back({offset, factor * (measure.value(level) - measure.value(level - 1))});
    List list{word, levels, factor};
    for (std::uint32_t excess = 0; excess < list.gains.size(); ++excess)
        list.gains[excess] = gain(list, excess);
    lists_.push_back(list);
    has_[word / 64] |= std::uint64_t{1} << word % 64;
    factors_.push_back({factor, levels});
}

std::uint64_t WordQuery::product_of_excess(const WordIndex &index, std::size_t image) const {
    std::uint64_t sum = 0;
    index.for_each_excess_in(has_, image, [&](std::uint32_t word, std::uint32_t excess) {
        const auto &[factor, levels] = factors_[rank(word)];
        sum += factor * (measure_->value(levels + excess) - measure_->value(levels));
    });
    return sum;
}

} // namespace bowhist
