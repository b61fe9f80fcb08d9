#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bowhist {

/// A descriptor's place in its image.
struct Keypoint {
    float x = 0; ///< pixels; whole numbers are the middles of pixels, (0, 0) of the upper left one
    float y = 0;
    float scale = 0;       ///< pixels: a sigma, of detectors that have one; a dense patch's side/20
    float orientation = 0; ///< radians from the x axis towards the y axis, which points down; 0
                           ///< where a descriptor is upright
    float response = 0;    ///< of the detector; a dense patch's contrast

    bool operator==(const Keypoint &) const = default;
};

/// Descriptors of one image: size() rows of `dimensions` floats, row after row.
///
/// Every value is finite; extract/ and tables/ check what comes from outside. There may be 0 rows
/// (an image without keypoints).
struct Descriptors {
    std::size_t dimensions = 0;
    std::vector<float> values;
    std::vector<Keypoint> keypoints = {}; ///< of each row, where known; else empty

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const float> row(std::size_t i) const {
        return std::span(values).subspan(i * dimensions, dimensions);
    }
};

} // namespace bowhist
