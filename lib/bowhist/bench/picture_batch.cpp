#include <bowhist/bench/picture_batch.hpp>

#include <algorithm>

namespace bowhist {

std::size_t picture_side(const Scene &scene, std::size_t most) {
    const std::size_t asked = scene.most_rows() * scene.request.dimensions;
    while (most > 64 && most * most > asked) most /= 2;
    return most;
}

PictureBatch make_pictures(const Scene &scene, std::size_t side) {
    const std::size_t asked = scene.most_rows() * scene.request.dimensions;
    const std::size_t fit = std::max<std::size_t>(1, scene.device->limits().allocation_bytes /
                                                         (2 * sizeof(float) * side * side));
    const std::size_t count = std::clamp<std::size_t>(asked / (side * side), 1, fit);
    PictureBatch batch{std::vector<float>(count * side * side),
                       allocate_images<float>(*scene.device, side, side, count)};
    for (std::size_t i = 0; i < batch.values.size(); ++i) {
        auto noise = static_cast<std::uint32_t>(i);
        noise = (noise ^ noise >> 15U) * 0x2C1B3C6DU;
        noise = (noise ^ noise >> 12U) * 0x297A2D39U;
        batch.values[i] = static_cast<float>(noise >> 8U) * 0x1p-24F;
    }
    scene.device->upload<float>(batch.in.pixels, batch.values);
    return batch;
}

} // namespace bowhist
