// Maps of Haar responses by the host's vector units. One copy for each generation of vector units,
// chosen when the program runs (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_haar_map.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/surf/surf_haar_map.hpp>

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void map_haar(const IntegralImage &sums, int half, HaarMap &map) {
    const hn::ScalableTag<std::int32_t> d;
    for (int y = half; y <= sums.height - half; ++y) {
        const auto row = [&](int at) {
            return reinterpret_cast<const std::int32_t *>(sums.row(at));
        };
        const std::int32_t *upper = row(y - half);
        const std::int32_t *middle = row(y);
        const std::int32_t *lower = row(y + half);
        std::int32_t *to = map.values.data() + y * map.stride;
        for (int x = half; x <= sums.width - half; x += static_cast<int>(hn::Lanes(d))) {
            const auto between = [&](const std::int32_t *more, const std::int32_t *less) HWY_ATTR {
                return hn::Sub(hn::LoadU(d, more + x), hn::LoadU(d, less + x));
            };
            const auto falling = between(lower + half, upper - half);
            const auto rising = between(upper + half, lower - half);
            const auto down = between(lower, upper);
            const auto across = between(middle + half, middle - half);
            const auto sum_x = hn::Sub(hn::Sub(falling, rising), hn::Add(down, down));
            const auto sum_y = hn::Sub(hn::Add(falling, rising), hn::Add(across, across));
            hn::StoreU(hn::Or(hn::ShiftLeft<16>(sum_y), hn::And(sum_x, hn::Set(d, 0xFFFF))), d,
                       to + x);
        }
        // what a vector wrote behind the last
        std::fill(to + sums.width - half + 1, to + map.stride, 0);
    }
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {

HWY_EXPORT(map_haar);

HaarMap::HaarMap(const IntegralImage &sums, int half)
    : stride(sums.stride),
      values(static_cast<std::size_t>(sums.stride) * static_cast<std::size_t>(sums.height + 1)) {
    HWY_DYNAMIC_DISPATCH(map_haar)(sums, half, *this);
}

} // namespace bowhist
#endif
