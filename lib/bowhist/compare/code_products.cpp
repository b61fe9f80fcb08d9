// Products of codes, all exact: eight queries with the images of a group.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/compare/code_products.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/host/simd/pair_products-inl.hpp>
#include <bowhist/compare/code_index.hpp>

#include <hwy/highway.h>

#include <vector>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace { // other files have functions of these names
namespace hn = hwy::HWY_NAMESPACE;

using Integers = hn::ScalableTag<std::int32_t>;
using Vector = hn::Vec<Integers>;
using Shorts = hn::RepartitionToNarrow<Integers>;
constexpr std::size_t lanes = hn::MaxLanes(Integers());
constexpr std::size_t width = CodeIndex::group_images;
#if HWY_TARGET <= HWY_AVX3
constexpr std::size_t tile_queries = 8; // of 32 registers 16 hold sums
#else
constexpr std::size_t tile_queries = 4; // of 16 registers 8 hold sums
#endif
constexpr std::size_t tile_vectors = 2;
static_assert(CodeQueries::at_once % tile_queries == 0 && width % (tile_vectors * lanes) == 0);

/// A pair of dimensions of some images, as 16-bit halves of a lane each.
HWY_INLINE Vector load_pairs(const std::int8_t *images) {
    const Integers d;
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(d, static_cast<std::int32_t>(static_cast<std::uint16_t>(images[0]) |
                                                static_cast<std::uint32_t>(images[1]) << 16));
#else
    const hn::Rebind<std::int8_t, Shorts> narrow;
    return hn::BitCast(d, hn::PromoteTo(Shorts(), hn::LoadU(narrow, images)));
#endif
}

using Tile = Vector[tile_queries][tile_vectors];

HWY_INLINE void store_tile(const Tile &sum, std::int32_t *products, std::size_t stride) {
#pragma GCC unroll 8
    for (std::size_t q = 0; q < tile_queries; ++q)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_vectors; ++v)
            hn::StoreU(sum[q][v], Integers(), products + q * stride + v * lanes);
}

HWY_INLINE void multiply_tile(const std::int8_t *images, const std::int32_t *queries,
                              std::size_t pairs, std::int32_t *products, std::size_t stride) {
    const Integers d;
    Tile sum;
#pragma GCC unroll 8
    for (std::size_t q = 0; q < tile_queries; ++q)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_vectors; ++v) sum[q][v] = hn::Zero(d);
    for (std::size_t pair = 0; pair < pairs;
         ++pair, images += 2 * width, queries += CodeQueries::at_once) {
        Vector values[tile_vectors];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_vectors; ++v)
            values[v] = load_pairs(images + v * lanes * 2);
#pragma GCC unroll 8
        for (std::size_t q = 0; q < tile_queries; ++q) {
            const Vector x = hn::Set(d, queries[q]);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < tile_vectors; ++v)
                sum[q][v] = add_products<false>(sum[q][v], x, values[v]);
        }
    }
    store_tile(sum, products, stride);
}

void multiply(const CodeIndex &index, const std::int32_t *batch, std::size_t first,
              std::size_t groups, std::int32_t *products) {
    const std::size_t stride = groups * width;
    for (std::size_t group = 0; group < groups; ++group)
        for (std::size_t q = 0; q < CodeQueries::at_once; q += tile_queries)
            for (std::size_t image = 0; image < width; image += tile_vectors * lanes)
                multiply_tile(index.group(first + group) + 2 * image, batch + q, index.pairs(),
                              products + q * stride + group * width + image, stride);
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86

/// A batch for the instruction that multiplies four bytes at once, of which those of one side have
/// no sign: 128 is added to images' values, and what that adds is taken off.
struct ByteBatch {
    std::vector<std::int32_t> quads;                ///< [four dimensions][query]
    std::int32_t starts[CodeQueries::at_once] = {}; ///< of sums: -128 · Σ values of the query

    ByteBatch(const std::int32_t *batch, std::size_t pairs)
        : quads((pairs + 1) / 2 * CodeQueries::at_once) {
        for (std::size_t pair = 0; pair < pairs; ++pair)
            for (std::size_t q = 0; q < CodeQueries::at_once; ++q, ++batch) {
                const auto both = static_cast<std::uint32_t>(*batch);
                const std::int32_t low = static_cast<std::int16_t>(both), high = *batch >> 16;
                const std::uint32_t bytes = (both & 0xFF) | (both >> 8 & 0xFF00);
                std::int32_t &quad = quads[pair / 2 * CodeQueries::at_once + q];
                quad |= static_cast<std::int32_t>(bytes << pair % 2 * 16);
                starts[q] -= 128 * (low + high);
            }
    }
};

/// sum + Σ a·b of four bytes in each lane; a's have no sign. Highway 1.0 has no operation for it.
HWY_INLINE Vector add_byte_products(Vector sum, Vector a, const std::int32_t &b) {
    asm("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "m"(b));
    return sum;
}

/// Four dimensions of some images, of values + 128.
/// @param images  their first pair; the second lies a group's width behind
HWY_INLINE Vector load_quads(const std::int8_t *images, bool has_second) {
    const Integers d;
    const hn::Rebind<std::uint16_t, Integers> pairs;
    const auto load = [&](const std::int8_t *from) HWY_ATTR {
        return hn::PromoteTo(hn::RebindToUnsigned<Integers>(),
                             hn::LoadU(pairs, reinterpret_cast<const std::uint16_t *>(from)));
    };
    auto quads = load(images);
    if (has_second) quads = hn::Or(quads, hn::ShiftLeft<16>(load(images + 2 * width)));
    return hn::Xor(hn::BitCast(d, quads), hn::Set(d, static_cast<std::int32_t>(0x80808080)));
}

HWY_INLINE void multiply_bytes(const std::int8_t *images, const ByteBatch &batch, std::size_t pairs,
                               std::int32_t *products, std::size_t stride) {
    const Integers d;
    Tile sum;
#pragma GCC unroll 8
    for (std::size_t q = 0; q < tile_queries; ++q)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_vectors; ++v) sum[q][v] = hn::Set(d, batch.starts[q]);
    const std::int32_t *queries = batch.quads.data();
    for (std::size_t pair = 0; pair < pairs; pair += 2, images += 4 * width) {
        Vector values[tile_vectors];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_vectors; ++v)
            values[v] = load_quads(images + v * lanes * 2, pair + 1 < pairs);
#pragma GCC unroll 8
        for (std::size_t q = 0; q < tile_queries; ++q, ++queries)
#pragma GCC unroll 2
            for (std::size_t v = 0; v < tile_vectors; ++v)
                sum[q][v] = add_byte_products(sum[q][v], values[v], *queries);
    }
    store_tile(sum, products, stride);
}

void multiply_by_bytes(const CodeIndex &index, const std::int32_t *batch, std::size_t first,
                       std::size_t groups, std::int32_t *products) {
    static_assert(tile_queries == CodeQueries::at_once);
    const ByteBatch bytes(batch, index.pairs());
    const std::size_t stride = groups * width;
    for (std::size_t group = 0; group < groups; ++group)
        for (std::size_t image = 0; image < width; image += tile_vectors * lanes)
            multiply_bytes(index.group(first + group) + 2 * image, bytes, index.pairs(),
                           products + group * width + image, stride);
}

#endif

MultiplyCodes choose_multiply_codes() {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    if (__builtin_cpu_supports("avx512vnni")) return &multiply_by_bytes;
#endif
    return &multiply;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(choose_multiply_codes);

} // namespace

MultiplyCodes multiply_codes() {
    return HWY_DYNAMIC_DISPATCH(choose_multiply_codes)();
}

} // namespace bowhist
#endif
