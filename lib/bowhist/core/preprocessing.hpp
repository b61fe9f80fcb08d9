#pragma once

#include <bowhist/core/filter.hpp>

#include <string>

namespace bowhist {

/// What is done to a grey picture before anything else, in this order. By default nothing.
struct Preprocessing {
    bool equalize = false;   ///< spread its grey values over the whole range, equally frequent
    double blur_sigma = 0;   ///< of a Gaussian, in pixels; 0: none
    std::string filter_name; ///< as on the command line, a name or a file's path; empty: no filter
    Filter filter;           ///< its weights

    bool any() const { return equalize || blur_sigma != 0 || !filter_name.empty(); }

    /// The same work: what a filter is called does not matter.
    bool operator==(const Preprocessing &other) const {
        return equalize == other.equalize && blur_sigma == other.blur_sigma &&
               filter == other.filter;
    }
};

} // namespace bowhist
