#include <bowhist/search/word_query.hpp>

namespace bowhist {

WordQuery::WordQuery(const WordMeasure &measure, const WordRows &rows,
                     std::span<const WordCount> image)
    : measure_(&measure), squared_norm_(measure.squared_norm(image)) {
    lists_.reserve(image.size());
    gains_.reserve(image.size());
    for (const WordCount &of_query : image) add_word(measure, rows, of_query);
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
    lists_.push_back({word, levels, factor});
    Gains &gains = gains_.emplace_back();
    for (std::uint32_t excess = 0; excess < gains.size(); ++excess)
        gains[excess] = gain(lists_.back(), excess);
}

} // namespace bowhist
