#pragma once

#include "bench/scene.hpp"

#include <bowhist/ops/image_batch.hpp>

#include <algorithm>
#include <memory>
#include <type_traits>

namespace bowhist {

/// Square images to measure with, on the host and, if there is one, on the device.
template <typename T>
struct TestImages {
    std::vector<T> values; ///< without padding
    DeviceImages<T> in;

    std::size_t pixels_each() const { return in.width * in.height; }
};

/// Number i of a fixed sequence in which each of 2³² is as likely as any other.
inline std::uint32_t noise(std::size_t i) {
    auto number = static_cast<std::uint32_t>(i);
    number = (number ^ number >> 15U) * 0x2C1B3C6DU;
    return (number ^ number >> 12U) * 0x297A2D39U;
}

/// The side of square images: as requested, else `most` pixels, halved while one such image has
/// more pixels than n descriptors have floats.
inline std::size_t image_side(const Scene &scene, std::size_t most) {
    if (scene.request.side > 0) return scene.request.side;
    const std::size_t requested = scene.most_rows() * scene.request.dimensions;
    while (most > 64 && most * most > requested) most /= 2;
    return most;
}

/// Images of `pixels` each that make up the bytes of n descriptors, at `bytes_each` a pixel: at
/// least one, and so few that two buffers with `largest` bytes an image fit an allocation.
inline std::size_t image_count(const Scene &scene, std::size_t pixels, std::size_t bytes_each,
                               std::size_t largest) {
    const std::size_t requested =
        scene.most_rows() * scene.request.dimensions * sizeof(float) / bytes_each / pixels;
    if (!scene.device) return std::max<std::size_t>(requested, 1);
    const std::size_t fit = scene.device->limits().allocation_bytes / (2 * largest);
    return std::max<std::size_t>(std::min(requested, fit), 1);
}

/// Images of noise, of at most `most_side` pixels a side: floats in [0, 1), whole numbers below
/// 2²⁴, bytes. The same for the same size.
/// @param largest_bytes  a pixel, of the largest buffer
template <typename T>
std::shared_ptr<const TestImages<T>> make_images(const Scene &scene, std::size_t most_side,
                                                 std::size_t largest_bytes = sizeof(T)) {
    const std::size_t side = image_side(scene, most_side);
    const std::size_t pixels = side * side;
    const std::size_t count = image_count(scene, pixels, sizeof(T), largest_bytes * pixels);
    TestImages<T> images{std::vector<T>(count * pixels), {{}, side, side, side, count}};
    for (std::size_t i = 0; i < images.values.size(); ++i)
        if constexpr (std::is_floating_point_v<T>)
            images.values[i] = static_cast<T>(noise(i) >> 8U) * 0x1p-24F;
        else
            images.values[i] = static_cast<T>(noise(i) >> (sizeof(T) == 1 ? 24U : 8U));
    if (scene.device) images.in.pixels = uploaded(*scene.device, images.values);
    return std::make_shared<const TestImages<T>>(std::move(images));
}

} // namespace bowhist
