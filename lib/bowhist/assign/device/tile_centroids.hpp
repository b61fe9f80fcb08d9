#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/tile_shape.hpp>
#include <bowhist/core/vocabulary.hpp>

namespace bowhist {

/// What a search for the greatest score of k words needs but n.
Search tile_search(std::size_t k, const DotBound &bound);

/// Centroids as the shape wants them, tile by tile: [columns of them][padded dimension][column],
/// zero where there is nothing.
Buffer<float> upload_tiles(Device &device, const TileShape &shape, const Vocabulary &vocabulary);

/// −‖c‖²/2 for each column; minus infinity where there is no centroid, which never wins.
Buffer<float> upload_starts(Device &device, const TileShape &shape, const Vocabulary &vocabulary);

} // namespace bowhist
