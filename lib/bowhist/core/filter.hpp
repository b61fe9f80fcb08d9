#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// Weights of a two-dimensional convolution, row after row.
///
/// The result at (x, y) is the sum over (i, j) of weights[j * width + i] times the pixel at
/// (x + i - width / 2, y + j - height / 2): the filter is not flipped, as in OpenCV's filter2D
/// (mathematicians call that a correlation).
struct Filter {
    std::size_t width = 0;  ///< odd, at most longest_side
    std::size_t height = 0; ///< the same
    std::vector<float> weights;

    static constexpr std::size_t max_radius = 15;
    static constexpr std::size_t longest_side = 2 * max_radius + 1;

    bool operator==(const Filter &) const = default;
};

/// Names what is wrong with a filter, and what it should be: an even or too long side, another
/// number of weights than width × height, a weight that is not finite. Empty when it is valid.
std::optional<std::string> fault_of(const Filter &filter);

} // namespace bowhist
