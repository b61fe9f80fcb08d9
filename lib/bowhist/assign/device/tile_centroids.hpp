#pragma once

#include <bowhist/assign/device/tile_shape.hpp>
#include <bowhist/core/vocabulary.hpp>

namespace bowhist {

/// The scalars of a launch that looks for the greatest float32 score; laid out as Search in
/// score.cl.
struct TileSearch {
    cl_uint n, k;
    cl_float margin, linear, quadratic, largest_norm;
};

/// @return all but n
TileSearch tile_search(const Vocabulary &vocabulary, double bound_scale);

/// Centroids as the shape wants them, tile by tile: [columns of them][padded dimension][column],
/// zero where there is nothing.
Buffer<float> upload_tiles(Device &device, const TileShape &shape, const Vocabulary &vocabulary);

/// −‖c‖²/2 for each column; minus infinity where there is no centroid, which never wins.
Buffer<float> upload_starts(Device &device, const TileShape &shape, const Vocabulary &vocabulary);

} // namespace bowhist
