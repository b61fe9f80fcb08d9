#include <bowhist/encode/projection.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/encode/products.hpp>
#include <bowhist/encode/subspace.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

/// n² times the products of centered rows, each rounded once: n×n.
std::vector<double> centered_products(const WholeRows &rows, const Observer &observer) {
    const std::size_t n = rows.size();
    std::vector<double> products(n * n);
    constexpr std::size_t tile = 32; // rows whose parts stay in the caches
    const std::size_t tiles = (n + tile - 1) / tile;
    constexpr std::size_t part = 2048; // values
    tbb::parallel_for(std::size_t{0}, tiles, [&](std::size_t down) {
        if (observer.interrupted()) return; // what is left out is not used
        const std::size_t last_row = std::min(n, (down + 1) * tile);
        for (std::size_t across = 0; across <= down; ++across)
            for (std::size_t first = 0; first < rows.dimensions; first += part) {
                const std::size_t size = std::min(part, rows.dimensions - first);
                for (std::size_t i = down * tile; i < last_row; ++i)
                    for (std::size_t j = across * tile; j <= std::min(i, (across + 1) * tile - 1);
                         ++j) // float64 holds sums of whole numbers exactly
                        products[i * n + j] += product_of(rows.row(i).data() + first,
                                                          rows.row(j).data() + first, size);
            }
    });
    observer.stop_if_interrupted();
    std::vector<std::int64_t> sums(n);
    std::int64_t all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) products[j * n + i] = products[i * n + j];
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            sums[i] += static_cast<std::int64_t>(products[i * n + j]);
        all += sums[i];
    }
    const auto count = static_cast<std::int64_t>(n);
    tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) {
        const DefaultFloats floats;
        for (std::size_t j = 0; j < n; ++j) { // below 2^57, as n is below 2^12
            double &product = products[i * n + j];
            product = static_cast<double>(count * count * static_cast<std::int64_t>(product) -
                                          count * (sums[i] + sums[j]) + all);
        }
    });
    return products;
}

/// Axes of unit length: sums of rows, by the eigenvectors of their products.
WholeRows axes_of(const WholeRows &rows, const Eigenvectors &found) {
    const std::size_t n = rows.size();
    const std::size_t components = found.values.size();
    constexpr double negligible = 1e-9;          // of the largest variance: rounding
    std::vector<double> weights(n * components); // [row][component]
    for (std::size_t c = 0; c < components; ++c) {
        if (!(found.values[c] > found.values[0] * negligible)) break;
        // n² times the square of the sum's length, in units
        const double length = std::sqrt(found.values[c]) / static_cast<double>(n);
        for (std::size_t i = 0; i < n; ++i)
            weights[i * components + c] = found.vectors[c * n + i] * WholeRows::unit / length;
    }
    WholeRows axes{rows.dimensions, std::vector<std::int16_t>(components * rows.dimensions)};
    constexpr std::size_t part = 32; // dimensions whose sums stay in the caches
    const std::size_t parts = (rows.dimensions + part - 1) / part;
    tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t number) {
        const DefaultFloats floats;
        const std::size_t first = number * part;
        const std::size_t size = std::min(part, rows.dimensions - first);
        std::vector<double> sums(size * components);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t d = 0; d < size; ++d)
                add_scaled(rows.row(i)[first + d], weights.data() + i * components, components,
                           sums.data() + d * components);
        constexpr double rounder = 0x1.8p52; // adding and subtracting it rounds
        for (std::size_t d = 0; d < size; ++d)
            for (std::size_t c = 0; c < components; ++c) {
                const double bounded = std::clamp<double>(sums[d * components + c],
                                                          -WholeRows::unit, +WholeRows::unit);
                axes.values[c * rows.dimensions + first + d] =
                    static_cast<std::int16_t>((bounded + rounder) - rounder);
            }
    });
    return axes;
}

/// The mean row's products with the axes, rounded.
std::vector<std::int32_t> offsets_of(const WholeRows &rows, const WholeRows &axes) {
    const auto n = static_cast<std::int64_t>(rows.size());
    std::vector<std::int32_t> offsets(axes.size());
    tbb::parallel_for(std::size_t{0}, axes.size(), [&](std::size_t c) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            sum += product_of(rows.row(i).data(), axes.row(c).data(), rows.dimensions);
        const std::int64_t magnitude = (2 * std::abs(sum) + n) / (2 * n);
        offsets[c] = static_cast<std::int32_t>(sum < 0 ? -magnitude : magnitude);
    });
    return offsets;
}

} // namespace

Projection learn_projection(const WholeRows &rows, std::size_t components, Observer &observer) {
    if (rows.size() < 2)
        return {{rows.dimensions, std::vector<std::int16_t>(components * rows.dimensions)},
                std::vector<std::int32_t>(components)};
    const DefaultFloats floats;
    Eigenvectors found =
        leading_eigenvectors(centered_products(rows, observer), rows.size(), components, observer);
    Projection projection{axes_of(rows, found), {}};
    projection.axes.values.resize(components * rows.dimensions);
    projection.offsets = offsets_of(rows, projection.axes);
    return projection;
}

std::vector<std::int64_t> project(const Projection &projection, std::span<const std::int16_t> row) {
    std::vector<std::int64_t> components(projection.axes.size());
    for (std::size_t c = 0; c < components.size(); ++c)
        components[c] =
            std::int64_t{product_of(row.data(), projection.axes.row(c).data(), row.size())} -
            projection.offsets[c];
    return components;
}

} // namespace bowhist
