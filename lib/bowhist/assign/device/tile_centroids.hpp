#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/tile_shape.hpp>
#include <bowhist/core/vocabulary.hpp>

namespace bowhist {

/// A search for the greatest score of k words; the kernel sets n.
ScorePass tile_search(std::size_t k, const DotBound &bound);

/// Centroids in the layout of the shape, tile by tile: [columns of them][padded dimension][column],
/// padded with zeros.
Buffer<float> upload_tiles(Device &device, const TileShape &shape, const Vocabulary &vocabulary);

/// −‖c‖²/2 for each column; minus infinity where there is no centroid, which never wins.
Buffer<float> upload_starts(Device &device, const TileShape &shape, const Vocabulary &vocabulary);

} // namespace bowhist
