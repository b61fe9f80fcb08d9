#include "bench/cases/test_images.hpp"

#include <algorithm>

namespace bowhist {

std::uint32_t noise(std::size_t i) {
    auto number = static_cast<std::uint32_t>(i);
    number = (number ^ number >> 15U) * 0x2C1B3C6DU;
    return (number ^ number >> 12U) * 0x297A2D39U;
}

std::size_t image_side(const Scene &scene, std::size_t most) {
    if (scene.request.side > 0) return scene.request.side;
    const std::size_t requested = scene.most_rows() * scene.request.dimensions;
    while (most > 64 && most * most > requested) most /= 2;
    return most;
}

std::size_t image_count(const Scene &scene, std::size_t pixels, std::size_t bytes_each,
                        std::size_t largest) {
    const std::size_t requested =
        scene.most_rows() * scene.request.dimensions * sizeof(float) / bytes_each / pixels;
    if (!scene.device) return std::max<std::size_t>(requested, 1);
    const std::size_t fit = scene.device->limits().allocation_bytes / (2 * largest);
    return std::max<std::size_t>(std::min(requested, fit), 1);
}

} // namespace bowhist
