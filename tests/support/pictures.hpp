#pragma once

#include <bowhist/ops/image_batch.hpp>

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace bowhist::testing {

/// Grey values of `rows` rows, `pitch` bytes each, padding included. `levels` of them, from
/// `lowest`.
inline std::vector<std::uint8_t> random_pixels(std::size_t rows, std::size_t pitch, unsigned seed,
                                               unsigned levels = 256, unsigned lowest = 0) {
    std::mt19937 engine(seed);
    std::vector<std::uint8_t> pixels(rows * pitch);
    for (std::uint8_t &pixel : pixels)
        pixel = static_cast<std::uint8_t>(lowest + engine() % levels);
    return pixels;
}

/// Images on the device from `values`, rows() rows of `pitch` elements.
template <typename T>
DeviceImages<T> upload_images(Device &device, const std::vector<T> &values, std::size_t width,
                              std::size_t height, std::size_t count, std::size_t pitch) {
    const auto images = allocate_images<T>(device, width, height, count, pitch);
    device.upload<T>(images.pixels, values);
    return images;
}

} // namespace bowhist::testing
