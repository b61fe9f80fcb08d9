// Haar responses around eight places at a time. Included once for each target.
#include <bowhist/extract/surf/surf_layers.hpp>

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#if defined(BOWHIST_SURF_HAAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BOWHIST_SURF_HAAR_INL
#undef BOWHIST_SURF_HAAR_INL
#else
#define BOWHIST_SURF_HAAR_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 8>;
using Whole = hn::RebindToSigned<D>;
using Floats = hn::Vec<D>;
using Wholes = hn::Vec<Whole>;

/// Haar responses, 2·half pixels a side, around the upper left corners of pixels: right half less
/// left, lower half less upper. Nothing where they leave the image.
struct Haar {
    Floats x;
    Floats y;
};

/// The same as whole numbers, in quarters of grey values.
template <typename Numbers>
struct HaarSums {
    Numbers x;
    Numbers y;
};

/// From the sums at a square's corners and sides' middles: at(0, 0) to at(2, 2), across and down.
template <typename At>
HWY_INLINE auto haar_sums(const At &at) {
    const auto falling = hn::Sub(at(2, 2), at(0, 0));
    const auto rising = hn::Sub(at(2, 0), at(0, 2));
    const auto down = hn::Sub(at(1, 2), at(1, 0));
    const auto across = hn::Sub(at(2, 1), at(0, 1));
    return HaarSums<decltype(at(0, 0))>{hn::Sub(hn::Sub(falling, rising), hn::Add(down, down)),
                                        hn::Sub(hn::Add(falling, rising), hn::Add(across, across))};
}

/// The place in a map of each sample's responses; beyond the image a place without a response.
HWY_INLINE Wholes place_in_map(const IntegralImage &sums, Wholes x, Wholes y) {
    const Whole whole;
    const auto within = [&](Wholes at, int size) HWY_ATTR {
        return hn::Min(hn::Max(at, hn::Zero(whole)), hn::Set(whole, size));
    };
    return hn::Add(hn::Mul(within(y, sums.height), hn::Set(whole, static_cast<int>(sums.stride))),
                   within(x, sums.width));
}

/// The responses in a map's numbers.
HWY_INLINE Haar unpack(Wholes packed) {
    const D d;
    return {hn::ConvertTo(d, hn::ShiftRight<16>(hn::ShiftLeft<16>(packed))),
            hn::ConvertTo(d, hn::ShiftRight<16>(packed))};
}

/// Without a map.
HWY_INLINE Haar haar(const IntegralImage &sums, Wholes x, Wholes y, int half) {
    const D d;
    const Whole whole;
    const auto *base = reinterpret_cast<const std::int32_t *>(sums.row(0));
    const auto reach = hn::Set(whole, half);
    const auto within = [&](Wholes at, int size) HWY_ATTR {
        return hn::And(hn::Gt(at, hn::Set(whole, half - 1)),
                       hn::Lt(at, hn::Set(whole, size - half + 1)));
    };
    const auto inside = hn::And(within(x, sums.width), within(y, sums.height));
    if (hn::AllFalse(whole, inside)) return {hn::Zero(d), hn::Zero(d)};
    const auto stride = static_cast<int>(sums.stride);
    const auto corner = hn::IfThenElseZero(
        inside, hn::Add(hn::Mul(hn::Sub(y, reach), hn::Set(whole, stride)), hn::Sub(x, reach)));
    const auto at = [&](int across, int down) HWY_ATTR {
        return hn::GatherIndex(
            whole, base + (across + static_cast<std::ptrdiff_t>(down) * stride) * half, corner);
    };
    const auto found = haar_sums(at);
    return {hn::ConvertTo(d, hn::IfThenElseZero(inside, found.x)),
            hn::ConvertTo(d, hn::IfThenElseZero(inside, found.y))};
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#endif
