#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The largest norm of a row of integers. Two such rows have a product below 2³⁰; so has every
/// partial sum of it, in whatever order its terms are added (Cauchy and Schwarz, of the parts of
/// the rows that the terms come from). 32 bits hold them all.
inline constexpr std::int32_t longest_integer_norm = 32000;

/// The most numbers from -127 to 127 whose norm does not exceed it, whatever they are.
inline constexpr std::size_t longest_code =
    std::size_t{longest_integer_norm} * longest_integer_norm / (127 * 127);

/// Rows of 16-bit integers, one an image: size() rows of `dimensions` values, row after row. Codes
/// are widened to 16 bits; features of floats are rounded by integer_rows(). No row's norm exceeds
/// longest_integer_norm.
struct IntegerRows {
    std::size_t dimensions = 0;
    std::vector<std::int16_t> values = {};

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const std::int16_t> row(std::size_t i) const {
        return std::span(values).subspan(i * dimensions, dimensions);
    }
};

/// The exact product of two rows.
std::int32_t product(std::span<const std::int16_t> a, std::span<const std::int16_t> b);

/// Brings each row of features to the same length, a little below longest_integer_norm, and rounds
/// it. Rows of zeros stay zeros. The same on every machine; runs on all threads.
/// @param features    row-major, finite
/// @param dimensions  above 0
IntegerRows integer_rows(std::span<const float> features, std::size_t dimensions);

} // namespace bowhist
