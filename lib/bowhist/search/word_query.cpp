#include <bowhist/search/word_query.hpp>

#include <bowhist/core/round_up.hpp>

#include <algorithm>
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
    lay_out(static_cast<std::uint32_t>(rows.count()));
}

void WordQuery::add_word(const WordMeasure &measure, const WordRows &rows,
                         const WordCount &of_query) {
    const std::uint32_t word = of_query.word;
    const std::uint32_t factor = measure.weight(word) * measure.value(of_query.count);
    const std::uint32_t levels = rows.levels(word);
    for (std::uint32_t level = 1; level <= levels; ++level) {
        const std::uint32_t offset = (rows.first[word] + level - 1) * WordIndex::block_words;
        offsets_.push_back(offset);
        for (std::uint32_t rest = factor * (measure.value(level) - measure.value(level - 1));
             rest != 0; rest &= rest - 1)
            planes_[std::countr_zero(rest)].offsets.push_back(offset);
    }
    most_ += std::uint64_t{factor} * measure.value(levels);
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

/// Each plane hands over what its sums hold beyond its own bit: one bitmap to each of the next two,
/// and one for every eight bitmaps to the third.
void WordQuery::lay_out(std::uint32_t zero_row) {
    const auto is_empty = [](const Plane &plane) { return plane.offsets.empty(); };
    first_plane_ =
        static_cast<std::uint32_t>(std::ranges::find_if_not(planes_, is_empty) - planes_.begin());
    planes_.erase(planes_.begin(), planes_.begin() + first_plane_);
    planes_.resize(std::bit_width(most_) -
                   std::min<std::size_t>(first_plane_, std::bit_width(most_)));
    std::vector<std::uint32_t> carried(planes_.size() + 3, 0);
    std::uint32_t first = 0;
    for (std::size_t p = 0; p < planes_.size(); ++p) {
        Plane &plane = planes_[p];
        plane.offsets.resize(round_up(plane.offsets.size(), at_once),
                             zero_row * WordIndex::block_words);
        plane.carried = static_cast<std::uint32_t>(round_up(carried[p], at_once));
        plane.first_carried = first;
        first += plane.carried;
        const auto batches =
            static_cast<std::uint32_t>((plane.offsets.size() + plane.carried) / at_once);
        if (batches == 0) continue;
        ++carried[p + 1];
        ++carried[p + 2];
        carried[p + 3] += batches;
    }
    scratch_ = first;
}

} // namespace bowhist
