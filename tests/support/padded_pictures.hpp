#pragma once

#include <bowhist/ops/image_batch.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace bowhist::testing {

/// `count` images of uniform noise in [0, 255], without padding, end to end.
inline std::vector<float> random_brightness(std::size_t width, std::size_t height,
                                            std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> brightness(0, 255);
    std::vector<float> pixels(width * height * count);
    for (float &pixel : pixels) pixel = brightness(engine);
    return pixels;
}

/// On the device, with `padding` elements behind each row that are NaN: an operation that reads one
/// fails.
inline DeviceImages<float> upload_padded(Device &device, const std::vector<float> &pixels,
                                         std::size_t width, std::size_t height, std::size_t count,
                                         std::size_t padding = 0) {
    const auto images = allocate_images<float>(device, width, height, count, width + padding);
    std::vector<float> padded(images.elements(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t row = 0; row < images.rows(); ++row)
        for (std::size_t x = 0; x < width; ++x)
            padded[row * images.pitch + x] = pixels[row * width + x];
    device.upload<float>(images.pixels, padded);
    return images;
}

/// Back on the host, without the padding.
inline std::vector<float> download_pixels(Device &device, const DeviceImages<float> &images) {
    const std::vector<float> padded = downloaded(device, images.pixels);
    std::vector<float> pixels;
    for (std::size_t row = 0; row < images.rows(); ++row)
        pixels.insert(pixels.end(), padded.begin() + static_cast<long>(row * images.pitch),
                      padded.begin() + static_cast<long>(row * images.pitch + images.width));
    return pixels;
}

} // namespace bowhist::testing
