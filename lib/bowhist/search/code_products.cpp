// Products of codes, all exact: eight queries with the images of a group.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/search/code_products.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/assign/host/simd/pair_products-inl.hpp>
#include <bowhist/search/code_index.hpp>

#include <hwy/highway.h>

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

template <bool kVnni>
HWY_INLINE void multiply_tile(const std::int8_t *images, const std::int32_t *queries,
                              std::size_t pairs, std::int32_t *products, std::size_t stride) {
    const Integers d;
    Vector sum[tile_queries][tile_vectors];
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
                sum[q][v] = add_products<kVnni>(sum[q][v], x, values[v]);
        }
    }
#pragma GCC unroll 8
    for (std::size_t q = 0; q < tile_queries; ++q)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < tile_vectors; ++v)
            hn::StoreU(sum[q][v], d, products + q * stride + v * lanes);
}

template <bool kVnni>
void multiply(const CodeIndex &index, const std::int32_t *batch, std::size_t first,
              std::size_t groups, std::int32_t *products) {
    const std::size_t stride = groups * width;
    for (std::size_t group = 0; group < groups; ++group)
        for (std::size_t q = 0; q < CodeQueries::at_once; q += tile_queries)
            for (std::size_t image = 0; image < width; image += tile_vectors * lanes)
                multiply_tile<kVnni>(index.group(first + group) + 2 * image, batch + q,
                                     index.pairs(), products + q * stride + group * width + image,
                                     stride);
}

MultiplyCodes choose_multiply_codes() {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    if (__builtin_cpu_supports("avx512vnni")) return &multiply<true>;
#endif
    return &multiply<false>;
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
