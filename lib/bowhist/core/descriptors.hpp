#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bowhist {

/// Descriptors of one picture: size() rows of `dimensions` floats, row after row.
///
/// Every value is finite; whoever reads them from outside (extract/, tables/) checks it once.
/// No rows at all is a valid value (a picture without keypoints).
struct Descriptors {
    std::size_t dimensions = 0;
    std::vector<float> values;

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const float> row(std::size_t i) const {
        return std::span(values).subspan(i * dimensions, dimensions);
    }
};

} // namespace bowhist
