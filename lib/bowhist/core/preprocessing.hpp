#pragma once

#include <bowhist/core/filter.hpp>

#include <optional>
#include <string>

namespace bowhist {

// A blur's sigma in pixels. Beyond the largest, float32 rounds the poles of its recursion
// (ops/gaussian_filter.hpp) to 1.
constexpr double smallest_blur_sigma = 0.5;
constexpr double largest_blur_sigma = 10000;

/// Steps on a grey image before anything else, in this order; none by default.
struct Preprocessing {
    bool equalize = false;   ///< spread its grey values over the whole range, equally frequent
    double blur_sigma = 0;   ///< of a Gaussian, in pixels; 0: no blur
    std::string filter_name; ///< as on the command line, a name or a file's path; empty: no filter
    Filter filter;           ///< its weights

    bool any() const { return equalize || blur_sigma != 0 || !filter_name.empty(); }

    /// The same work: what a filter is called does not matter.
    bool operator==(const Preprocessing &other) const {
        return equalize == other.equalize && blur_sigma == other.blur_sigma &&
               filter == other.filter;
    }
};

/// Names what is wrong with the steps, and what they should be: a blur out of range, a filter with
/// a fault. Empty when they are valid.
std::optional<std::string> fault_of(const Preprocessing &steps);

} // namespace bowhist
