#include <bowhist/core/cpu_clones.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/integer_rows.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

/// Rounding moves each value by at most a half, so the norm by at most √D/2.
double length_before_rounding(std::size_t dimensions) {
    return longest_integer_norm - 1 - std::sqrt(static_cast<double>(dimensions)) / 2;
}

void round_row(std::span<const float> row, double length, std::int16_t *rounded) {
    const float largest = std::abs(std::ranges::max(row, {}, [](float x) { return std::abs(x); }));
    if (largest == 0) return;
    // Divided first, so that squares neither overflow nor vanish.
    double squares = 0;
    for (const float x : row) {
        const double part = static_cast<double>(x) / largest;
        squares += part * part;
    }
    const double scale = length / std::sqrt(squares);
    for (std::size_t i = 0; i < row.size(); ++i)
        rounded[i] =
            static_cast<std::int16_t>(std::lrint(static_cast<double>(row[i]) / largest * scale));
}

} // namespace

BOWHIST_FOR_EACH_CPU
std::int32_t product(std::span<const std::int16_t> a, std::span<const std::int16_t> b) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::int32_t{a[i]} * b[i];
    return sum;
}

IntegerRows integer_rows(std::span<const float> features, std::size_t dimensions) {
    IntegerRows rows{dimensions, std::vector<std::int16_t>(features.size())};
    const double length = length_before_rounding(dimensions);
    tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) {
        const DefaultFloats floats;
        round_row(features.subspan(i * dimensions, dimensions), length,
                  rows.values.data() + i * dimensions);
    });
    return rows;
}

} // namespace bowhist
