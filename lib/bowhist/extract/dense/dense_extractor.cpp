// Dense descriptors by the host's vector units (docs/adr/0011): pool cells, scale to unit length.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bowhist/extract/dense/dense_extractor.cpp"
#include <hwy/foreach_target.h>
// The above comes first: it includes this file once for each target.
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/extract/dense/dense_extractor.hpp>
#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/extract/smoothing.hpp>
#include <bowhist/extract/spread.hpp>

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#ifndef BOWHIST_DENSE_EXTRACTOR_ONCE
#define BOWHIST_DENSE_EXTRACTOR_ONCE
namespace bowhist {

using Cell = float __attribute__((vector_size(PATCH_CHANNELS * sizeof(float))));

inline Cell load(const float *from) {
    Cell cell;
    std::memcpy(&cell, from, sizeof cell);
    return cell;
}
inline void store(const Cell &cell, float *to) {
    std::memcpy(to, &cell, sizeof cell);
}

} // namespace bowhist
#endif

HWY_BEFORE_NAMESPACE();
namespace bowhist {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums the four channels down the columns under a cell's tent: four floats a pixel of the row.
void pool_rows(const GreyPlane &grey, int middle, int cell, float *sums) {
    const hn::ScalableTag<float> d;
    const hn::Rebind<std::int16_t, decltype(d)> half;
    const hn::RebindToSigned<decltype(d)> whole;
    const int from = std::max(0, middle - cell + 1);
    const int to = std::min(grey.height - 1, middle + cell - 1);
    const auto stride = grey.stride;
    for (int x = 0; x < grey.width; x += static_cast<int>(hn::Lanes(d))) {
        auto dx = hn::Zero(d);
        auto ax = hn::Zero(d);
        auto dy = hn::Zero(d);
        auto ay = hn::Zero(d);
        const std::int16_t *at = grey.row(from) + x;
        for (int y = from; y <= to; ++y, at += stride) {
            const auto weight = hn::Set(d, static_cast<float>(cell - std::abs(y - middle)));
            const auto difference = [&](const std::int16_t *after,
                                        const std::int16_t *before) HWY_ATTR {
                const auto both = hn::Sub(hn::LoadU(half, after), hn::LoadU(half, before));
                return hn::ConvertTo(d, hn::PromoteTo(whole, both));
            };
            const auto across = difference(at + 1, at - 1);
            const auto down = difference(at + stride, at - stride);
            dx = hn::MulAdd(weight, across, dx);
            ax = hn::MulAdd(weight, hn::Abs(across), ax);
            dy = hn::MulAdd(weight, down, dy);
            ay = hn::MulAdd(weight, hn::Abs(down), ay);
        }
        hn::StoreInterleaved4(dx, ax, dy, ay, d, sums + x * PATCH_CHANNELS);
    }
}

/// Sums such a row under the tents of the cells along it: four floats a cell. `tent` holds a cell's
/// weights, each four times, and zeros behind them.
void pool_columns(const float *sums, const GridAxis &across, const float *tent, float *cells) {
    const hn::CappedTag<float, 16> d;
    constexpr std::size_t lanes = hn::MaxLanes(d);
    const int taps = (2 * across.cell - 1) * PATCH_CHANNELS;
    for (int cell = 0; cell < across.cells; ++cell, cells += PATCH_CHANNELS) {
        const float *at = sums + (middle_of(across, cell) - across.cell + 1) * PATCH_CHANNELS;
        Cell sum = {};
        if constexpr (lanes < PATCH_CHANNELS) {
            for (int i = 0; i < taps; i += PATCH_CHANNELS) sum += load(tent + i) * load(at + i);
        } else {
            auto several = hn::Zero(d); // cells, side by side
            for (int i = 0; i < taps; i += static_cast<int>(hn::Lanes(d)))
                several = hn::MulAdd(hn::LoadU(d, tent + i), hn::LoadU(d, at + i), several);
            float parts[lanes];
            hn::StoreU(several, d, parts);
            for (std::size_t part = 0; part < hn::Lanes(d); part += PATCH_CHANNELS)
                sum += load(parts + part);
        }
        store(sum, cells);
    }
}

/// The sum of a patch's squares, in one order everywhere: cells pairwise, then the four channels.
///
/// @param columns  where a patch's cells begin in each of its rows of cells
void sum_squares(const float *const *rows, const int *columns, int patches, float *squares) {
    for (int patch = 0; patch < patches; ++patch, columns += PATCH_CELLS) {
        Cell sums[PATCH_CELLS * PATCH_CELLS];
        for (int i = 0; i < PATCH_CELLS * PATCH_CELLS; ++i) {
            const Cell cell = load(rows[i / PATCH_CELLS] + columns[i % PATCH_CELLS]);
            sums[i] = cell * cell;
        }
        for (int i = 0; i < 8; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
        for (int i = 0; i < 4; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
        for (int i = 0; i < 2; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
        const Cell sum = sums[0] + sums[1];
        squares[patch] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/// The sixteen cells of a patch times `factor`.
void scale_patch(const float *const *rows, const int *columns, float factor, float *out) {
    for (int i = 0; i < PATCH_CELLS * PATCH_CELLS; ++i)
        store(load(rows[i / PATCH_CELLS] + columns[i % PATCH_CELLS]) * factor,
              out + i * PATCH_CHANNELS);
}

} // namespace HWY_NAMESPACE
} // namespace bowhist
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bowhist {
namespace {

HWY_EXPORT(pool_rows);
HWY_EXPORT(pool_columns);
HWY_EXPORT(sum_squares);
HWY_EXPORT(scale_patch);

/// The plane without its lowest bits, rounded, so that a patch's sums stay below 2^24.
void round_off(const GreyPlane &plane, int bits, GreyPlane &rounded) {
    const int half = 1 << (bits - 1);
    std::ranges::transform(plane.values, rounded.values.begin(), [&](std::int16_t value) {
        return static_cast<std::int16_t>((value + half) >> bits);
    });
}

/// All patches of one size, a row of them after another. Only the rows of cells that the current
/// patches have are kept: few enough for the caches. The plane must outlive the object.
class Patches {
  public:
    Patches(const GreyPlane &grey, const PatchShape &shape, int step)
        : grey_(grey), shape_(shape), contrast_unit_(shape.contrast_unit()),
          down_(grid_axis(grey.height, step, shape)), across_(grid_axis(grey.width, step, shape)),
          kept_(cell_of(down_, 0, PATCH_CELLS - 1) + 1),
          margin_(static_cast<std::size_t>(shape.cell()) * PATCH_CHANNELS),
          row_size_(static_cast<std::size_t>(across_.cells) * PATCH_CHANNELS),
          sums_(static_cast<std::size_t>(grey.width + GreyPlane::slack) * PATCH_CHANNELS +
                2 * margin_),
          cells_(static_cast<std::size_t>(kept_) * row_size_),
          squares_(static_cast<std::size_t>(across_.patches)) {
        const int cell_size = shape.cell();
        for (int x = 1 - cell_size; x < cell_size; ++x)
            tent_.insert(tent_.end(), PATCH_CHANNELS, static_cast<float>(cell_size - std::abs(x)));
        tent_.resize(tent_.size() + GreyPlane::slack);
        for (int patch = 0; patch < across_.patches; ++patch)
            for (int cell = 0; cell < PATCH_CELLS; ++cell)
                columns_.push_back(cell_of(across_, patch, cell) * PATCH_CHANNELS);
    }

    /// Appends the patches whose sum of squares is at least `least`; with `most` above 0, only the
    /// strongest. Responses are squares of contrasts.
    void describe(float least, std::size_t most, Descriptors &found) {
        int made = 0;
        for (int down = 0; down < down_.patches; ++down) {
            while (made <= cell_of(down_, down, PATCH_CELLS - 1)) make_cells(made++);
            const float *rows[PATCH_CELLS];
            for (int i = 0; i < PATCH_CELLS; ++i) rows[i] = cells_at(cell_of(down_, down, i));
            describe_row(down, rows, least, found);
            if (most > 0 && found.size() / 2 >= most)
                found = keep_strongest(std::move(found), most);
        }
    }

  private:
    float *cells_at(int row) {
        return cells_.data() + static_cast<std::size_t>(row % kept_) * row_size_;
    }

    float middle_of_patch(const GridAxis &axis, int patch) const {
        const int edge = axis.first - shape_.cell() / 2 + patch * axis.step;
        return static_cast<float>(edge) + 0.5F * static_cast<float>(shape_.size - 1);
    }

    void make_cells(int row) {
        float *first = sums_.data() + margin_;
        HWY_DYNAMIC_DISPATCH(pool_rows)(grey_, middle_of(down_, row), down_.cell, first);
        std::fill_n(first + grey_.width * PATCH_CHANNELS, margin_, 0.0F);
        HWY_DYNAMIC_DISPATCH(pool_columns)(first, across_, tent_.data(), cells_at(row));
    }

    void describe_row(int row, const float *const *rows, float least, Descriptors &found) {
        HWY_DYNAMIC_DISPATCH(sum_squares)(rows, columns_.data(), across_.patches, squares_.data());
        const auto kept = std::ranges::count_if(squares_, [&](float sum) { return sum >= least; });
        std::size_t to = found.values.size();
        found.values.resize(to + static_cast<std::size_t>(kept) * dense_dimensions);
        for (int patch = 0; patch < across_.patches; ++patch) {
            const float sum = squares_[static_cast<std::size_t>(patch)];
            if (sum < least) continue;
            HWY_DYNAMIC_DISPATCH(scale_patch)
            (rows, columns_.data() + patch * PATCH_CELLS, inverse_root(sum),
             found.values.data() + to);
            to += dense_dimensions;
            found.keypoints.push_back({.x = middle_of_patch(across_, patch),
                                       .y = middle_of_patch(down_, row),
                                       .scale = shape_.scale(),
                                       .orientation = 0,
                                       .response = sum * contrast_unit_});
        }
    }

    const GreyPlane &grey_;
    PatchShape shape_;
    float contrast_unit_;
    GridAxis down_;
    GridAxis across_;
    int kept_; ///< rows of cells
    std::size_t margin_;
    std::size_t row_size_;
    std::vector<float> sums_; ///< down the columns, under the tents of one row of cells
    std::vector<float> cells_;
    std::vector<float> squares_; ///< of a row of patches
    std::vector<float> tent_;    ///< a cell's weights, each for the four channels
    std::vector<int> columns_;   ///< of each patch, where its cells begin in a row of them
};

class DenseExtractor : public Extractor {
  public:
    explicit DenseExtractor(const Recipe &recipe)
        : recipe_(recipe), shapes_(patch_shapes(recipe)) {}

    Descriptors extract(const Image &image) const override {
        const DefaultFloats floats;
        Descriptors result{dense_dimensions, {}};
        if (std::min(image.width, image.height) < shapes_.front().size) return result;
        GreyPlane grey = sixteenths(image);
        GreyPlane next = grey;
        const int step = dense_step(recipe_, image.width, image.height);
        const auto all = patch_count(shapes_, step, image.width, image.height);
        const std::size_t most = recipe_.max_descriptors;
        const std::size_t room = most == 0 || most > all / 2 ? all : 2 * most;
        result.values.reserve(room * dense_dimensions);
        result.keypoints.reserve(room);
        int smoothed = 0;
        for (const PatchShape &shape : shapes_) {
            for (; smoothed < shape.smoothings(); ++smoothed) {
                smooth(grey, next);
                std::swap(grey, next);
            }
            const int bits = 4 - shape.fraction_bits();
            if (bits > 0) round_off(grey, bits, next);
            Patches patches(bits > 0 ? next : grey, shape, step);
            patches.describe(shape.least_squares(recipe_.threshold), most, result);
        }
        result = keep_strongest(std::move(result), most);
        for (Keypoint &patch : result.keypoints) patch.response = std::sqrt(patch.response);
        return result;
    }

  private:
    Recipe recipe_;
    std::vector<PatchShape> shapes_;
};

} // namespace

std::unique_ptr<Extractor> make_dense_extractor(const Recipe &recipe) {
    if (recipe.upright) throw Error(Fault::usage, "dense: is always upright; leave --upright out");
    return std::make_unique<DenseExtractor>(recipe);
}

} // namespace bowhist
#endif
