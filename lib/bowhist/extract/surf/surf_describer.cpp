// SURF descriptors by the host's vector units (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_describer.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_extractor.hpp>
#include <bowhist/extract/surf/surf_haar-inl.hpp>
#include <bowhist/extract/surf/surf_orientation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {

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

static_assert(SURF_MOST_SAMPLES % 8 == 0); // vectors of at most eight samples fill a row

/// For each row of cells SURF_MOST_SAMPLES sums of dx, |dx|, dy, |dy| down the keypoint's columns.
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
        // Truncating moves places left of the image or above it by one; their squares leave it.
        const auto x_of = [&](float down) HWY_ATTR {
            const auto first = hn::Set(d, keypoint.x + 1.0F - along_y * down);
            return hn::ConvertTo(whole, hn::Add(first, across_x));
        };
        const auto y_of = [&](float down) HWY_ATTR {
            const auto first = hn::Set(d, keypoint.y + 1.0F + along_x * down);
            return hn::ConvertTo(whole, hn::Add(first, across_y));
        };
        HWY_ALIGN float responses[SURF_MOST_SAMPLES][2][lanes]; // of a few columns
        const auto turn = [&](int sample, const Haar &found) HWY_ATTR {
            hn::Store(hn::Add(hn::Mul(cosine, found.x), hn::Mul(sine, found.y)), d,
                      responses[sample][0]);
            hn::Store(hn::Sub(hn::Mul(cosine, found.y), hn::Mul(sine, found.x)), d,
                      responses[sample][1]);
        };
        if (map) {
            HWY_ALIGN std::int32_t packed[SURF_MOST_SAMPLES][lanes];
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
        for (int row = 0; row < PATCH_CELLS; ++row) {
            auto sum_x = hn::Zero(d), sum_abs_x = sum_x, sum_y = sum_x, sum_abs_y = sum_x;
            for (int tap = 0; tap < cells.taps; ++tap) {
                const auto weight =
                    hn::Set(d, cells.weights[static_cast<std::size_t>(row * cells.taps + tap)]);
                const auto dx = hn::Load(d, responses[row * SURF_PITCH + tap][0]);
                const auto dy = hn::Load(d, responses[row * SURF_PITCH + tap][1]);
                sum_x = hn::Add(sum_x, hn::Mul(weight, dx));
                sum_abs_x = hn::Add(sum_abs_x, hn::Mul(weight, hn::Abs(dx)));
                sum_y = hn::Add(sum_y, hn::Mul(weight, dy));
                sum_abs_y = hn::Add(sum_abs_y, hn::Mul(weight, hn::Abs(dy)));
            }
            hn::StoreInterleaved4(sum_x, sum_abs_x, sum_y, sum_abs_y, d,
                                  columns + (row * SURF_MOST_SAMPLES + i) * PATCH_CHANNELS);
        }
    }
}

/// Rows of cells, from sums down the columns.
void sum_cells(const float *columns, const SurfCells &cells, float *out) {
    const hn::CappedTag<float, PATCH_CHANNELS> d;
    for (int i = 0; i < PATCH_CELLS * PATCH_CELLS; ++i) {
        const float *from =
            columns +
            (i / PATCH_CELLS * SURF_MOST_SAMPLES + i % PATCH_CELLS * SURF_PITCH) * PATCH_CHANNELS;
        const float *weights = cells.weights.data() + i % PATCH_CELLS * cells.taps;
        for (std::size_t channel = 0; channel < PATCH_CHANNELS; channel += hn::Lanes(d)) {
            auto sum = hn::Zero(d);
            for (int tap = 0; tap < cells.taps; ++tap)
                sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[tap]),
                                           hn::LoadU(d, from + tap * PATCH_CHANNELS + channel)));
            hn::StoreU(sum, d, out + static_cast<std::size_t>(i) * PATCH_CHANNELS + channel);
        }
    }
}

/// The compiler makes vectors of these loops. Squares are added in one order everywhere: cells
/// pairwise, neighbors first, then the four channels.
void compress_to_unit_length(float *values) {
    float squares[PATCH_CELLS * PATCH_CELLS * PATCH_CHANNELS];
    for (int i = 0; i < 64; ++i) values[i] = compressed(values[i]);
    for (int i = 0; i < 64; ++i) squares[i] = values[i] * values[i];
    for (int apart = PATCH_CHANNELS; apart < 64; apart *= 2)
        for (int i = 0; i < 64; i += 2 * apart)
            for (int channel = i; channel < i + PATCH_CHANNELS; ++channel)
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

HWY_EXPORT(map_haar);
HWY_EXPORT(sum_columns);
HWY_EXPORT(sum_cells);
HWY_EXPORT(compress_to_unit_length);

/// Half a side of the squares that Haar responses for a descriptor take, in pixels.
int half_side(const Keypoint &keypoint) {
    return std::max(1, static_cast<int>(std::floor(keypoint.scale + 0.5F)));
}

/// Maps of four bytes per pixel, at most four, by half the side of their squares: where they take
/// less time than the samples would without them.
std::map<int, HaarMap> useful_maps(const IntegralImage &sums, std::span<const Keypoint> keypoints) {
    std::map<int, std::size_t> samples;
    for (const Keypoint &keypoint : keypoints)
        samples[half_side(keypoint)] += +SURF_MOST_SAMPLES * +SURF_MOST_SAMPLES;
    const auto pixels =
        static_cast<std::size_t>(sums.width) * static_cast<std::size_t>(sums.height);
    std::map<int, HaarMap> maps;
    for (const auto &[half, count] : samples) {
        constexpr std::size_t worth = 7; // pixels of a map take as long as one sample without it
        if (half <= HaarMap::largest_half && count > pixels / worth)
            maps.try_emplace(half, sums, half);
    }
    return maps;
}

} // namespace

HaarMap::HaarMap(const IntegralImage &sums, int half)
    : values(static_cast<std::size_t>(sums.stride) * static_cast<std::size_t>(sums.height + 1)) {
    HWY_DYNAMIC_DISPATCH(map_haar)(sums, half, *this);
}

std::vector<float> describe_surf(const IntegralImage &sums, const Recipe &recipe,
                                 std::span<Keypoint> keypoints) {
    constexpr std::size_t size = PATCH_CELLS * PATCH_CELLS * PATCH_CHANNELS;
    const SurfCells cells = surf_cells(recipe);
    const std::map<int, HaarMap> maps = useful_maps(sums, keypoints);
    std::vector<float> columns(+PATCH_CELLS * +SURF_MOST_SAMPLES *
                               +PATCH_CHANNELS); // four rows of cells
    std::vector<float> values(keypoints.size() * size);
    float *out = values.data();
    for (Keypoint &keypoint : keypoints) {
        Direction direction{1, 0};
        if (!recipe.upright) {
            direction = orientation_of(keypoint, sums);
            keypoint.orientation = std::atan2(direction.sine, direction.cosine);
        }
        const int half = half_side(keypoint);
        const auto map = maps.find(half);
        HWY_DYNAMIC_DISPATCH(sum_columns)
        (sums, map == maps.end() ? nullptr : &map->second, half, keypoint, direction, cells,
         columns.data());
        HWY_DYNAMIC_DISPATCH(sum_cells)(columns.data(), cells, out);
        HWY_DYNAMIC_DISPATCH(compress_to_unit_length)(out);
        out += size;
    }
    return values;
}

} // namespace bowhist
#endif
