#pragma once

#include <bowhist/ops/convolve.hpp>

namespace bowhist {

/// Bytes that the kernel's loops ask of global and constant memory in the launch that convolve()
/// makes, with a border that is no zeros: the tiles of all groups with their halos, also where they
/// reach over the image's edge; the weights; each pixel written. Nothing for sliding and
/// separable, whose bytes are not counted.
std::optional<double> convolve_bytes(ConvolveMethod method, const Device &device,
                                     const DeviceImages<float> &in, const Filter &filter,
                                     const ConvolveOptions &options = {});

// Operations for each byte that a convolution in float32 loads from global memory, by counting: a
// multiplication and an addition a weight; borders, and what is written, left out. After chapter 7
// of "Programming Massively Parallel Processors" (Hwu, Kirk, El Hajj).

/// A group loads a tile of tile × tile pixels, halo included, and makes the pixels whose neighbors
/// are all there: 9.57 for a 32×32 tile and a 5×5 filter, 22.78 for 9×9. Zero when the filter is
/// larger than the tile.
constexpr double tiled_operations_per_byte(std::size_t tile, std::size_t filter_width,
                                           std::size_t filter_height) {
    if (filter_width > tile || filter_height > tile) return 0;
    const auto made = static_cast<double>((tile - filter_width + 1) * (tile - filter_height + 1));
    return made * static_cast<double>(filter_width * filter_height * 2) /
           static_cast<double>(tile * tile * sizeof(float));
}

/// A work-item makes a pixel and loads every neighbor itself: 0.5, or 0.25 if it loads the weights
/// from global memory, too.
constexpr double untiled_operations_per_byte(bool loads_weights) {
    return 2.0 / (loads_weights ? 2 * sizeof(float) : sizeof(float));
}

} // namespace bowhist
