#include <bowhist/encode/row_maker.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/encode/mirrored.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bowhist {
namespace {

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

} // namespace

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

} // namespace bowhist
