#pragma once

#include <bowhist/duplicates/pixels/alignment.hpp>
#include <bowhist/search/geometry.hpp>

namespace bowhist {

/// How much more two images differ along the edges of one, where the other goes on, than within.
/// About 1 or less of a crop. A panorama blends its pictures there: more, since it shows the one
/// less and less.
struct Fading {
    double of_lower = 0; ///< along the lower image's edges, where the upper one goes on
    double of_upper = 0;
};

Fading fading_of(const Overlay &overlay, int upper_width, int upper_height);

} // namespace bowhist
