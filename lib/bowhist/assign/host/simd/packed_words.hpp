#pragma once

#include <bowhist/core/round_up.hpp>

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace bowhist {

/// Memory for whole vectors, as yet unset. @throws std::bad_alloc, where Highway returns null
template <typename Value>
hwy::AlignedFreeUniquePtr<Value[]> allocate_aligned(std::size_t count) {
    auto memory = hwy::AllocateAligned<Value>(count);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

/// How a kernel wants its words: blocks of `vectors` vectors of `lanes` words, fewer in the last.
struct PackedShape {
    std::size_t lanes = 0;
    std::size_t vectors = 0;
};

/// Centroids for a CPU's vector units, dimension by dimension: [block][dimension][word of the
/// block], and a score's start for each word. Words that only fill a vector up are zero.
template <typename Value>
class PackedWords {
  public:
    /// @param steps values of a word, one after another: D, or the pairs of D
    PackedWords(std::size_t words, std::size_t steps, const PackedShape &shape)
        : shape_(shape), steps_(steps), vectors_(divided_up(words, shape.lanes)),
          values_(allocate_aligned<Value>(vectors_ * shape.lanes * steps)) {
        std::fill_n(values_.get(), vectors_ * shape.lanes * steps, Value{});
    }

    std::size_t steps() const { return steps_; }
    std::size_t blocks() const { return divided_up(vectors_, shape_.vectors); }
    /// Vectors of a block.
    std::size_t vectors(std::size_t block) const {
        return std::min(shape_.vectors, vectors_ - block * shape_.vectors);
    }
    /// Words, with those that fill up.
    std::size_t padded_words() const { return vectors_ * shape_.lanes; }
    std::size_t words_a_block() const { return shape_.vectors * shape_.lanes; }

    const Value *block(std::size_t b) const { return values_.get() + b * words_a_block() * steps_; }
    Value &at(std::size_t word, std::size_t step) {
        const std::size_t b = word / words_a_block();
        const std::size_t width = vectors(b) * shape_.lanes;
        return values_[b * words_a_block() * steps_ + step * width + word % words_a_block()];
    }

  private:
    PackedShape shape_;
    std::size_t steps_;
    std::size_t vectors_;
    hwy::AlignedFreeUniquePtr<Value[]> values_;
};

} // namespace bowhist
