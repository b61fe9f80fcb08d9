// Products of 16-bit integers, two a lane of 32 bits. Included once for each target.
#include <hwy/highway.h>

#include <cstdint>

#if defined(BOWHIST_PAIR_PRODUCTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BOWHIST_PAIR_PRODUCTS_INL
#undef BOWHIST_PAIR_PRODUCTS_INL
#else
#define BOWHIST_PAIR_PRODUCTS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// sum + a0·b0 + a1·b1 in each lane, of the 16-bit halves.
/// @tparam kVnni  the processor has AVX-512 VNNI; other targets than AVX3 ignore it
template <bool kVnni, class Vector = hn::Vec<hn::ScalableTag<std::int32_t>>>
HWY_INLINE Vector add_products(Vector sum, Vector a, Vector b) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    if constexpr (kVnni) { // Highway 1.0 has no operation for it
        asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
        return sum;
    }
#endif
#if HWY_ARCH_X86 && HWY_TARGET < HWY_EMU128
    const hn::ScalableTag<std::int32_t> d;
    const hn::RepartitionToNarrow<decltype(d)> shorts;
    Vector unused = hn::Zero(d);
    return hn::ReorderWidenMulAccumulate(d, hn::BitCast(shorts, a), hn::BitCast(shorts, b), sum,
                                         unused);
#else // elsewhere it would mix the lanes
    const Vector low =
        hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(a)), hn::ShiftRight<16>(hn::ShiftLeft<16>(b)));
    const Vector high = hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b));
    return hn::Add(sum, hn::Add(low, high));
#endif
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#endif
