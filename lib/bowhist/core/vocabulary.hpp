#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bowhist {

/// k centroids of `dimensions` floats, row after row. A centroid's row number is its word.
///
/// Every value is finite and there is at least one centroid; tables/vocabulary/vocabulary_file
/// checks it for what comes from outside.
struct Vocabulary {
    std::size_t dimensions = 0;
    std::vector<float> values;

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; } ///< k
    std::span<const float> row(std::size_t j) const {
        return std::span(values).subspan(j * dimensions, dimensions);
    }
};

} // namespace bowhist
