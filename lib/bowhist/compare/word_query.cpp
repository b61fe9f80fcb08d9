#include <bowhist/compare/word_query.hpp>

#include <bowhist/compare/word_index.hpp>
#include <bowhist/core/round_up.hpp>

#include <bit>

namespace bowhist {
namespace {

/// Whether bitmaps cost less as a pile of their own than in the plane of each bit of their weight.
bool is_worth_a_pile(std::size_t bitmaps, std::uint64_t weight) {
    const auto bits = static_cast<std::size_t>(std::popcount(weight));
    const std::size_t added = round_up(bitmaps, AddingOrder::at_once);
    const std::size_t handed_over = added / AddingOrder::at_once + 3;
    return bits * bitmaps > added + bits * handed_over;
}

void append(std::vector<std::uint32_t> &all, const std::vector<std::uint32_t> &more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// The place of a bitmap in the results.
std::uint32_t place_of(std::size_t result) {
    return static_cast<std::uint32_t>(result) * WordIndex::block_words;
}
constexpr std::uint32_t zeros_of_results = 0;

} // namespace

AddingOrder::AddingOrder(std::span<const WeightedBitmap> bitmaps) : results_(1) {
    for (const auto &[offset, weight] : bitmaps) {
        most_ += weight;
        waiting(weight).of_block.push_back(offset);
    }
    for (; !others_.empty(); others_.erase(others_.begin())) { // it hands over what weighs more
        const auto &[weight, inputs] = *others_.begin();
        if (is_worth_a_pile(inputs.size(), weight))
            add_pile(weight, inputs);
        else
            add_by_bits(weight, inputs);
    }
    if (planes_.empty()) return;
    first_plane_ = static_cast<std::uint32_t>(std::countr_zero(planes_.begin()->first));
    const auto end = static_cast<std::uint32_t>(std::bit_width(most_));
    for (std::uint32_t plane = first_plane_; plane < end; ++plane) {
        const std::uint64_t weight = std::uint64_t{1} << plane;
        const Inputs &inputs = planes_[weight];
        if (inputs.size() > 0) add_pile(weight, inputs);
        sums_.push_back(inputs.size() > 0 ? place_of(results_ - 3) : zeros_of_results);
    }
    planes_.clear();
}

AddingOrder::Inputs &AddingOrder::waiting(std::uint64_t weight) {
    return (std::has_single_bit(weight) ? planes_ : others_)[weight];
}

void AddingOrder::add_by_bits(std::uint64_t weight, const Inputs &inputs) {
    for (std::uint64_t rest = weight; rest != 0; rest &= rest - 1) {
        Inputs &plane = planes_[rest & -rest];
        append(plane.of_block, inputs.of_block);
        append(plane.of_results, inputs.of_results);
    }
}

void AddingOrder::add_pile(std::uint64_t weight, const Inputs &inputs) {
    const std::size_t eights = divided_up(inputs.size(), at_once);
    Pile pile;
    pile.of_block = static_cast<std::uint32_t>(inputs.of_block.size() / at_once);
    pile.mixed = inputs.of_block.size() % at_once;
    pile.of_results = static_cast<std::uint32_t>(eights) - pile.of_block - (pile.mixed > 0 ? 1 : 0);
    piles_.push_back(pile);
    append(inputs_, inputs.of_block);
    append(inputs_, inputs.of_results);
    inputs_.resize(inputs_.size() + eights * at_once - inputs.size(), zeros_of_results);
    for (std::size_t i = 0; i < eights; ++i) hand_over(8 * weight);
    if (!std::has_single_bit(weight)) add_by_bits(weight, {{}, {place_of(results_)}});
    ++results_;
    hand_over(2 * weight);
    hand_over(4 * weight);
}

void AddingOrder::hand_over(std::uint64_t weight) {
    if (weight <= most_) waiting(weight).of_results.push_back(place_of(results_)); // else zeros
    ++results_;
}

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
