#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The m nearest words of each row, exact by the rule (docs/words.md), found on the host. float32
/// scores leave a few contenders: a word whose score is below the m-th best by more than the bound
/// (assign/bound.hpp) is farther than m others. The rule decides among the contenders.
///
/// Any thread, several at a time.
class NearestWords {
  public:
    /// @param words  outlive it
    /// @param most   m, at least 1; of fewer words all
    NearestWords(const Vocabulary &words, std::size_t most);

    /// Words of a row: m, or k where there are fewer.
    std::size_t size() const { return size_; }

    /// n × size() words: each row's nearest first; of equally near ones, the lowest first. The same
    /// for any number of threads, all of which it uses.
    /// @param rows  n×D; the words of a row with NaN or infinity are the lowest
    std::vector<std::int32_t> find(std::span<const float> rows) const;

    /// Finishes what a device began: puts the words of each row in the rule's order, and finds
    /// those of a row that holds -1 first.
    /// @param rows     n×D
    /// @param nearest  n × size() words: of a row its size() nearest, in any order
    void complete(std::span<const float> rows, std::span<std::int32_t> nearest) const;

  private:
    struct Contender {
        double distance;
        std::int32_t word;
        auto operator<=>(const Contender &) const = default;
    };

    void order(std::span<const float> row, std::span<std::int32_t> nearest) const;
    void find_part(std::span<const float> rows, std::span<std::int32_t> nearest) const;
    void decide(std::span<const float> row, std::span<const float> scores,
                std::vector<Contender> &contenders, std::span<std::int32_t> nearest) const;

    const Vocabulary &words_;
    std::size_t size_;
    DotBound bound_;
    std::vector<float> packed_; ///< [block][dimension][word of the block]
    std::vector<float> starts_; ///< scores of rows of zeros; minus infinity where a block has no
                                ///< word
};

} // namespace bowhist
