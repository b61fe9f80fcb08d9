#include <bowhist/encode/preparation.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/logarithm.hpp>
#include <bowhist/encode/row_maker.hpp>

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
