#include <bowhist/core/default_floats.hpp>
#include <bowhist/group/packed_rows.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace bowhist {

PackedRows::PackedRows(const IntegerRows &rows, std::span<const std::uint32_t> kept,
                       std::span<const std::int32_t> squared_norms)
    : size_(kept.size()), pairs_(divided_up(rows.dimensions, 2)),
      values_(allocate_aligned<std::int32_t>(blocks() * block_rows * pairs_)),
      inverse_norms_(allocate_aligned<float>(blocks() * block_rows)) {
    tbb::parallel_for(std::size_t{0}, blocks(), [&](std::size_t b) {
        const DefaultFloats floats;
        pack_block(rows, kept, b);
        for (std::size_t i = 0; i < block_rows; ++i) {
            const std::size_t row = b * block_rows + i;
            inverse_norms_[row] =
                row < size_ ? static_cast<float>(1 / std::sqrt(double(squared_norms[kept[row]])))
                            : 0.0F;
        }
    });
}

void PackedRows::pack_block(const IntegerRows &rows, std::span<const std::uint32_t> kept,
                            std::size_t b) {
    std::int32_t *block = values_.get() + b * block_rows * pairs_;
    const std::size_t count = std::min(block_rows, size_ - b * block_rows);
    if (count < block_rows) std::fill_n(block, block_rows * pairs_, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const auto row = rows.row(kept[b * block_rows + i]);
        for (std::size_t pair = 0; pair < pairs_; ++pair) {
            const auto low = static_cast<std::uint16_t>(row[2 * pair]);
            const auto high = 2 * pair + 1 < row.size()
                                  ? static_cast<std::uint16_t>(row[2 * pair + 1])
                                  : std::uint16_t{0};
            block[pair * block_rows + i] =
                static_cast<std::int32_t>(low | std::uint32_t{high} << 16);
        }
    }
}

} // namespace bowhist
