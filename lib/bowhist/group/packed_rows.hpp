#pragma once

#include <bowhist/assign/host/simd/packed_words.hpp>
#include <bowhist/core/integer_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Rows of integers for vector units, in blocks: [block][pair of dimensions][row of the block]. A
/// block serves as the rows of products and as their columns. Rows that fill the last block up are
/// zeros.
class PackedRows {
  public:
    static constexpr std::size_t block_rows = 48; ///< whole vectors of 4, 8 and 16, whole tiles

    /// @param kept  the rows to pack, in this order
    PackedRows(const IntegerRows &rows, std::span<const std::uint32_t> kept,
               std::span<const std::int32_t> squared_norms);

    std::size_t size() const { return size_; }
    std::size_t pairs() const { return pairs_; }
    std::size_t blocks() const { return divided_up(size_, block_rows); }
    const std::int32_t *block(std::size_t b) const {
        return values_.get() + b * block_rows * pairs_;
    }
    /// 1/norm of each row of a block, correctly rounded to a float but for the last bit; of those
    /// that fill up 0.
    const float *inverse_norms(std::size_t b) const {
        return inverse_norms_.get() + b * block_rows;
    }

  private:
    void pack_block(const IntegerRows &rows, std::span<const std::uint32_t> kept, std::size_t b);

    std::size_t size_;
    std::size_t pairs_;
    hwy::AlignedFreeUniquePtr<std::int32_t[]> values_;
    hwy::AlignedFreeUniquePtr<float[]> inverse_norms_;
};

} // namespace bowhist
