
#include "bench/cases/picture_batch.hpp"

#include <algorithm>

namespace bowhist {

std::uint32_t noise(std::size_t i) {
    auto number = static_cast<std::uint32_t>(i);
    number = (number ^ number >> 15U) * 0x2C1B3C6DU;
    return (number ^ number >> 12U) * 0x297A2D39U;
}

std::size_t picture_side(const Scene &scene, std::size_t most) {
    if (scene.request.side > 0) return scene.request.side;
    const std::size_t asked = scene.most_rows() * scene.request.dimensions;
    while (most > 64 && most * most > asked) most /= 2;
    return most;
}

std::size_t picture_count(const Scene &scene, std::size_t pixels, std::size_t bytes_each,
                          std::size_t largest) {
    const std::size_t asked =
        scene.most_rows() * scene.request.dimensions * sizeof(float) / bytes_each / pixels;
    if (!scene.device) return std::max<std::size_t>(asked, 1);
    const std::size_t fit = scene.device->limits().allocation_bytes / (2 * largest);
    return std::max<std::size_t>(std::min(asked, fit), 1);
}

PictureBatch make_pictures(const Scene &scene, std::size_t side) {
    const std::size_t count =
        picture_count(scene, side * side, sizeof(float), sizeof(float) * side * side);
    PictureBatch batch{std::vector<float>(count * side * side), {{}, side, side, side, count}};
    for (std::size_t i = 0; i < batch.values.size(); ++i)
        batch.values[i] = static_cast<float>(noise(i) >> 8U) * 0x1p-24F;
    if (scene.device) batch.in.pixels = uploaded(*scene.device, batch.values);
    return batch;
}

} // namespace bowhist
