// SURF descriptors by the host's vector units. One copy for each generation of vector units, chosen
// when the program runs (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_describer.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_describer.hpp>
#include <bowhist/extract/surf/surf_haar-inl.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>
#include <bowhist/extract/surf/surf_orientation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#ifndef BOWHIST_SURF_DESCRIBER_ONCE
#define BOWHIST_SURF_DESCRIBER_ONCE
namespace bowhist {

/// Haar responses of one size at every corner of pixels, for keypoints that are many: both packed
/// into a number, so that a sample takes one look-up and not eight.
struct HaarMap {
    static constexpr int largest_half = 4; ///< pixels, whose responses fit 16 bits

    std::vector<std::int32_t> values; ///< x in the lower half of each, y in the upper
    std::ptrdiff_t stride = 0;
};

/// Of the squares that Haar responses for a descriptor take, in pixels.
inline int half_side(const Keypoint &keypoint) {
    return std::max(1, static_cast<int>(std::floor(keypoint.scale + 0.5F)));
}

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE Wholes rounded_down(Floats x) {
    return hn::ConvertTo(Whole(), hn::Floor(x));
}

/// Makes the map of this size.
void map_haar(const IntegralImage &sums, int half, HaarMap &map) {
    const hn::ScalableTag<std::int32_t> d;
    map.stride = sums.stride;
    map.values.assign(
        static_cast<std::size_t>(sums.stride) * static_cast<std::size_t>(sums.height + 1), 0);
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

/// From the map; nothing where they leave the picture.
HWY_INLINE Haar look_up(const HaarMap &map, const IntegralImage &sums, Wholes x, Wholes y) {
    const D d;
    const Whole whole;
    const auto within = [&](Wholes at, int size) HWY_ATTR {
        return hn::Min(hn::Max(at, hn::Zero(whole)), hn::Set(whole, size));
    };
    const auto place =
        hn::Add(hn::Mul(within(y, sums.height), hn::Set(whole, static_cast<int>(map.stride))),
                within(x, sums.width));
    const auto both = hn::GatherIndex(whole, map.values.data(), place);
    return {hn::ConvertTo(d, hn::ShiftRight<16>(hn::ShiftLeft<16>(both))),
            hn::ConvertTo(d, hn::ShiftRight<16>(both))};
}

/// One row of samples: dx, |dx|, dy, |dy| along the keypoint's axes.
void sample_row(const IntegralImage &sums, const HaarMap *map, const Keypoint &keypoint,
                Direction turned, int samples, float down, float *row) {
    const D d;
    const int half = half_side(keypoint);
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
        const Haar found = map ? look_up(*map, sums, rounded_down(x), rounded_down(y))
                               : haar(sums, rounded_down(x), rounded_down(y), half);
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

HWY_EXPORT(map_haar);
HWY_EXPORT(sample_row);
HWY_EXPORT(add_row);
HWY_EXPORT(sum_cells);

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

class SurfDescriber {
  public:
    SurfDescriber(const IntegralImage &sums, const Recipe &recipe)
        : sums_(sums), upright_(recipe.upright), cells_(surf_cells(recipe)),
          row_(static_cast<std::size_t>(cells_.samples + 16) * CHANNELS),
          columns_(CELLS * row_.size()) {}

    /// @param map  of this keypoint's size, or null
    void describe(Keypoint &keypoint, const HaarMap *map, float *out) {
        Direction direction{1, 0};
        if (!upright_) {
            direction = orientation_.of(keypoint, sums_);
            keypoint.orientation = std::atan2(direction.sine, direction.cosine);
        }
        std::ranges::fill(columns_, 0.0F);
        for (int y = 0; y < cells_.samples; ++y) add_samples(keypoint, map, direction, y);
        for (std::size_t row = 0; row < CELLS; ++row) HWY_DYNAMIC_DISPATCH(sum_cells)
        (columns_.data() + row * row_.size(), cells_, out + row * CELLS * CHANNELS);
        scale_to_unit(out);
    }

  private:
    /// A row of samples to the rows of cells that it belongs to.
    void add_samples(const Keypoint &keypoint, const HaarMap *map, Direction direction, int y) {
        const float down = static_cast<float>(y) + 0.5F - 0.5F * static_cast<float>(cells_.samples);
        HWY_DYNAMIC_DISPATCH(sample_row)
        (sums_, map, keypoint, direction, cells_.samples, down, row_.data());
        for (int row = 0; row < CELLS; ++row) {
            const int tap = y - row * PITCH;
            if (tap < 0 || tap >= cells_.taps) continue;
            HWY_DYNAMIC_DISPATCH(add_row)
            (row_.data(), cells_.weights[static_cast<std::size_t>(row * cells_.taps + tap)],
             static_cast<std::size_t>(cells_.samples) * CHANNELS,
             columns_.data() + static_cast<std::size_t>(row) * row_.size());
        }
    }

    const IntegralImage &sums_;
    bool upright_;
    SurfCells cells_;
    SurfOrientation orientation_;
    std::vector<float> row_;     ///< the four channels of a row of samples
    std::vector<float> columns_; ///< and of four rows of cells, summed down the columns
};

} // namespace

std::vector<float> describe_surf(const IntegralImage &sums, const Recipe &recipe,
                                 std::span<Keypoint> keypoints) {
    constexpr std::size_t size = CELLS * CELLS * CHANNELS;
    std::vector<float> values(keypoints.size() * size);
    SurfDescriber describer(sums, recipe);
    std::map<int, std::vector<std::size_t>> by_half;
    for (std::size_t i = 0; i < keypoints.size(); ++i)
        by_half[half_side(keypoints[i])].push_back(i);
    const auto pixels =
        static_cast<std::size_t>(sums.width) * static_cast<std::size_t>(sums.height);
    HaarMap map;
    for (const auto &[half, places] : by_half) {
        constexpr std::size_t worth =
            4000; // pixels of a map take the time of a keypoint's look-ups
        const bool mapped = half <= HaarMap::largest_half && places.size() > pixels / worth;
        if (mapped) HWY_DYNAMIC_DISPATCH(map_haar)(sums, half, map);
        for (const std::size_t i : places)
            describer.describe(keypoints[i], mapped ? &map : nullptr, values.data() + i * size);
    }
    return values;
}

} // namespace bowhist
#endif
