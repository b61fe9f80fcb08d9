// The fast Hessian's maxima by the host's vector units (docs/adr/0011).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/surf/surf_detector.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/extract/extract_launch.hpp>
#include <bowhist/extract/surf/surf_extractor.hpp>

#include <hwy/highway.h>

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

/// Three neighboring rows of responses of three neighboring layers.
using Neighbors = std::array<std::array<const float *, 3>, 3>;

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The boxes of a filter around row y, column by column.
void sum_columns(const IntegralImage &sums, int y, const SurfLayer &layer, BoxRows &boxes) {
    const hn::ScalableTag<std::int32_t> d;
    const int lobe = layer.lobe;
    const int border = layer.border();
    const int middle = lobe / 2;
    const int apart = layer.apart();
    const auto row = [&](int at) { return reinterpret_cast<const std::int32_t *>(sums.row(at)); };
    const std::int32_t *wide[] = {row(y - lobe + 1), row(y + lobe)};
    const std::int32_t *high[] = {row(y - border), row(y - middle), row(y + middle + 1),
                                  row(y + border + 1)};
    const std::int32_t *cross[] = {row(y - apart - lobe + 1), row(y - apart + 1), row(y + apart),
                                   row(y + apart + lobe)};
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

/// Determinants of a row, where the filter lies in the image.
void respond(const BoxRows &boxes, const SurfLayer &layer, int width, float *responses) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> whole;
    const int lobe = layer.lobe;
    const int border = layer.border();
    const int middle = lobe / 2;
    const int apart = layer.apart();
    const auto unit = hn::Set(d, layer.unit());
    const auto weight = hn::Set(d, layer.weight());
    for (int x = border; x < width - border; x += static_cast<int>(hn::Lanes(d))) {
        const auto between = [&](const std::vector<std::int32_t> &row, int from, int to) HWY_ATTR {
            const std::int32_t *at = row.data() + x;
            return hn::Sub(hn::LoadU(whole, at + to), hn::LoadU(whole, at + from));
        };
        const auto inner = between(boxes.xx, -middle, middle + 1);
        const auto sum_xx =
            hn::Sub(between(boxes.xx, -border, border + 1), hn::Add(inner, hn::Add(inner, inner)));
        const auto sum_yy = between(boxes.yy, 1 - lobe, lobe);
        const auto sum_xy = hn::Sub(between(boxes.xy, 1 - apart - lobe, 1 - apart),
                                    between(boxes.xy, apart, apart + lobe));
        const auto xx = hn::Mul(hn::ConvertTo(d, sum_xx), unit);
        const auto yy = hn::Mul(hn::ConvertTo(d, sum_yy), unit);
        const auto xy = hn::Mul(hn::ConvertTo(d, sum_xy), unit);
        hn::StoreU(hn::Sub(hn::Mul(xx, yy), hn::Mul(weight, hn::Mul(xy, xy))), d, responses + x);
    }
}

/// Samples of the middle row of the middle layer that exceed the threshold and all around them in
/// their layer, of equal ones the first, and reach their share of the neighboring layers (in the
/// first layer searched: of the layer above).
void find_maxima(const Neighbors &rows, int first, int end, float threshold, bool is_first_layer,
                 std::vector<int> &found) {
    const hn::ScalableTag<float> d;
    const auto least = hn::Set(d, threshold);
    for (int x = first; x < end; x += static_cast<int>(hn::Lanes(d))) {
        const auto three = [&](std::size_t layer, std::size_t row) HWY_ATTR {
            const float *at = rows[layer][row] + x;
            return hn::Max(hn::LoadU(d, at), hn::Max(hn::LoadU(d, at - 1), hn::LoadU(d, at + 1)));
        };
        const auto nine = [&](std::size_t layer) HWY_ATTR {
            return hn::Max(three(layer, 0), hn::Max(three(layer, 1), three(layer, 2)));
        };
        const float *at = rows[1][1] + x;
        const auto here = hn::LoadU(d, at);
        const auto before = hn::Max(least, hn::Max(three(1, 0), hn::LoadU(d, at - 1)));
        const auto behind = hn::Max(three(1, 2), hn::LoadU(d, at + 1));
        auto maxima = hn::And(hn::And(hn::Gt(here, before), hn::Ge(here, behind)),
                              hn::FirstN(d, static_cast<std::size_t>(end - x)));
        if (hn::AllFalse(d, maxima)) continue;
        auto beside = nine(2);
        if (!is_first_layer) beside = hn::Max(beside, nine(0));
        maxima = hn::And(maxima, hn::Ge(here, hn::Mul(hn::Set(d, share_of(1)), beside)));
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

/// The maxima of one octave. Three rows of each layer's responses are kept, which stay in the
/// caches. The sums and the layers must outlive the object.
class MaximaSearch {
  public:
    MaximaSearch(const IntegralImage &sums, int octave, const std::vector<SurfLayer> &layers,
                 float threshold)
        : sums_(sums), octave_(octave), layers_(layers), threshold_(threshold),
          pitch_(static_cast<std::size_t>(sums.stride)), boxes_(pitch_),
          rows_(layers.size() * 3 * pitch_), found_(layers.size()) {}

    /// Layer by layer.
    std::vector<Keypoint> run() {
        for (int y = 0; y < sums_.height; ++y) {
            for (std::size_t layer = 0; layer < layers_.size(); ++layer) respond(layer, y);
            for (std::size_t layer = 1; layer + 1 < layers_.size(); ++layer) search(layer, y - 1);
        }
        std::vector<Keypoint> all;
        for (const auto &found : found_) all.insert(all.end(), found.begin(), found.end());
        return all;
    }

  private:
    float *row(std::size_t layer, int y) {
        return rows_.data() + (layer * 3 + static_cast<std::size_t>(y % 3)) * pitch_;
    }

    void respond(std::size_t number, int y) {
        const SurfLayer &layer = layers_[number];
        if (y < layer.border() || y >= sums_.height - layer.border()) return;
        HWY_DYNAMIC_DISPATCH(sum_columns)(sums_, y, layer, boxes_);
        HWY_DYNAMIC_DISPATCH(respond)(boxes_, layer, sums_.width, row(number, y));
    }

    void search(std::size_t number, int y) {
        const int margin = layers_[number + 1].border() + 1; // the neighbors' filters fit, too
        if (y < margin || y >= sums_.height - margin) return;
        Neighbors neighbors;
        for (std::size_t l = 0; l < 3; ++l)
            for (int r = 0; r < 3; ++r)
                neighbors[l][static_cast<std::size_t>(r)] = row(number + l - 1, y + r - 1);
        maxima_.clear();
        HWY_DYNAMIC_DISPATCH(find_maxima)
        (neighbors, margin, sums_.width - margin, threshold_ / layers_[number].factor(octave_),
         is_first_layer(octave_, number), maxima_);
        for (const int x : maxima_) fit(number, neighbors, x, y);
    }

    void fit(std::size_t number, const Neighbors &rows, int x, int y) {
        float around[27];
        for (std::size_t i = 0; i < 27; ++i)
            around[i] = rows[i / 9][i / 3 % 3][x - 1 + static_cast<int>(i % 3)];
        const SurfLayer &layer = layers_[number];
        const SurfPeak peak = fit_peak(around, is_first_layer(octave_, number) ? 1 : 0);
        found_[number].push_back({.x = static_cast<float>(x) + peak.x,
                                  .y = static_cast<float>(y) + peak.y,
                                  .scale = surf_scale(layer.lobe, peak.layer),
                                  .orientation = 0,
                                  .response = around[13] * layer.factor(octave_) * peak.weight});
    }

    const IntegralImage &sums_;
    int octave_;
    const std::vector<SurfLayer> &layers_;
    float threshold_;
    std::size_t pitch_;
    BoxRows boxes_;
    std::vector<float> rows_;
    std::vector<int> maxima_;
    std::vector<std::vector<Keypoint>> found_; ///< of each layer
};

} // namespace

std::vector<Keypoint> find_surf(const IntegralImage &sums, int octave,
                                const std::vector<SurfLayer> &layers, float threshold) {
    return MaximaSearch(sums, octave, layers, threshold).run();
}

} // namespace bowhist
#endif
