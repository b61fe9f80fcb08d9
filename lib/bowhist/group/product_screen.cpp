// Products of rows with rows, all exact, and a screen in floats that leaves few of them to look at.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/group/product_screen.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/host/simd/pair_products-inl.hpp>
#include <bowhist/group/product_screen.hpp>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace { // other screens have functions of these names

using Integers = hn::ScalableTag<std::int32_t>;
using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Integers>;
constexpr std::size_t lanes = hn::MaxLanes(Integers());
constexpr std::size_t width = PackedRows::block_rows;
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t tile_rows = 8; // of 32 registers 24 hold sums
constexpr std::size_t tile_vectors = 3;
#else
constexpr std::size_t tile_rows = 6; // of 16 registers 12 hold sums
constexpr std::size_t tile_vectors = 2;
#endif
static_assert(width % tile_rows == 0 && width % (tile_vectors * lanes) == 0);

/// A tile of products.
struct Tile {
    std::size_t row;    ///< the first
    std::size_t column; ///< the first, in the strip's block
};

/// The lanes of a row's products that its mask holds become hits.
HWY_NOINLINE void keep(Vector products, hn::Mask<Integers> mask, std::size_t row,
                       std::size_t column, std::vector<Hit> &hits) {
    const Integers d;
    HWY_ALIGN std::int32_t values[lanes];
    HWY_ALIGN std::int32_t taken[lanes];
    hn::Store(products, d, values);
    hn::Store(hn::IfThenElseZero(mask, hn::Set(d, 1)), d, taken);
    for (std::size_t i = 0; i < lanes; ++i)
        if (taken[i] != 0)
            hits.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column + i),
                            values[i]});
}

/// Multiplies tile_rows rows with some vectors of columns, all in registers, and keeps the hits.
template <bool kVnni>
HWY_INLINE void screen_tile(const PackedRows &packed, const Strip &strip, const Tile &tile,
                            std::vector<Hit> &hits) {
    const Integers d;
    const Floats f;
    const std::size_t block = tile.row / width;
    const std::int32_t *rows = packed.block(block) + tile.row % width;
    const std::int32_t *columns = packed.block(strip.column_block) + tile.column;
    Vector sum[tile_rows][tile_vectors];
#pragma GCC unroll 8
    for (std::size_t r = 0; r < tile_rows; ++r)
#pragma GCC unroll 3
        for (std::size_t v = 0; v < tile_vectors; ++v) sum[r][v] = hn::Zero(d);
    for (std::size_t pair = 0; pair < packed.pairs(); ++pair, rows += width, columns += width) {
        Vector c[tile_vectors];
#pragma GCC unroll 3
        for (std::size_t v = 0; v < tile_vectors; ++v) c[v] = hn::Load(d, columns + v * lanes);
#pragma GCC unroll 8
        for (std::size_t r = 0; r < tile_rows; ++r) {
            const Vector x = hn::Set(d, rows[r]);
#pragma GCC unroll 3
            for (std::size_t v = 0; v < tile_vectors; ++v)
                sum[r][v] = add_products<kVnni>(sum[r][v], x, c[v]);
        }
    }
    const float *row_norms = packed.inverse_norms(block) + tile.row % width;
    const float *column_norms = packed.inverse_norms(strip.column_block) + tile.column;
    const float *row_limits = strip.row_limits + (tile.row - strip.first_block * width);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < tile_rows; ++r) {
        const auto row_norm = hn::Set(f, row_norms[r]);
        const auto row_limit = hn::Set(f, row_limits[r]);
#pragma GCC unroll 3
        for (std::size_t v = 0; v < tile_vectors; ++v) {
            const auto norms = hn::Mul(row_norm, hn::Load(f, column_norms + v * lanes));
            const auto limit =
                hn::Min(row_limit, hn::Load(f, strip.column_limits + tile.column + v * lanes));
            const auto hit = hn::Ge(hn::Mul(hn::ConvertTo(f, sum[r][v]), norms), limit);
            if (HWY_UNLIKELY(!hn::AllFalse(f, hit)))
                keep(sum[r][v], hn::RebindMask(d, hit), tile.row + r,
                     strip.column_block * width + tile.column + v * lanes, hits);
        }
    }
}

template <bool kVnni>
void screen_strip(const PackedRows &packed, const Strip &strip, std::vector<Hit> &hits) {
    for (std::size_t row = strip.first_block * width; row < strip.end_block * width;
         row += tile_rows)
        for (std::size_t column = 0; column < width; column += tile_vectors * lanes)
            screen_tile<kVnni>(packed, strip, {row, column}, hits);
}

ScreenProducts choose_product_screen() {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    if (__builtin_cpu_supports("avx512vnni")) return &screen_strip<true>;
#endif
    return &screen_strip<false>;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(choose_product_screen);

} // namespace

ScreenProducts product_screen() {
    return HWY_DYNAMIC_DISPATCH(choose_product_screen)();
}

} // namespace bowhist
#endif
