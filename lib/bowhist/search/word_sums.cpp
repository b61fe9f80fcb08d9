// Bit-sliced sums of a query's words, 512 images at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/search/word_sums.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/search/word_sums.hpp>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace { // other files have functions of these names
namespace hn = hwy::HWY_NAMESPACE;

using Bits = hn::CappedTag<std::uint64_t, WordIndex::block_words>;
using Vector = hn::Vec<Bits>;
constexpr std::size_t row_words = WordIndex::block_words;
constexpr std::size_t most_planes = 32;

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

/// The sums of a plane while its bitmaps come in: of one, two and four times its weight.
struct Counter {
    Vector ones, twos, fours;
};

/// Adds eight bitmaps. Returns what goes beyond: of eight times the weight.
HWY_INLINE Vector add_eight(Counter &sum, const std::uint64_t *const (&from)[WordQuery::at_once]) {
    const Bits d;
    const Vector a = add(sum.ones, hn::Load(d, from[0]), hn::Load(d, from[1]));
    const Vector b = add(sum.ones, hn::Load(d, from[2]), hn::Load(d, from[3]));
    const Vector c = add(sum.twos, a, b);
    const Vector e = add(sum.ones, hn::Load(d, from[4]), hn::Load(d, from[5]));
    const Vector f = add(sum.ones, hn::Load(d, from[6]), hn::Load(d, from[7]));
    const Vector g = add(sum.twos, e, f);
    return add(sum.fours, c, g);
}

/// Adds up a part of a block, as wide as a vector. @param planes  one bitmap each
HWY_INLINE void add_part(const WordQuery &query, const std::uint64_t *block, std::uint64_t *scratch,
                         std::uint64_t *planes) {
    const Bits d;
    const auto all = query.planes();
    std::uint64_t *next[most_planes + 3]; // where a plane's next carried bitmap goes
    for (std::size_t p = 0; p < all.size(); ++p)
        next[p] = scratch + all[p].first_carried * row_words;
    const auto carry = [&](std::size_t plane, Vector bits) HWY_ATTR {
        if (plane >= all.size()) return; // zeros: the sum has no bit there
        hn::Store(bits, d, next[plane]);
        next[plane] += row_words;
    };
    for (std::size_t p = 0; p < all.size(); ++p) {
        const WordQuery::Plane &plane = all[p];
        Counter counter{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
        const std::uint64_t *from[WordQuery::at_once];
        for (std::size_t i = 0; i < plane.offsets.size(); i += WordQuery::at_once) {
            for (std::size_t j = 0; j < WordQuery::at_once; ++j)
                from[j] = block + plane.offsets[i + j];
            carry(p + 3, add_eight(counter, from));
        }
        const std::uint64_t *carried = scratch + plane.first_carried * row_words;
        const std::uint64_t *end = carried + plane.carried * row_words;
        for (; next[p] < end; next[p] += row_words) hn::Store(hn::Zero(d), d, next[p]);
        for (; carried < end; carried += WordQuery::at_once * row_words) {
            for (std::size_t j = 0; j < WordQuery::at_once; ++j) from[j] = carried + j * row_words;
            carry(p + 3, add_eight(counter, from));
        }
        hn::Store(counter.ones, d, planes + p * row_words);
        if (plane.offsets.empty() && plane.carried == 0) continue;
        carry(p + 1, counter.twos);
        carry(p + 2, counter.fours);
    }
}

template <typename Sum>
void add_bitmaps(const WordQuery &query, const std::uint64_t *block, std::uint64_t *scratch,
                 Sum *sums) {
    const Bits d;
    alignas(64) std::uint64_t planes[most_planes * row_words];
    for (std::size_t part = 0; part < row_words; part += hn::Lanes(d))
        add_part(query, block + part, scratch + part, planes + part);
    const hn::CappedTag<Sum, 32> out;
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(planes);
    const std::size_t count = query.planes().size();
    for (std::size_t i = 0; i < WordIndex::block_images; i += hn::Lanes(out)) {
        auto sum = hn::Zero(out);
        for (std::size_t p = 0; p < count; ++p) {
            const auto mask = hn::LoadMaskBits(out, bytes + p * row_words * 8 + i / 8);
            const auto weight = hn::Set(out, static_cast<Sum>(Sum{1} << (query.first_plane() + p)));
            sum = hn::Add(sum, hn::IfThenElseZero(mask, weight));
        }
        hn::StoreU(sum, out, sums + i);
    }
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
