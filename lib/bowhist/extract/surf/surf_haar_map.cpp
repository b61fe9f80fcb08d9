// Maps of Haar responses by the host's vector units. One copy for each generation of vector units,
// chosen when the program runs (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_haar_map.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/surf/surf_haar-inl.hpp>
#include <bowhist/extract/surf/surf_haar_map.hpp>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void map_haar(const IntegralImage &sums, int half, HaarMap &map) {
    const hn::ScalableTag<std::int32_t> d;
    for (int y = half; y <= sums.height - half; ++y) {
        const std::int32_t *rows[3];
        for (int down = 0; down < 3; ++down)
            rows[down] =
                reinterpret_cast<const std::int32_t *>(sums.row(y + (down - 1) * half)) - half;
        std::int32_t *to = map.values.data() + y * sums.stride;
        for (int x = half; x <= sums.width - half; x += static_cast<int>(hn::Lanes(d))) {
            const auto at = [&](int across, int down)
                                HWY_ATTR { return hn::LoadU(d, rows[down] + x + across * half); };
            const auto found = haar_sums(at);
            hn::StoreU(hn::Or(hn::ShiftLeft<16>(found.y), hn::And(found.x, hn::Set(d, 0xFFFF))), d,
                       to + x);
        }
        // what a vector wrote behind the last
        std::fill(to + sums.width - half + 1, to + sums.stride, 0);
    }
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {

HWY_EXPORT(map_haar);

HaarMap::HaarMap(const IntegralImage &sums, int half)
    : values(static_cast<std::size_t>(sums.stride) * static_cast<std::size_t>(sums.height + 1)) {
    HWY_DYNAMIC_DISPATCH(map_haar)(sums, half, *this);
}

} // namespace bowhist
#endif
