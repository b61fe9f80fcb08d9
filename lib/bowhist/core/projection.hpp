#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// Rows of unit length in whole numbers: each value is the unit row's times `unit`, rounded. So
/// the square of a row's length, and with it every product of two rows, stays below 2^31 for up to
/// 2^24 values a row (by Cauchy and Schwarz), in any order of adding.
struct WholeRows {
    static constexpr int unit = 32'000;
    static constexpr std::size_t most_dimensions = std::size_t{1} << 24;

    std::size_t dimensions = 0;
    std::vector<std::int16_t> values;

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const std::int16_t> row(std::size_t i) const {
        return std::span(values).subspan(i * dimensions, dimensions);
    }
};

/// A centered projection of WholeRows, in whole numbers: component c of a row is its product with
/// axis c, less offsets[c].
struct Projection {
    WholeRows axes;                    ///< one a component; zeros where there is nothing to project
    std::vector<std::int32_t> offsets; ///< the mean row's products with the axes

    bool operator==(const Projection &other) const {
        return axes.dimensions == other.axes.dimensions && axes.values == other.axes.values &&
               offsets == other.offsets;
    }
};

} // namespace bowhist
