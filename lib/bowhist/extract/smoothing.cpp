// Binomial smoothing by the host's vector units (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/smoothing.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/smoothing.hpp>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// (1 2 1)/4 along both axes, rounded once. A value is 4080 at most: sixteen of it fit 16 bits.
void smooth_plane(const GreyPlane &in, GreyPlane &out) {
    const hn::ScalableTag<std::uint16_t> d;
    const auto width = static_cast<std::size_t>(in.width) + 2;
    std::vector<std::uint16_t> columns(width + GreyPlane::slack);
    const auto values = [&](const std::int16_t *at) HWY_ATTR {
        return hn::LoadU(d, reinterpret_cast<const std::uint16_t *>(at));
    };
    for (int y = 0; y < in.height; ++y) {
        for (std::size_t x = 0; x < width; x += hn::Lanes(d)) {
            const auto above = values(in.row(y - 1) - 1 + x);
            const auto here = values(in.row(y) - 1 + x);
            const auto below = values(in.row(y + 1) - 1 + x);
            hn::StoreU(hn::Add(hn::Add(above, below), hn::Add(here, here)), d, columns.data() + x);
        }
        auto *to = reinterpret_cast<std::uint16_t *>(out.row(y));
        for (std::size_t x = 0; x + 2 < width; x += hn::Lanes(d)) {
            const auto left = hn::LoadU(d, columns.data() + x);
            const auto here = hn::LoadU(d, columns.data() + x + 1);
            const auto right = hn::LoadU(d, columns.data() + x + 2);
            const auto sum = hn::Add(hn::Add(left, right), hn::Add(here, here));
            hn::StoreU(hn::ShiftRight<4>(hn::Add(sum, hn::Set(d, 8))), d, to + x);
        }
    }
    out.repeat_border();
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {

HWY_EXPORT(smooth_plane);

GreyPlane sixteenths(const Image &image) {
    GreyPlane plane(image.width, image.height);
    const std::uint8_t *from = image.pixels.data();
    for (int y = 0; y < image.height; ++y, from += image.width)
        std::transform(from, from + image.width, plane.row(y),
                       [](std::uint8_t grey) { return static_cast<std::int16_t>(grey * 16); });
    plane.repeat_border();
    return plane;
}

void smooth(const GreyPlane &in, GreyPlane &out) {
    HWY_DYNAMIC_DISPATCH(smooth_plane)(in, out);
}

} // namespace bowhist
#endif
