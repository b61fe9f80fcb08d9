// SURF descriptors by the host's vector units. One copy for each generation of vector units, chosen
// when the program runs (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_describer.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_describer.hpp>
#include <bowhist/extract/surf/surf_haar-inl.hpp>
#include <bowhist/extract/surf/surf_haar_map.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>
#include <bowhist/extract/surf/surf_orientation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

static_assert(MOST_SAMPLES % 8 == 0); // vectors of at most eight samples fill a row

/// Sums samples down the columns: for each row of cells MOST_SAMPLES sums of dx, |dx|, dy, |dy|
/// along the keypoint's axes.
/// @param half  of a side of the squares that samples take, in pixels
void sum_columns(const IntegralImage &sums, const HaarMap *map, int half, const Keypoint &keypoint,
                 Direction turned, const SurfCells &cells, float *columns) {
    const D d;
    const Whole whole;
    const float step = cells.step * keypoint.scale;
    const float along_x = step * turned.cosine;
    const float along_y = step * turned.sine;
    const auto cosine = hn::Set(d, turned.cosine);
    const auto sine = hn::Set(d, turned.sine);
    const float middle = 0.5F - 0.5F * static_cast<float>(cells.samples);
    constexpr auto lanes = static_cast<int>(hn::MaxLanes(d));
    for (int i = 0; i < cells.samples; i += static_cast<int>(hn::Lanes(d))) {
        const auto across = hn::Add(hn::Iota(d, static_cast<float>(i)), hn::Set(d, middle));
        const auto across_x = hn::Mul(across, hn::Set(d, along_x));
        const auto across_y = hn::Mul(across, hn::Set(d, along_y));
        // Truncating moves places left of the image or above it by one, but none of their squares
        // lies within it.
        const auto x_of = [&](float down) HWY_ATTR {
            const auto first = hn::Set(d, keypoint.x + 1.0F - along_y * down);
            return hn::ConvertTo(whole, hn::Add(first, across_x));
        };
        const auto y_of = [&](float down) HWY_ATTR {
            const auto first = hn::Set(d, keypoint.y + 1.0F + along_x * down);
            return hn::ConvertTo(whole, hn::Add(first, across_y));
        };
        HWY_ALIGN float responses[MOST_SAMPLES][2][lanes]; // of a few columns
        const auto turn = [&](int sample, const Haar &found) HWY_ATTR {
            hn::Store(hn::Add(hn::Mul(cosine, found.x), hn::Mul(sine, found.y)), d,
                      responses[sample][0]);
            hn::Store(hn::Sub(hn::Mul(cosine, found.y), hn::Mul(sine, found.x)), d,
                      responses[sample][1]);
        };
        if (map) {
            HWY_ALIGN std::int32_t packed[MOST_SAMPLES][lanes];
            for (int sample = 0; sample < cells.samples; ++sample) {
                const float down = static_cast<float>(sample) + middle;
                hn::Store(place_in_map(sums, x_of(down), y_of(down)), whole, packed[sample]);
            }
            // one by one, which Zen 3 does faster than gathering them
            for (int sample = 0; sample < cells.samples; ++sample)
                for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane)
                    packed[sample][lane] =
                        map->values[static_cast<std::size_t>(packed[sample][lane])];
            for (int sample = 0; sample < cells.samples; ++sample)
                turn(sample, unpack(hn::Load(whole, packed[sample])));
        } else {
            for (int sample = 0; sample < cells.samples; ++sample) {
                const float down = static_cast<float>(sample) + middle;
                turn(sample, haar(sums, x_of(down), y_of(down), half));
            }
        }
        for (int row = 0; row < CELLS; ++row) {
            auto sum_x = hn::Zero(d), sum_abs_x = sum_x, sum_y = sum_x, sum_abs_y = sum_x;
            for (int tap = 0; tap < cells.taps; ++tap) {
                const auto weight =
                    hn::Set(d, cells.weights[static_cast<std::size_t>(row * cells.taps + tap)]);
                const auto dx = hn::Load(d, responses[row * PITCH + tap][0]);
                const auto dy = hn::Load(d, responses[row * PITCH + tap][1]);
                sum_x = hn::Add(sum_x, hn::Mul(weight, dx));
                sum_abs_x = hn::Add(sum_abs_x, hn::Mul(weight, hn::Abs(dx)));
                sum_y = hn::Add(sum_y, hn::Mul(weight, dy));
                sum_abs_y = hn::Add(sum_abs_y, hn::Mul(weight, hn::Abs(dy)));
            }
            hn::StoreInterleaved4(sum_x, sum_abs_x, sum_y, sum_abs_y, d,
                                  columns + (row * MOST_SAMPLES + i) * CHANNELS);
        }
    }
}

/// Rows of cells, from sums down the columns.
void sum_cells(const float *columns, const SurfCells &cells, float *out) {
    const hn::CappedTag<float, CHANNELS> d;
    for (int i = 0; i < CELLS * CELLS; ++i) {
        const float *from = columns + (i / CELLS * MOST_SAMPLES + i % CELLS * PITCH) * CHANNELS;
        const float *weights = cells.weights.data() + i % CELLS * cells.taps;
        for (std::size_t channel = 0; channel < CHANNELS; channel += hn::Lanes(d)) {
            auto sum = hn::Zero(d);
            for (int tap = 0; tap < cells.taps; ++tap)
                sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[tap]),
                                           hn::LoadU(d, from + tap * CHANNELS + channel)));
            hn::StoreU(sum, d, out + static_cast<std::size_t>(i) * CHANNELS + channel);
        }
    }
}

/// The compiler makes vectors of these loops. Squares are added in one order everywhere: cells
/// pairwise, neighbors first, then the four channels.
void compress_to_unit_length(float *values) {
    float squares[CELLS * CELLS * CHANNELS];
    for (int i = 0; i < 64; ++i) values[i] = compressed(values[i]);
    for (int i = 0; i < 64; ++i) squares[i] = values[i] * values[i];
    for (int apart = CHANNELS; apart < 64; apart *= 2)
        for (int i = 0; i < 64; i += 2 * apart)
            for (int channel = i; channel < i + CHANNELS; ++channel)
                squares[channel] = squares[channel] + squares[channel + apart];
    const float root = inverse_root((squares[0] + squares[1]) + (squares[2] + squares[3]));
    for (int i = 0; i < 64; ++i) values[i] *= root;
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(sum_columns);
HWY_EXPORT(sum_cells);
HWY_EXPORT(compress_to_unit_length);

/// Half a side of the squares that Haar responses for a descriptor take, in pixels.
int half_side(const Keypoint &keypoint) {
    return std::max(1, static_cast<int>(std::floor(keypoint.scale + 0.5F)));
}

class SurfDescriber {
  public:
    SurfDescriber(const IntegralImage &sums, const Recipe &recipe)
        : sums_(sums), upright_(recipe.upright), cells_(surf_cells(recipe)),
          columns_(+CELLS * +MOST_SAMPLES * +CHANNELS) {}

    /// @param half  half_side() of the keypoint
    /// @param map   of responses for its descriptor, or null
    void describe(Keypoint &keypoint, int half, const HaarMap *map, float *out) {
        Direction direction{1, 0};
        if (!upright_) {
            direction = orientation_.of(keypoint, sums_);
            keypoint.orientation = std::atan2(direction.sine, direction.cosine);
        }
        HWY_DYNAMIC_DISPATCH(sum_columns)
        (sums_, map, half, keypoint, direction, cells_, columns_.data());
        HWY_DYNAMIC_DISPATCH(sum_cells)(columns_.data(), cells_, out);
        HWY_DYNAMIC_DISPATCH(compress_to_unit_length)(out);
    }

  private:
    const IntegralImage &sums_;
    bool upright_;
    SurfCells cells_;
    SurfOrientation orientation_;
    std::vector<float> columns_; ///< samples of four rows of cells, summed down
};

} // namespace

std::vector<float> describe_surf(const IntegralImage &sums, const Recipe &recipe,
                                 std::span<Keypoint> keypoints) {
    constexpr std::size_t size = CELLS * CELLS * CHANNELS;
    std::vector<float> values(keypoints.size() * size);
    SurfDescriber describer(sums, recipe);
    std::map<int, std::size_t> samples; // of Haar responses of each size
    for (const Keypoint &keypoint : keypoints)
        samples[half_side(keypoint)] += +MOST_SAMPLES * +MOST_SAMPLES;
    const auto pixels =
        static_cast<std::size_t>(sums.width) * static_cast<std::size_t>(sums.height);
    std::map<int, HaarMap> maps; // of four bytes per pixel; at most four
    for (const auto &[half, count] : samples) {
        constexpr std::size_t worth = 7; // pixels of a map take as long as one sample without it
        if (half <= HaarMap::largest_half && count > pixels / worth)
            maps.try_emplace(half, sums, half);
    }
    const auto map_of = [&](int half) {
        const auto found = maps.find(half);
        return found == maps.end() ? nullptr : &found->second;
    };
    for (std::size_t i = 0; i < keypoints.size(); ++i) {
        const int half = half_side(keypoints[i]);
        describer.describe(keypoints[i], half, map_of(half), values.data() + i * size);
    }
    return values;
}

} // namespace bowhist
#endif
