#pragma once

#include <bowhist/core/large_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Codes of images in the form that is searched: groups of 64 images, [group][pair of
/// dimensions][image][2]. Images that fill the last window up are zeros.
///
/// Protocol: add images in their order, then finish. Then any number of threads may read.
class CodeIndex {
  public:
    static constexpr std::size_t group_images = 64;

    /// @param dimensions  of a code, above 0
    explicit CodeIndex(std::size_t dimensions);
    /// An index of images whose groups are written to groups(), in the place of add() and finish().
    CodeIndex(std::size_t dimensions, std::size_t images, std::size_t multiple);

    void add(std::span<const std::int8_t> code);
    /// @param multiple  of images, itself a multiple of group_images, that zeros fill up to
    void finish(std::size_t multiple);

    std::size_t size() const { return images_; }
    std::size_t dimensions() const { return dimensions_; }
    std::size_t pairs() const { return (dimensions_ + 1) / 2; }
    std::int8_t *groups() { return memory_.get(); }
    const std::int8_t *group(std::size_t g) const {
        const std::int8_t *first = values_.empty() ? memory_.get() : values_.data();
        return first + g * group_images * pairs() * 2;
    }

  private:
    std::size_t dimensions_;
    std::size_t images_ = 0;
    std::vector<std::int8_t> values_; ///< that were added
    LargeMemory<std::int8_t> memory_; ///< of those that are written at once
};

/// Codes that are searched for: [pair of dimensions][query], two 16-bit integers each.
class CodeQueries {
  public:
    static constexpr std::size_t at_once = 8; ///< zeros fill up to a multiple

    explicit CodeQueries(std::size_t dimensions) : dimensions_(dimensions) {}
    void add(std::span<const std::int8_t> code);

    std::size_t size() const { return count_; }
    std::size_t batches() const { return (count_ + at_once - 1) / at_once; }
    /// [pair][at_once]
    const std::int32_t *batch(std::size_t b) const {
        return values_.data() + b * at_once * ((dimensions_ + 1) / 2);
    }

  private:
    std::size_t dimensions_;
    std::size_t count_ = 0;
    std::vector<std::int32_t> values_;
};

/// The product of a code with itself.
std::uint32_t squared_norm(std::span<const std::int8_t> code);

/// The products of a batch of queries with the images of some groups: [query][image], exact.
/// @param groups  from `first` on; 64·groups images
using MultiplyCodes = void (*)(const CodeIndex &index, const std::int32_t *batch, std::size_t first,
                               std::size_t groups, std::int32_t *products);

/// The code for the vector units at hand.
MultiplyCodes multiply_codes();

} // namespace bowhist
