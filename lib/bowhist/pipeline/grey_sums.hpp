#pragma once

#include <bowhist/pipeline/preprocessing.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// How many pixels of an image have each of the 256 greys, counted on a device.
/// The border in `options` does not matter. @throws Error{Fault::device}
std::vector<std::uint32_t> grey_histogram(const Image &image, const PreprocessorOptions &options);

/// An image's integral image, made on a device: (height + 1) × (width + 1) sums, row after row;
/// sum (x, y) is that of all pixels left of x and above y. A row of pixels must add up to less
/// than 2³²: the device's own sums wrap there, those down the columns continue in 64 bits.
/// The border in `options` does not matter. @throws Error{Fault::device}
std::vector<std::uint64_t> integral_image(const Image &image, const PreprocessorOptions &options);

} // namespace bowhist
