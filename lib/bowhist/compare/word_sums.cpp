// Bit-sliced sums of a query's words, 512 images at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/compare/word_sums.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/compare/word_sums.hpp>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace { // other files have functions of these names
namespace hn = hwy::HWY_NAMESPACE;

using Bits = hn::CappedTag<std::uint64_t, WordIndex::block_words>;
using Vector = hn::Vec<Bits>;
constexpr std::size_t row_words = WordIndex::block_words;

/// A full adder of three bitmaps: `sum` keeps the low bit, the high one is returned.
HWY_INLINE Vector add(Vector &sum, Vector a, Vector b) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86 && !HWY_COMPILER_MSVC
    // Highway 1.0 has no operation for the majority of three.
    Vector carry = sum;
    asm("vpternlogq $0xE8, %2, %1, %0" : "+v"(carry.raw) : "v"(a.raw), "v"(b.raw));
    asm("vpternlogq $0x96, %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
    return carry;
#else
    const Vector differ = hn::Xor(a, b);
    const Vector carry = hn::Or(hn::And(a, b), hn::And(sum, differ));
    sum = hn::Xor(sum, differ);
    return carry;
#endif
}

/// The sums of a plane while its bitmaps come in, with one, two and four times its weight.
struct Counter {
    Vector ones, twos, fours;
};

/// Adds eight bitmaps. Returns the carry, with eight times the weight.
HWY_INLINE Vector add_eight(Counter &sum,
                            const std::uint64_t *const (&from)[AddingOrder::at_once]) {
    const Bits d;
    const Vector a = add(sum.ones, hn::Load(d, from[0]), hn::Load(d, from[1]));
    const Vector b = add(sum.ones, hn::Load(d, from[2]), hn::Load(d, from[3]));
    const Vector c = add(sum.twos, a, b);
    const Vector e = add(sum.ones, hn::Load(d, from[4]), hn::Load(d, from[5]));
    const Vector f = add(sum.ones, hn::Load(d, from[6]), hn::Load(d, from[7]));
    const Vector g = add(sum.twos, e, f);
    return add(sum.fours, c, g);
}

/// Adds bitmaps, by eights.
/// @param inputs, results  where the next lie, and where the next goes
HWY_INLINE void add_eights(std::uint32_t eights, const std::uint64_t *bitmaps, Counter &sum,
                           const std::uint32_t *&inputs, std::uint64_t *&results) {
    for (; eights > 0; --eights, inputs += AddingOrder::at_once, results += row_words) {
        const std::uint64_t *from[AddingOrder::at_once];
        for (std::size_t j = 0; j < AddingOrder::at_once; ++j) from[j] = bitmaps + inputs[j];
        hn::Store(add_eight(sum, from), Bits(), results);
    }
}

/// Adds eight bitmaps, the first ones of a block, the others of results.
HWY_INLINE void add_mixed(std::uint32_t of_block, const std::uint64_t *block,
                          const std::uint64_t *results, Counter &sum, const std::uint32_t *&inputs,
                          std::uint64_t *&next) {
    const std::uint64_t *from[AddingOrder::at_once];
    for (std::size_t j = 0; j < AddingOrder::at_once; ++j)
        from[j] = (j < of_block ? block : results) + inputs[j];
    hn::Store(add_eight(sum, from), Bits(), next);
    inputs += AddingOrder::at_once;
    next += row_words;
}

/// Adds up a part of a block, as wide as a vector.
HWY_INLINE void add_part(const AddingOrder &order, const std::uint64_t *block,
                         std::uint64_t *results) {
    const Bits d;
    const std::uint32_t *inputs = order.inputs().data();
    std::uint64_t *next = results;
    hn::Store(hn::Zero(d), d, next);
    next += row_words;
    for (const AddingOrder::Pile &pile : order.piles()) {
        Counter sum{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
        add_eights(pile.of_block, block, sum, inputs, next);
        if (pile.mixed > 0) add_mixed(pile.mixed, block, results, sum, inputs, next);
        add_eights(pile.of_results, results, sum, inputs, next);
        for (const Vector &bits : {sum.ones, sum.twos, sum.fours}) {
            hn::Store(bits, d, next);
            next += row_words;
        }
    }
}

/// A bit of each lane, from bit `at` of a bitmap on. Vectors of fewer than 8 lanes start within a
/// byte.
template <typename D>
HWY_INLINE hn::Mask<D> load_bits(D d, const std::uint8_t *bitmap, std::size_t at) {
    if constexpr (hn::MaxLanes(D()) % 8 == 0) return hn::LoadMaskBits(d, bitmap + at / 8);
    const std::uint8_t shifted[8] = {static_cast<std::uint8_t>(bitmap[at / 8] >> at % 8)};
    return hn::LoadMaskBits(d, shifted);
}

/// Sums from the planes of their bits.
template <typename Sum>
HWY_INLINE void gather_sums(const AddingOrder &order, const std::uint64_t *results, Sum *sums) {
    const hn::CappedTag<Sum, 32> d;
    const std::size_t lanes = hn::Lanes(d);
    constexpr std::size_t at_once = 4; // vectors, so that additions need not wait for each other
    for (std::size_t first = 0; first < WordIndex::block_images; first += at_once * lanes) {
        hn::Vec<decltype(d)> sum[at_once];
        for (auto &some : sum) some = hn::Zero(d);
        auto weight = hn::Set(d, static_cast<Sum>(Sum{1} << order.first_plane()));
        for (const std::uint32_t plane : order.planes()) {
            const auto *bits = reinterpret_cast<const std::uint8_t *>(results + plane);
            for (std::size_t i = 0; i < at_once; ++i) {
                const auto has = load_bits(d, bits, first + i * lanes);
                sum[i] = hn::IfThenElse(has, hn::Add(sum[i], weight), sum[i]);
            }
            weight = hn::Add(weight, weight);
        }
        for (std::size_t i = 0; i < at_once; ++i) hn::StoreU(sum[i], d, sums + first + i * lanes);
    }
}

template <typename Sum>
void add_bitmaps(const WordQuery &query, const std::uint64_t *block, std::uint64_t *scratch,
                 Sum *sums) {
    for (std::size_t part = 0; part < row_words; part += hn::Lanes(Bits()))
        add_part(query.order(), block + part, scratch + part);
    gather_sums(query.order(), scratch, sums);
}

AddBitmaps<std::uint16_t> choose_16() {
    return &add_bitmaps<std::uint16_t>;
}
AddBitmaps<std::uint32_t> choose_32() {
    return &add_bitmaps<std::uint32_t>;
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(choose_16);
HWY_EXPORT(choose_32);

} // namespace

AddBitmaps<std::uint16_t> add_bitmaps_16() {
    return HWY_DYNAMIC_DISPATCH(choose_16)();
}
AddBitmaps<std::uint32_t> add_bitmaps_32() {
    return HWY_DYNAMIC_DISPATCH(choose_32)();
}

} // namespace bowhist
#endif
