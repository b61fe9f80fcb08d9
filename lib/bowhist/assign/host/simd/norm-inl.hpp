// The norm of a row, for both screens. Included once for each target.
#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

#if defined(BOWHIST_NORM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef BOWHIST_NORM_INL
#undef BOWHIST_NORM_INL
#else
#define BOWHIST_NORM_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// In float32, by vectors of D; squares may underflow.
template <class D>
HWY_INLINE float norm(D d, const float *x, std::size_t dimensions) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    auto squares = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= dimensions; i += lanes) {
        const auto values = hn::LoadU(d, x + i);
        squares = hn::MulAdd(values, values, squares);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, squares));
    for (; i < dimensions; ++i) sum += x[i] * x[i];
    return std::sqrt(sum);
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#endif
