// The fast Hessian's maxima by the host's vector units. One copy for each generation of vector
// units, chosen when the program runs (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_detector.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_detector.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>

#ifndef BOWHIST_SURF_DETECTOR_ONCE
#define BOWHIST_SURF_DETECTOR_ONCE
namespace bowhist {

/// Sums of whole columns of a filter's boxes in one row of responses, a value for each column.
struct BoxRows {
    explicit BoxRows(std::size_t columns) : xx(columns), yy(columns), xy(columns) {}

    std::vector<std::int32_t> xx;
    std::vector<std::int32_t> yy;
    std::vector<std::int32_t> xy;
};

/// Of a 3x3x3 without its middle: nearest first, which decide most often.
constexpr int neighbours_by_distance[] = {12, 14, 10, 16, 9,  11, 15, 17, 4, 22, 3,  5,  21,
                                          23, 1,  7,  19, 25, 0,  2,  6,  8, 18, 20, 24, 26};

/// Three neighbouring rows of responses of three neighbouring layers.
using Neighbours = std::array<std::array<const float *, 3>, 3>;

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The boxes of a filter around row y, column by column.
void sum_columns(const IntegralImage &sums, int y, int lobe, BoxRows &boxes) {
    const hn::ScalableTag<std::int32_t> d;
    const int border = 3 * lobe / 2;
    const int middle = lobe / 2;
    const auto row = [&](int at) { return reinterpret_cast<const std::int32_t *>(sums.row(at)); };
    const std::int32_t *wide[] = {row(y - lobe + 1), row(y + lobe)};
    const std::int32_t *high[] = {row(y - border), row(y - middle), row(y + middle + 1),
                                  row(y + border + 1)};
    const std::int32_t *cross[] = {row(y - lobe), row(y), row(y + 1), row(y + lobe + 1)};
    const auto between = [&](const std::int32_t *const *rows, int from, int to, int x) HWY_ATTR {
        return hn::Sub(hn::LoadU(d, rows[to] + x), hn::LoadU(d, rows[from] + x));
    };
    for (int x = 0; x <= sums.width; x += static_cast<int>(hn::Lanes(d))) {
        hn::StoreU(between(wide, 0, 1, x), d, boxes.xx.data() + x);
        const auto inner = between(high, 1, 2, x);
        const auto thrice = hn::Add(inner, hn::Add(inner, inner));
        hn::StoreU(hn::Sub(between(high, 0, 3, x), thrice), d, boxes.yy.data() + x);
        hn::StoreU(hn::Sub(between(cross, 0, 1, x), between(cross, 2, 3, x)), d,
                   boxes.xy.data() + x);
    }
}

/// Every `step`-th value from there.
template <class D>
hn::Vec<D> load_sparse(D d, const std::int32_t *from, int step) {
    if (step == 1) return hn::LoadU(d, from);
    if (step == 2) {
        hn::Vec<D> even, odd;
        hn::LoadInterleaved2(d, from, even, odd);
        return even;
    }
    return hn::GatherIndex(d, from, hn::Mul(hn::Iota(d, 0), hn::Set(d, step)));
}

/// Determinants of samples first … end - 1 of a row.
void respond(const BoxRows &boxes, const SurfLayer &layer, int first, int end, float *responses) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> whole;
    const int step = layer.step;
    const int lobe = layer.lobe;
    const int border = 3 * lobe / 2;
    const int middle = lobe / 2;
    const auto unit = hn::Set(d, layer.unit());
    const auto weight = hn::Set(d, 0.81F);
    for (int i = first; i < end; i += static_cast<int>(hn::Lanes(d))) {
        const int x = i * step;
        const auto at = [&](const std::vector<std::int32_t> &row, int offset)
                            HWY_ATTR { return load_sparse(whole, row.data() + x + offset, step); };
        const auto between = [&](const std::vector<std::int32_t> &row, int from, int to)
                                 HWY_ATTR { return hn::Sub(at(row, to), at(row, from)); };
        const auto inner = between(boxes.xx, -middle, middle + 1);
        const auto sum_xx =
            hn::Sub(between(boxes.xx, -border, border + 1), hn::Add(inner, hn::Add(inner, inner)));
        const auto sum_yy = between(boxes.yy, 1 - lobe, lobe);
        const auto sum_xy = hn::Sub(between(boxes.xy, -lobe, 0), between(boxes.xy, 1, lobe + 1));
        const auto xx = hn::Mul(hn::ConvertTo(d, sum_xx), unit);
        const auto yy = hn::Mul(hn::ConvertTo(d, sum_yy), unit);
        const auto xy = hn::Mul(hn::ConvertTo(d, sum_xy), unit);
        hn::StoreU(hn::Sub(hn::Mul(xx, yy), hn::Mul(weight, hn::Mul(xy, xy))), d, responses + i);
    }
}

/// Samples of the middle row of the middle layer that exceed the threshold and all around them; of
/// equal ones the first counts.
void find_maxima(const Neighbours &rows, int first, int end, float threshold,
                 std::vector<int> &found) {
    const hn::ScalableTag<float> d;
    const auto least = hn::Set(d, threshold);
    for (int x = first; x < end; x += static_cast<int>(hn::Lanes(d))) {
        const auto here = hn::LoadU(d, rows[1][1] + x);
        auto maxima =
            hn::And(hn::Gt(here, least), hn::FirstN(d, static_cast<std::size_t>(end - x)));
        if (hn::AllFalse(d, maxima)) continue;
        for (const int other : neighbours_by_distance) {
            const float *row =
                rows[static_cast<std::size_t>(other / 9)][static_cast<std::size_t>(other / 3 % 3)];
            const auto there = hn::LoadU(d, row + x + other % 3 - 1);
            maxima = hn::And(maxima, other < 13 ? hn::Gt(here, there) : hn::Ge(here, there));
            if (hn::AllFalse(d, maxima)) break;
        }
        if (hn::AllFalse(d, maxima)) continue;
        std::uint8_t bits[HWY_MAX_BYTES / 8 + 8] = {};
        hn::StoreMaskBits(d, maxima, bits);
        for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane)
            if ((bits[lane / 8] >> lane % 8 & 1) != 0) found.push_back(x + static_cast<int>(lane));
    }
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(sum_columns);
HWY_EXPORT(respond);
HWY_EXPORT(find_maxima);

/// The maxima of one octave. Of each layer's responses three rows are kept, which stay in the
/// caches.
class OctaveSearch {
  public:
    OctaveSearch(const IntegralImage &sums, const SurfOctave &layers, float threshold)
        : sums_(sums), layers_(layers), threshold_(threshold),
          pitch_(static_cast<std::size_t>(layers.front().samples(sums.width)) + vector),
          boxes_(static_cast<std::size_t>(sums.stride) +
                 vector * static_cast<std::size_t>(layers.front().step)),
          rows_(layers.size() * 3 * pitch_), found_(layers.size()) {}

    /// Appends them layer by layer.
    void run(std::vector<Keypoint> &keypoints) {
        for (int y = 0; y < layers_.front().samples(sums_.height); ++y) {
            for (std::size_t layer = 0; layer < layers_.size(); ++layer) respond(layer, y);
            for (std::size_t layer = 1; layer + 1 < layers_.size(); ++layer) search(layer, y - 1);
        }
        for (const auto &found : found_)
            keypoints.insert(keypoints.end(), found.begin(), found.end());
    }

  private:
    static constexpr std::size_t vector = 64; ///< values that a vector may touch behind a row

    float *row(std::size_t layer, int y) {
        return rows_.data() + (layer * 3 + static_cast<std::size_t>(y % 3)) * pitch_;
    }

    void respond(std::size_t number, int y) {
        const SurfLayer &layer = layers_[number];
        if (y < layer.first() || y >= layer.end(sums_.height)) return;
        HWY_DYNAMIC_DISPATCH(sum_columns)(sums_, y * layer.step, layer.lobe, boxes_);
        HWY_DYNAMIC_DISPATCH(respond)
        (boxes_, layer, layer.first(), layer.end(sums_.width), row(number, y));
    }

    void search(std::size_t number, int y) {
        const SurfLayer &largest = layers_[number + 1];
        if (y <= largest.first() || y + 1 >= largest.end(sums_.height)) return;
        Neighbours neighbours;
        for (std::size_t l = 0; l < 3; ++l)
            for (int r = 0; r < 3; ++r)
                neighbours[l][static_cast<std::size_t>(r)] = row(number + l - 1, y + r - 1);
        maxima_.clear();
        HWY_DYNAMIC_DISPATCH(find_maxima)
        (neighbours, largest.first() + 1, largest.end(sums_.width) - 1, threshold_, maxima_);
        for (const int x : maxima_) fit(number, neighbours, x, y);
    }

    void fit(std::size_t number, const Neighbours &rows, int x, int y) {
        float around[27];
        for (std::size_t i = 0; i < 27; ++i)
            around[i] = rows[i / 9][i / 3 % 3][x - 1 + static_cast<int>(i % 3)];
        const SurfPeak peak = fit_peak(around);
        if (!peak.within) return;
        const SurfLayer &layer = layers_[number];
        const auto step = static_cast<float>(layer.step);
        found_[number].push_back(
            {(static_cast<float>(x) + peak.x) * step, (static_cast<float>(y) + peak.y) * step,
             surf_scale(layer.lobe, layer.lobe_step, peak.layer), 0, around[13]});
    }

    const IntegralImage &sums_;
    const SurfOctave &layers_;
    float threshold_;
    std::size_t pitch_;
    BoxRows boxes_;
    std::vector<float> rows_;
    std::vector<int> maxima_;
    std::vector<std::vector<Keypoint>> found_; ///< of each layer
};

} // namespace

std::vector<Keypoint> find_surf(const IntegralImage &sums, const std::vector<SurfOctave> &octaves,
                                float threshold) {
    std::vector<Keypoint> keypoints;
    for (const SurfOctave &layers : octaves) OctaveSearch(sums, layers, threshold).run(keypoints);
    return keypoints;
}

} // namespace bowhist
#endif
