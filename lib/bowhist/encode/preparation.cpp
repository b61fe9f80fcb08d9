#include <bowhist/encode/preparation.hpp>

#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/logarithm.hpp>
#include <bowhist/encode/mirrored.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

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

/// Signed square roots, then unit length. The squares of roots add up to the magnitudes.
BOWHIST_FOR_EACH_CPU
void take_root(float *row, std::size_t size) {
    float sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += std::abs(row[i]);
    if (sum == 0) return;
    const float factor = 1 / std::sqrt(sum);
    for (std::size_t i = 0; i < size; ++i)
        row[i] = std::copysign(std::sqrt(std::abs(row[i])) * factor, row[i]);
}

/// Of a block of components: their sums stay in registers.
template <std::size_t block>
inline void project_block(const float *__restrict row, const float *__restrict projection,
                          std::size_t size, std::size_t components, float *__restrict to) {
    float sums[block] = {};
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < block; ++j) sums[j] += row[i] * projection[i * components + j];
    for (std::size_t j = 0; j < block; ++j) to[j] = sums[j];
}

/// `to` becomes (row - mean) × projection, added up input by input; `row` loses its mean.
BOWHIST_FOR_EACH_CPU
void project(float *row, const float *mean, const float *projection, std::size_t size,
             std::size_t components, float *to) {
    for (std::size_t i = 0; i < size; ++i) row[i] -= mean[i];
    std::size_t j = 0;
    for (; j + 32 <= components; j += 32)
        project_block<32>(row, projection + j, size, components, to + j);
    for (; j + 8 <= components; j += 8)
        project_block<8>(row, projection + j, size, components, to + j);
    for (; j < components; ++j) project_block<1>(row, projection + j, size, components, to + j);
}

/// Makes one row of another, step by step.
class RowMaker {
  public:
    explicit RowMaker(const Preparation &preparation)
        : preparation_(preparation),
          components_(preparation.prepared_dimensions() - appended_numbers(preparation.steps)),
          row_(preparation.dimensions) {}

    /// @param places  the numbers to append
    void make(std::span<const float> row, std::span<const float> places, bool mirrored,
              float *out) {
        if (mirrored)
            mirror(row, preparation_.mirroring, row_);
        else
            std::ranges::copy(row, row_.begin());
        float *now = row_.data();
        std::size_t size = row_.size();
        for (const PreparationStep &step : preparation_.steps) {
            if (step.kind == Kind::root) take_root(now, size);
            if (step.kind != Kind::whiten) continue;
            project(now, preparation_.mean.data(), preparation_.projection.data(), size,
                    components_, out);
            now = out;
            size = components_;
        }
        if (now != out) std::copy_n(now, size, out);
        append(places, mirrored, out + size);
    }

  private:
    void append(std::span<const float> places, bool mirrored, float *out) const {
        std::size_t at = 0;
        for (const PreparationStep &step : preparation_.steps) {
            const auto unit = static_cast<float>(step.weight * preparation_.deviation);
            for (std::size_t i = 0; i < step.appended(); ++i, ++at) {
                const bool is_x = step.kind == Kind::position && i == 0;
                out[at] = (is_x && mirrored ? 0 - places[at] : places[at]) * unit;
            }
        }
    }

    const Preparation &preparation_;
    std::size_t components_;
    std::vector<float> row_;
};

} // namespace

Descriptors with_places(const PreparationSteps &steps, const Descriptors &descriptors, int width,
                        int height) {
    const DefaultFloats floats;
    const std::size_t appended = appended_numbers(steps);
    if (appended == 0) return {descriptors.dimensions, descriptors.values};
    if (descriptors.values.empty()) return {descriptors.dimensions + appended, {}};
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
    if (placed.dimensions != preparation.dimensions + appended)
        throw Error(Fault::input,
                    fmt::format("its descriptors have {} dimensions, the model's {}; extract them "
                                "as the model records",
                                placed.dimensions - std::min(appended, placed.dimensions),
                                preparation.dimensions));
    const std::size_t count = placed.size();
    const bool mirrors = has_step(preparation.steps, Kind::mirror);
    rows.values.resize(count * rows.dimensions * (mirrors ? 2 : 1));
    RowMaker maker(preparation);
    float *out = rows.values.data();
    for (const bool mirrored : {false, true}) {
        if (mirrored && !mirrors) break;
        for (std::size_t i = 0; i < count; ++i, out += rows.dimensions)
            maker.make(placed.row(i).first(preparation.dimensions),
                       placed.row(i).subspan(preparation.dimensions), mirrored, out);
    }
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

} // namespace bowhist
