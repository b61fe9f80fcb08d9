// The numbers that steps learn (preparation.hpp).

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/encode/moments.hpp>
#include <bowhist/encode/preparation.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

using Kind = PreparationStep::Kind;

constexpr std::size_t rows_a_part = 8192;

Moments moments_after(const Preparation &preparation, const Descriptors &placed,
                      const Observer &observer) {
    const std::size_t parts = (placed.size() + rows_a_part - 1) / rows_a_part;
    return moments_of(parts, preparation.prepared_dimensions(), [&](std::size_t part) {
        if (observer.interrupted()) return Descriptors{preparation.prepared_dimensions(), {}};
        const std::size_t first = part * rows_a_part * placed.dimensions;
        const std::size_t count =
            std::min(rows_a_part * placed.dimensions, placed.values.size() - first);
        const auto values = std::span(placed.values).subspan(first, count);
        return prepared(preparation, {placed.dimensions, {values.begin(), values.end()}});
    });
}

/// The placed rows without their appended numbers.
Descriptors without_places(const Descriptors &placed, std::size_t appended) {
    if (appended == 0) return placed;
    Descriptors rows{placed.dimensions - appended, {}};
    rows.values.reserve(placed.size() * rows.dimensions);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const auto row = placed.row(i).first(rows.dimensions);
        rows.values.insert(rows.values.end(), row.begin(), row.end());
    }
    return rows;
}

void learn_components(Preparation &preparation, const Moments &moments, std::size_t components,
                      Observer &observer) {
    constexpr double least_variance = 1e-5;
    const std::size_t size = moments.mean.size();
    observer.stop_if_interrupted();
    const Eigenvectors found = eigenvectors_of(moments.covariance, size, observer);
    for (const double value : moments.mean) preparation.mean.push_back(static_cast<float>(value));
    preparation.projection.resize(size * components);
    for (std::size_t j = 0; j < components; ++j) {
        const double deviation = std::sqrt(std::max(found.values[j], 0.0) + least_variance);
        for (std::size_t i = 0; i < size; ++i)
            preparation.projection[i * components + j] =
                static_cast<float>(found.vector(j)[i] / deviation);
    }
}

double mean_deviation(const Moments &moments) {
    const std::size_t size = moments.mean.size();
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i)
        sum += std::sqrt(std::max(moments.covariance[i * size + i], 0.0));
    return sum / static_cast<double>(size);
}

void require_suitable(const PreparationSteps &steps, std::size_t dimensions, Mirroring mirroring) {
    for (const PreparationStep &step : steps) {
        if (step.components > dimensions)
            throw Error(Fault::usage,
                        fmt::format("--prepare {}: descriptors have {} dimensions, whiten cannot "
                                    "keep {}; give at most {}",
                                    as_text(steps), dimensions, step.components, dimensions));
        if (step.kind == Kind::mirror && (mirroring == Mirroring::none || dimensions != 64))
            throw Error(Fault::usage,
                        fmt::format("--prepare {}: only descriptors of dense and surf can be "
                                    "mirrored; leave mirror out",
                                    as_text(steps)));
    }
}

} // namespace

Preparation learn_preparation(const PreparationSteps &steps, const Descriptors &placed,
                              Mirroring mirroring, Observer &observer) {
    const DefaultFloats floats;
    const std::size_t appended = appended_numbers(steps);
    const std::size_t dimensions = placed.dimensions - appended;
    require_suitable(steps, dimensions, mirroring);
    const bool is_mirrored = has_step(steps, Kind::mirror);
    Preparation learned{.mirroring = is_mirrored ? mirroring : Mirroring::none,
                        .dimensions = dimensions};
    const Descriptors rows = without_places(placed, appended);
    for (const PreparationStep &step : steps) {
        if (step.kind == Kind::whiten) {
            Preparation before = learned;
            if (is_mirrored) before.steps.push_back({Kind::mirror});
            learn_components(learned, moments_after(before, rows, observer),
                             step.components > 0 ? step.components : dimensions, observer);
        }
        if (step.appended() == 0 && step.kind != Kind::mirror) learned.steps.push_back(step);
    }
    if (appended > 0) learned.deviation = mean_deviation(moments_after(learned, rows, observer));
    observer.stop_if_interrupted();
    learned.steps = steps;
    if (const auto fault = fault_of(learned))
        throw Error(Fault::usage, fmt::format("--prepare {}: these descriptors make {}; scale them",
                                              as_text(steps), *fault));
    return learned;
}

Descriptors prepared_on_all_threads(const Preparation &preparation, const Descriptors &placed) {
    constexpr std::size_t part = rows_a_part;
    const bool mirrors = has_step(preparation.steps, PreparationStep::Kind::mirror);
    const std::size_t floats = preparation.prepared_dimensions() * (mirrors ? 2 : 1);
    Descriptors rows{preparation.prepared_dimensions(), std::vector<float>(placed.size() * floats)};
    tbb::parallel_for(std::size_t{0}, (placed.size() + part - 1) / part, [&](std::size_t number) {
        const std::size_t first = number * part;
        const std::size_t count = std::min(part, placed.size() - first);
        const auto values =
            std::span(placed.values).subspan(first * placed.dimensions, count * placed.dimensions);
        const Descriptors some =
            prepared(preparation, {placed.dimensions, {values.begin(), values.end()}});
        std::ranges::copy(some.values,
                          rows.values.begin() + static_cast<std::ptrdiff_t>(first * floats));
    });
    return rows;
}

} // namespace bowhist
