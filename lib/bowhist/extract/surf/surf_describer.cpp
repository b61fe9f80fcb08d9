// SURF descriptors by the host's vector units. One copy for each generation of vector units, chosen
// when the program runs (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_describer.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_describer.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#ifndef BOWHIST_SURF_DESCRIBER_ONCE
#define BOWHIST_SURF_DESCRIBER_ONCE
namespace bowhist {

/// A unit vector along a keypoint's x axis.
struct Direction {
    float cosine;
    float sine;
};

/// Haar responses around a keypoint, by their place in the circle.
struct CircleResponses {
    static constexpr std::size_t most = 128;
    std::array<float, most> x;
    std::array<float, most> y;
};

} // namespace bowhist
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
/// left, lower half less upper. Nothing where they leave the picture.
struct Haar {
    Floats x;
    Floats y;
};

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
    const auto upper_left = at(0, 0);
    const auto upper = at(1, 0);
    const auto upper_right = at(2, 0);
    const auto left = at(0, 1);
    const auto right = at(2, 1);
    const auto lower_left = at(0, 2);
    const auto lower = at(1, 2);
    const auto lower_right = at(2, 2);
    const auto falling = hn::Sub(lower_right, upper_left);
    const auto rising = hn::Sub(upper_right, lower_left);
    const auto down = hn::Sub(lower, upper);
    const auto across = hn::Sub(right, left);
    const auto sum_x = hn::Sub(hn::Sub(falling, rising), hn::Add(down, down));
    const auto sum_y = hn::Sub(hn::Add(falling, rising), hn::Add(across, across));
    return {hn::ConvertTo(d, hn::IfThenElseZero(inside, sum_x)),
            hn::ConvertTo(d, hn::IfThenElseZero(inside, sum_y))};
}

HWY_INLINE Wholes rounded_down(Floats x) {
    return hn::ConvertTo(Whole(), hn::Floor(x));
}

/// Responses of 4·scale pixels a side, weighted and rounded to whole numbers.
void respond_around(const IntegralImage &sums, const SurfCircle &circle, const Keypoint &keypoint,
                    CircleResponses &responses) {
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
        const Haar found = haar(sums, place(x, circle.x), place(y, circle.y), 2 * scale);
        const auto weight = hn::Mul(hn::LoadU(d, circle.weights.data() + i), unit);
        hn::StoreU(hn::Floor(hn::Add(hn::Mul(found.x, weight), half)), d, responses.x.data() + i);
        hn::StoreU(hn::Floor(hn::Add(hn::Mul(found.y, weight), half)), d, responses.y.data() + i);
    }
}

/// One row of samples: dx, |dx|, dy, |dy| along the keypoint's axes.
void sample_row(const IntegralImage &sums, const Keypoint &keypoint, Direction turned, int samples,
                float down, float *row) {
    const D d;
    const int half = std::max(1, static_cast<int>(std::floor(keypoint.scale + 0.5F)));
    const float along_x = keypoint.scale * turned.cosine;
    const float along_y = keypoint.scale * turned.sine;
    const auto first_x = hn::Set(d, keypoint.x + 1.0F - along_y * down);
    const auto first_y = hn::Set(d, keypoint.y + 1.0F + along_x * down);
    const auto cosine = hn::Set(d, turned.cosine);
    const auto sine = hn::Set(d, turned.sine);
    for (int i = 0; i < samples; i += static_cast<int>(hn::Lanes(d))) {
        const auto across = hn::Add(hn::Iota(d, static_cast<float>(i)),
                                    hn::Set(d, 0.5F - 0.5F * static_cast<float>(samples)));
        const auto x = hn::Add(first_x, hn::Mul(across, hn::Set(d, along_x)));
        const auto y = hn::Add(first_y, hn::Mul(across, hn::Set(d, along_y)));
        const Haar found = haar(sums, rounded_down(x), rounded_down(y), half);
        const auto dx = hn::Add(hn::Mul(cosine, found.x), hn::Mul(sine, found.y));
        const auto dy = hn::Sub(hn::Mul(cosine, found.y), hn::Mul(sine, found.x));
        hn::StoreInterleaved4(dx, hn::Abs(dx), dy, hn::Abs(dy), d, row + i * CHANNELS);
    }
}

/// Adds the row, times `weight`, to `sums`.
void add_row(const float *row, float weight, std::size_t size, float *sums) {
    const D d;
    for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
        const auto product = hn::Mul(hn::Set(d, weight), hn::LoadU(d, row + i));
        hn::StoreU(hn::Add(hn::LoadU(d, sums + i), product), d, sums + i);
    }
}

/// A row of cells, from sums down the columns.
void sum_cells(const float *columns, const SurfCells &cells, float *out) {
    const hn::CappedTag<float, CHANNELS> d;
    for (int cell = 0; cell < CELLS; ++cell)
        for (std::size_t channel = 0; channel < CHANNELS; channel += hn::Lanes(d)) {
            auto sum = hn::Zero(d);
            for (int tap = 0; tap < cells.taps; ++tap) {
                const auto weight =
                    hn::Set(d, cells.weights[static_cast<std::size_t>(cell * cells.taps + tap)]);
                const float *at = columns + (cell * PITCH + tap) * CHANNELS;
                sum = hn::Add(sum, hn::Mul(weight, hn::LoadU(d, at + channel)));
            }
            hn::StoreU(sum, d, out + static_cast<std::size_t>(cell) * CHANNELS + channel);
        }
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(respond_around);
HWY_EXPORT(sample_row);
HWY_EXPORT(add_row);
HWY_EXPORT(sum_cells);

/// Of the vector sums under a window of 60 degrees that slides over the circle, the longest.
Direction dominant(const CircleResponses &responses) {
    std::int32_t x[SECTORS + WINDOW] = {};
    std::int32_t y[SECTORS + WINDOW] = {};
    for (std::size_t i = 0; i < CIRCLE_SAMPLES; ++i) {
        const int sector = sector_of(responses.x[i], responses.y[i]);
        x[sector] += static_cast<std::int32_t>(responses.x[i]);
        y[sector] += static_cast<std::int32_t>(responses.y[i]);
    }
    std::copy_n(x, +WINDOW, x + SECTORS);
    std::copy_n(y, +WINDOW, y + SECTORS);
    Direction best{1, 0};
    float longest = 0;
    for (int first = 0; first < SECTORS; ++first) {
        std::int32_t sum_x = 0;
        std::int32_t sum_y = 0;
        for (int i = first; i < first + WINDOW; ++i) {
            sum_x += x[i];
            sum_y += y[i];
        }
        const auto along = static_cast<float>(sum_x);
        const auto down = static_cast<float>(sum_y);
        const float square = along * along + down * down;
        if (square > longest) {
            longest = square;
            const float root = inverse_root(square);
            best = {along * root, down * root};
        }
    }
    return best;
}

/// To unit length. The squares are added in one order everywhere: cells pairwise, neighbours first,
/// then the four channels.
void scale_to_unit(float *values) {
    float squares[CELLS * CELLS * CHANNELS];
    std::transform(values, values + 64, squares, [](float x) { return x * x; });
    for (int apart = CHANNELS; apart < 64; apart *= 2)
        for (int i = 0; i < 64; i += 2 * apart)
            for (int channel = i; channel < i + CHANNELS; ++channel)
                squares[channel] = squares[channel] + squares[channel + apart];
    const float root = inverse_root((squares[0] + squares[1]) + (squares[2] + squares[3]));
    for (int i = 0; i < 64; ++i) values[i] *= root;
}

} // namespace

SurfDescriber::SurfDescriber(const Recipe &recipe)
    : upright_(recipe.upright), cells_(surf_cells(recipe)), circle_(surf_circle()),
      row_(static_cast<std::size_t>(cells_.samples + 16) * CHANNELS),
      columns_(CELLS * row_.size()) {
    circle_.x.resize(CircleResponses::most);
    circle_.y.resize(CircleResponses::most);
    circle_.weights.resize(CircleResponses::most);
}

void SurfDescriber::describe(const IntegralImage &sums, Keypoint &keypoint, float *out) {
    Direction direction{1, 0};
    if (!upright_) {
        CircleResponses responses;
        HWY_DYNAMIC_DISPATCH(respond_around)(sums, circle_, keypoint, responses);
        direction = dominant(responses);
        keypoint.orientation = std::atan2(direction.sine, direction.cosine);
    }
    const std::size_t size = static_cast<std::size_t>(cells_.samples) * CHANNELS;
    std::ranges::fill(columns_, 0.0F);
    for (int y = 0; y < cells_.samples; ++y) {
        const float down = static_cast<float>(y) + 0.5F - 0.5F * static_cast<float>(cells_.samples);
        HWY_DYNAMIC_DISPATCH(sample_row)
        (sums, keypoint, direction, cells_.samples, down, row_.data());
        for (int cell = 0; cell < CELLS; ++cell) {
            const int tap = y - cell * PITCH;
            if (tap < 0 || tap >= cells_.taps) continue;
            const float weight = cells_.weights[static_cast<std::size_t>(cell * cells_.taps + tap)];
            HWY_DYNAMIC_DISPATCH(add_row)
            (row_.data(), weight, size,
             columns_.data() + static_cast<std::size_t>(cell) * row_.size());
        }
    }
    for (std::size_t cell = 0; cell < CELLS; ++cell) HWY_DYNAMIC_DISPATCH(sum_cells)
    (columns_.data() + cell * row_.size(), cells_, out + cell * CELLS * CHANNELS);
    scale_to_unit(out);
}

} // namespace bowhist
#endif
