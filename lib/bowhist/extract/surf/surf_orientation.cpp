// Orientations by the host's vector units. One copy for each generation of vector units, chosen
// when the program runs (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_orientation.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_haar-inl.hpp>
#include <bowhist/extract/surf/surf_orientation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#ifndef BOWHIST_SURF_ORIENTATION_ONCE
#define BOWHIST_SURF_ORIENTATION_ONCE
namespace bowhist {

/// Haar responses around a keypoint, by their place in the circle, and where they point to.
struct CircleResponses {
    static constexpr std::size_t most = 128;
    std::array<float, most> x;
    std::array<float, most> y;
    std::array<int, most> sector;
};

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Responses of 4·scale pixels a side, weighted and rounded to whole numbers.
void respond_around(const IntegralImage &sums, const HaarMap *map, const SurfCircle &circle,
                    const Keypoint &keypoint, CircleResponses &responses) {
    const D d;
    const Whole whole;
    const auto scale = static_cast<int>(std::floor(keypoint.scale + 0.5F));
    const auto x = hn::Set(whole, static_cast<int>(std::floor(keypoint.x + 1.0F)));
    const auto y = hn::Set(whole, static_cast<int>(std::floor(keypoint.y + 1.0F)));
    const auto unit = hn::Set(d, 256.0F * reciprocal(static_cast<float>(4 * scale * scale)));
    const auto half = hn::Set(d, 0.5F);
    for (std::size_t i = 0; i < CIRCLE_SAMPLES; i += hn::Lanes(d)) {
        const auto place = [&](Wholes middle, const std::vector<int> &offsets) HWY_ATTR {
            return hn::Add(middle,
                           hn::Mul(hn::LoadU(whole, offsets.data() + i), hn::Set(whole, scale)));
        };
        const Haar found = haar(sums, map, place(x, circle.x), place(y, circle.y), 2 * scale);
        const auto weight = hn::Mul(hn::LoadU(d, circle.weights.data() + i), unit);
        hn::StoreU(hn::Floor(hn::Add(hn::Mul(found.x, weight), half)), d, responses.x.data() + i);
        hn::StoreU(hn::Floor(hn::Add(hn::Mul(found.y, weight), half)), d, responses.y.data() + i);
    }
    for (std::size_t i = 0; i < CIRCLE_SAMPLES; ++i) // by vectors, once the compiler is done
        responses.sector[i] = sector_of(responses.x[i], responses.y[i]);
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(respond_around);

/// Of the vector sums under a window of 60 degrees that slides over the circle, the longest.
Direction dominant(const CircleResponses &responses) {
    std::int32_t x[SECTORS + WINDOW] = {};
    std::int32_t y[SECTORS + WINDOW] = {};
    for (std::size_t i = 0; i < CIRCLE_SAMPLES; ++i) {
        x[responses.sector[i]] += static_cast<std::int32_t>(responses.x[i]);
        y[responses.sector[i]] += static_cast<std::int32_t>(responses.y[i]);
    }
    std::copy_n(x, +WINDOW, x + SECTORS);
    std::copy_n(y, +WINDOW, y + SECTORS);
    std::int32_t sum_x = std::accumulate(x, x + WINDOW, 0);
    std::int32_t sum_y = std::accumulate(y, y + WINDOW, 0);
    Direction best{0, 0};
    float longest = 0;
    for (int first = 0; first < SECTORS; ++first) {
        const auto along = static_cast<float>(sum_x);
        const auto down = static_cast<float>(sum_y);
        const float square = along * along + down * down;
        if (square > longest) {
            longest = square;
            best = {along, down};
        }
        sum_x += x[first + WINDOW] - x[first];
        sum_y += y[first + WINDOW] - y[first];
    }
    if (longest == 0) return {1, 0};
    const float root = inverse_root(longest);
    return {best.cosine * root, best.sine * root};
}

} // namespace

SurfOrientation::SurfOrientation() : circle_(surf_circle()) {
    circle_.x.resize(CircleResponses::most); // whole vectors
    circle_.y.resize(CircleResponses::most);
    circle_.weights.resize(CircleResponses::most);
}

Direction SurfOrientation::of(const Keypoint &keypoint, const IntegralImage &sums,
                              const HaarMap *map) const {
    CircleResponses responses;
    HWY_DYNAMIC_DISPATCH(respond_around)(sums, map, circle_, keypoint, responses);
    return dominant(responses);
}

} // namespace bowhist
#endif
