#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// What images' counts exceed the bitmaps of an index by: of each image its words with an excess,
/// rising. In entries of 16 bits: how far on the word is, times 16, plus the excess. An excess of 0
/// goes on to a word that is far; one of 15 or more has what exceeds 15 in an entry of its own.
class ExcessRows {
  public:
    static constexpr std::uint32_t large_excess = 15;

    /// A word of the last image, behind those that it has.
    void add(std::uint32_t word, std::uint32_t excess);
    /// The last image has all its words; the next follows.
    void close_image();

    std::size_t size() const { return starts_.size() - 1; }
    std::size_t bytes() const {
        return starts_.size() * sizeof(starts_[0]) + entries_.size() * sizeof(entries_[0]);
    }
    /// Visits an image's words: visit(word, excess).
    template <typename Visit>
    void for_each(std::size_t image, Visit visit) const {
        std::uint32_t word = 0;
        const std::uint16_t *const end = entries_.data() + starts_[image + 1];
        for (const std::uint16_t *entry = entries_.data() + starts_[image]; entry != end; ++entry) {
            word += *entry >> 4U;
            std::uint32_t excess = *entry & 15U;
            if (excess - 1 >= large_excess - 1) { // rare
                if (excess == 0) continue;
                excess += *++entry;
            }
            visit(word, excess);
        }
    }
    /// Brings what for_each() reads from memory.
    void fetch(std::size_t image) const {
        constexpr std::size_t line = 64 / sizeof(std::uint16_t);
        for (std::size_t e = starts_[image]; e < starts_[image + 1]; e += line)
            __builtin_prefetch(entries_.data() + e);
    }

  private:
    std::vector<std::uint32_t> starts_ = {0}; ///< size() + 1: of each image's entries
    std::vector<std::uint16_t> entries_;
    std::uint32_t last_word_ = 0;
};

} // namespace bowhist
