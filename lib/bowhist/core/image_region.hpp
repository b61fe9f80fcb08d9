#pragma once

namespace bowhist {

/// A part of an image, in pixels of the upright original.
struct ImageRegion {
    int x = 0; ///< of its left side
    int y = 0; ///< of its top
    int width = 0;
    int height = 0;
};

} // namespace bowhist
