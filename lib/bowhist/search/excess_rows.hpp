#pragma once

#include <bowhist/core/prefetch.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The excess of images' counts over the bitmaps of an index: each image's words with an excess,
/// rising.
class ExcessRows {
  public:
    static constexpr std::uint32_t most_excess = 255; ///< as counts above this one count as this

    /// A word of the last image, behind those that it has. @param excess  up to most_excess
    void add(std::uint32_t word, std::uint32_t excess);
    /// The last image has all its words; the next follows.
    void close_image();

    std::size_t size() const { return starts_.size() - 1; }
    std::size_t bytes() const {
        return starts_.size() * sizeof(starts_[0]) + low_.size() * sizeof(low_[0]) +
               high_.size() * sizeof(high_[0]) + excess_.size();
    }
    /// Visits an image's words: visit(word, excess).
    template <typename Visit>
    void for_each(std::size_t image, Visit visit) const {
        const std::size_t end = starts_[image + 1];
        if (high_.empty())
            for (std::size_t i = starts_[image]; i < end; ++i)
                visit(std::uint32_t{low_[i]}, std::uint32_t{excess_[i]});
        else
            for (std::size_t i = starts_[image]; i < end; ++i)
                visit(low_[i] | std::uint32_t{high_[i]} << 16U, std::uint32_t{excess_[i]});
    }
    /// Brings what for_each() reads from memory.
    void fetch(std::size_t image) const {
        const std::size_t first = starts_[image];
        const std::size_t count = starts_[image + 1] - first;
        prefetch(std::span(low_).subspan(first, count));
        prefetch(std::span(excess_).subspan(first, count));
    }

  private:
    std::vector<std::uint32_t> starts_ = {0}; ///< size() + 1: of each image's words
    std::vector<std::uint16_t> low_;          ///< bits of the words
    std::vector<std::uint16_t> high_;         ///< bits of them; empty where all are 0
    std::vector<std::uint8_t> excess_;
};

} // namespace bowhist
