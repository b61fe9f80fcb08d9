#pragma once

#include <bowhist/compare/word_index.hpp>
#include <bowhist/compare/word_measure.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace bowhist {

/// A bitmap of a block, a bit an image, and what each bit adds to its image's sum.
struct WeightedBitmap {
    std::uint32_t offset = 0; ///< from the block's start, in 64 bits
    std::uint32_t weight = 0;
};

/// The order in which weighted bitmaps are added up, eight at a time by full adders (Harley and
/// Seal's counter). Bitmaps of one weight w make a pile: its sum of eight goes on as a bitmap of
/// 8w, what is left as bitmaps of w, 2w and 4w. Piles of powers of two are the planes of the sums,
/// bit by bit. Another pile is made where many bitmaps share a weight: then each is added once, and
/// not once for each bit of the weight. Any number of threads may read an order.
class AddingOrder {
  public:
    static constexpr std::size_t at_once = 8;

    /// The next inputs, by eights: bitmaps of the block, an eight of both kinds, results of piles
    /// in front.
    struct Pile {
        std::uint32_t of_block = 0;
        std::uint32_t mixed =
            0; ///< bitmaps of the block in the eight of both; 0 without such an eight
        std::uint32_t of_results = 0;
    };

    AddingOrder() = default;
    explicit AddingOrder(std::span<const WeightedBitmap> bitmaps);

    std::span<const Pile> piles() const { return piles_; }
    /// The inputs of all piles, one behind the other: offsets from the block's or the results'
    /// start, in 64 bits.
    std::span<const std::uint32_t> inputs() const { return inputs_; }
    /// The number of bitmaps: one of zeros, which fills eights up; then for each pile those that
    /// its eights hand over, and its ones, twos and fours.
    std::size_t results() const { return results_; }
    /// The sums' bits from first_plane() on: where they lie in the results, in 64 bits. Sums have
    /// no others.
    std::span<const std::uint32_t> planes() const { return sums_; }
    std::uint32_t first_plane() const { return first_plane_; }

  private:
    struct Inputs {
        std::vector<std::uint32_t> of_block = {};
        std::vector<std::uint32_t> of_results = {};
        std::size_t size() const { return of_block.size() + of_results.size(); }
    };
    using Piles = std::map<std::uint64_t, Inputs>; ///< by weight

    /// The inputs that a pile of the weight will add.
    Inputs &waiting(std::uint64_t weight);
    void add_pile(std::uint64_t weight, const Inputs &inputs);
    void add_by_bits(std::uint64_t weight, const Inputs &inputs);
    /// The next result waits for the pile of its weight.
    void hand_over(std::uint64_t weight);

    std::uint64_t most_ = 0; ///< of a sum
    Piles planes_, others_;  ///< what waits to be added, while the order is made
    std::vector<Pile> piles_;
    std::vector<std::uint32_t> inputs_;
    std::size_t results_ = 0;
    std::vector<std::uint32_t> sums_;
    std::uint32_t first_plane_ = 0;
};

/// An image's words as work on an index: which bitmaps are added up with which weights, and which
/// lists are looked through.
class WordQuery {
  public:
    /// A list to look through.
    struct List {
        std::uint32_t word = 0;
        std::uint32_t levels = 0; ///< bitmaps of the word
        std::uint32_t factor = 0; ///< of values that are added
    };
    using Gains = std::array<std::uint32_t, ExcessLists::largest_short + 1>;

    /// @param measure  outlives the query
    /// @param rows  of the index
    WordQuery(const WordMeasure &measure, const WordRows &rows, std::span<const WordCount> image);

    std::uint32_t squared_norm() const { return squared_norm_; }
    /// Rising.
    std::span<const WeightedBitmap> bitmaps() const { return bitmaps_; }
    /// How the host adds them up.
    const AddingOrder &order() const { return order_; }
    /// The lists, by rising word.
    std::span<const List> lists() const { return lists_; }
    /// The gains of a list's short entries, by their excess. @param list  its number
    const Gains &gains(std::size_t list) const { return gains_[list]; }
    /// The gain of an entry of a list.
    std::uint32_t gain(const List &list, std::uint32_t excess) const {
        return list.factor * (measure_->value(list.levels + excess) - measure_->value(list.levels));
    }

  private:
    void add_word(const WordMeasure &measure, const WordRows &rows, const WordCount &of_query);

    const WordMeasure *measure_;
    std::uint32_t squared_norm_;
    std::vector<WeightedBitmap> bitmaps_;
    AddingOrder order_;
    std::vector<List> lists_;
    std::vector<Gains> gains_; ///< of each list
};

} // namespace bowhist
