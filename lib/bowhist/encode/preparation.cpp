#include <bowhist/encode/preparation.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/logarithm.hpp>
#include <bowhist/core/preparation.hpp>
#include <bowhist/encode/mirrored.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

namespace bowhist {
namespace {

/// Prepares rows, four at a time, so that sums of several do not wait for each other; each row's
/// own operations have one order. One thread, with default floats.
class RowMaker {
  public:
    /// @param preparation  outlives it
    explicit RowMaker(const Preparation &preparation);

    /// @param placed    rows, each with the numbers to append
    /// @param mirrored  as of the mirrored image
    /// @param out       as many rows of prepared_dimensions()
    void make(const Descriptors &placed, bool mirrored, float *out);

  private:
    void make_some(const Descriptors &placed, std::size_t first, std::size_t count, bool mirrored,
                   float *out);
    void append(std::span<const float> places, bool mirrored, float *out) const;

    const Preparation &preparation_;
    std::size_t appended_;
    std::size_t components_;
    std::vector<float> units_;     ///< of the numbers to append
    std::size_t x_ = 0;            ///< which of them changes its sign; behind all without position
    std::vector<float> rows_;      ///< four
    std::vector<float> projected_; ///< four
};

using Kind = PreparationStep::Kind;

constexpr std::size_t at_once = 4; ///< rows: sums of several do not wait for each other

/// Signed square roots of each row, then unit length. The squares of roots add up to the
/// magnitudes.
/// @param rows  at_once × size
BOWHIST_FOR_EACH_CPU
void take_roots(float *rows, std::size_t size) {
    float sums[at_once] = {};
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t r = 0; r < at_once; ++r) sums[r] += std::abs(rows[r * size + i]);
    for (std::size_t r = 0; r < at_once; ++r) {
        if (sums[r] == 0) continue;
        const float factor = 1 / std::sqrt(sums[r]);
        float *row = rows + r * size;
        for (std::size_t i = 0; i < size; ++i)
            row[i] = std::copysign(std::sqrt(std::abs(row[i])) * factor, row[i]);
    }
}

using Lanes16 [[gnu::vector_size(64)]] = float; // of any vector unit: wider ones are taken apart
using Lanes4 [[gnu::vector_size(16)]] = float;

/// Projects on as many components as there are lanes: their sums stay in registers.
template <typename Lanes>
[[gnu::always_inline]] inline void project_block(const float *rows, const float *projection,
                                                 std::size_t size, std::size_t components,
                                                 float *to) {
    Lanes sums[at_once] = {};
    for (std::size_t i = 0; i < size; ++i) {
        Lanes factors;
        std::memcpy(&factors, projection + i * components, sizeof factors);
        for (std::size_t r = 0; r < at_once; ++r) sums[r] += rows[r * size + i] * factors;
    }
    for (std::size_t r = 0; r < at_once; ++r)
        std::memcpy(to + r * components, &sums[r], sizeof sums[r]);
}

/// `to` becomes (row - mean) × projection of each row, added up input by input; rows lose their
/// mean.
BOWHIST_FOR_EACH_CPU
void project(float *rows, const float *mean, const float *projection, std::size_t size,
             std::size_t components, float *to) {
    for (std::size_t r = 0; r < at_once; ++r)
        for (std::size_t i = 0; i < size; ++i) rows[r * size + i] -= mean[i];
    std::size_t j = 0;
    for (; j + 16 <= components; j += 16)
        project_block<Lanes16>(rows, projection + j, size, components, to + j);
    for (; j + 4 <= components; j += 4)
        project_block<Lanes4>(rows, projection + j, size, components, to + j);
    for (; j < components; ++j)
        project_block<float>(rows, projection + j, size, components, to + j);
}

RowMaker::RowMaker(const Preparation &preparation)
    : preparation_(preparation), appended_(appended_numbers(preparation.steps)),
      components_(preparation.prepared_dimensions() - appended_),
      rows_(at_once * preparation.dimensions), projected_(at_once * components_) {
    for (const PreparationStep &step : preparation.steps)
        units_.insert(units_.end(), step.appended(),
                      static_cast<float>(step.weight * preparation.deviation));
    for (const PreparationStep &step : preparation.steps) {
        if (step.kind == Kind::position) break;
        x_ += step.appended();
    }
}

void RowMaker::make(const Descriptors &placed, bool mirrored, float *out) {
    for (std::size_t first = 0; first < placed.size(); first += at_once)
        make_some(placed, first, std::min(at_once, placed.size() - first), mirrored,
                  out + first * preparation_.prepared_dimensions());
}

void RowMaker::make_some(const Descriptors &placed, std::size_t first, std::size_t count,
                         bool mirrored, float *out) {
    const std::size_t dimensions = preparation_.dimensions;
    for (std::size_t r = 0; r < count; ++r) { // others are made again, for nothing
        const auto row = placed.row(first + r).first(dimensions);
        const auto to = std::span(rows_).subspan(r * dimensions, dimensions);
        if (mirrored)
            mirror(row, preparation_.mirroring, to);
        else
            std::ranges::copy(row, to.begin());
    }
    float *now = rows_.data();
    std::size_t size = dimensions;
    for (const PreparationStep &step : preparation_.steps) {
        if (step.kind == Kind::root) take_roots(now, size);
        if (step.kind != Kind::whiten) continue;
        project(now, preparation_.mean.data(), preparation_.projection.data(), size, components_,
                projected_.data());
        now = projected_.data();
        size = components_;
    }
    for (std::size_t r = 0; r < count; ++r, out += components_ + appended_) {
        std::copy_n(now + r * size, size, out);
        append(placed.row(first + r).subspan(dimensions), mirrored, out + size);
    }
}

void RowMaker::append(std::span<const float> places, bool mirrored, float *out) const {
    for (std::size_t at = 0; at < appended_; ++at)
        out[at] = (at == x_ && mirrored ? 0 - places[at] : places[at]) * units_[at];
}

using Kind = PreparationStep::Kind;

void append_place(Kind kind, const Keypoint &keypoint, int width, int height,
                  std::vector<float> &values) {
    constexpr double deviation = 0.29; // of numbers spread over an interval of 1
    const auto append = [&](double value) { values.push_back(static_cast<float>(value)); };
    if (kind == Kind::position) {
        append(((double{keypoint.x} + 0.5) / width - 0.5) / deviation);
        append(((double{keypoint.y} + 0.5) / height - 0.5) / deviation);
    } else if (kind == Kind::scale) {
        append(logarithm_of_2(double{keypoint.scale} / 0.8) - 1);
    } else if (kind == Kind::contrast) {
        append((logarithm_of_2(std::max(double{keypoint.response}, 0.5)) - 4.5) / 1.5);
    }
}

/// That there is what the steps append.
void require_known(const PreparationSteps &steps, const Descriptors &descriptors, int width,
                   int height) {
    if (descriptors.keypoints.size() != descriptors.size())
        throw Error(Fault::input,
                    fmt::format("its descriptors have no keypoints, which \"{}\" needs; extract "
                                "them from the picture",
                                as_text(steps)));
    if (has_step(steps, Kind::position) && (width < 1 || height < 1))
        throw Error(Fault::input,
                    fmt::format("the size of its picture is unknown, which \"{}\" needs; give the "
                                "picture itself",
                                as_text(steps)));
}

void require_dimensions(const Preparation &preparation, std::size_t found) {
    if (found == preparation.dimensions) return;
    throw Error(Fault::input, fmt::format("its descriptors have {} dimensions, the model's {}; "
                                          "extract them as the model records",
                                          found, preparation.dimensions));
}

} // namespace

Descriptors with_places(const PreparationSteps &steps, const Descriptors &descriptors, int width,
                        int height) {
    const DefaultFloats floats;
    const std::size_t appended = appended_numbers(steps);
    if (appended == 0) return {descriptors.dimensions, descriptors.values};
    if (descriptors.values.empty()) return {descriptors.dimensions + appended, {}};
    require_known(steps, descriptors, width, height);
    Descriptors placed{descriptors.dimensions + appended, {}};
    placed.values.reserve(descriptors.size() * placed.dimensions);
    for (std::size_t i = 0; i < descriptors.size(); ++i) {
        const auto row = descriptors.row(i);
        placed.values.insert(placed.values.end(), row.begin(), row.end());
        for (const PreparationStep &step : steps)
            append_place(step.kind, descriptors.keypoints[i], width, height, placed.values);
    }
    return placed;
}

Descriptors prepared(const Preparation &preparation, const Descriptors &placed) {
    const DefaultFloats floats;
    const std::size_t appended = appended_numbers(preparation.steps);
    Descriptors rows{preparation.prepared_dimensions(), {}};
    if (placed.values.empty()) return rows;
    require_dimensions(preparation, placed.dimensions - std::min(appended, placed.dimensions));
    const std::size_t count = placed.size();
    const bool mirrors = has_step(preparation.steps, Kind::mirror);
    rows.values.resize(count * rows.dimensions * (mirrors ? 2 : 1));
    RowMaker maker(preparation);
    maker.make(placed, false, rows.values.data());
    if (mirrors) maker.make(placed, true, rows.values.data() + count * rows.dimensions);
    return rows;
}

Descriptors prepare(const Preparation &preparation, const Descriptors &descriptors, int width,
                    int height) {
    Descriptors rows =
        prepared(preparation, with_places(preparation.steps, descriptors, width, height));
    rows.keypoints = descriptors.keypoints;
    if (!has_step(preparation.steps, Kind::mirror)) return rows;
    rows.keypoints.reserve(2 * descriptors.keypoints.size());
    for (Keypoint keypoint : descriptors.keypoints) {
        keypoint.x = static_cast<float>(width - 1) - keypoint.x;
        rows.keypoints.push_back(keypoint);
    }
    return rows;
}

void require_preparable(const Preparation &preparation, const Descriptors &descriptors, int width,
                        int height) {
    if (descriptors.values.empty()) return;
    if (appended_numbers(preparation.steps) > 0)
        require_known(preparation.steps, descriptors, width, height);
    require_dimensions(preparation, descriptors.dimensions);
}

} // namespace bowhist
