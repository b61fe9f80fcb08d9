#pragma once

#include "tests/support/levels.hpp"

#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/extractor.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace bowhist::testing {

inline bool same_bits(const std::vector<float> &a, const std::vector<float> &b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// What a device makes of all images in one go: the values, image by image.
inline std::vector<std::vector<float>> on_device(DeviceExtractor &extractor, Device &device,
                                                 const std::vector<Image> &images) {
    const DeviceImageList list = upload_image_list(device, images);
    const DeviceDescriptors &found = extract_all(device, extractor, list);
    cl_uint count = 0;
    device.download(std::span(&count, 1), found.count);
    std::vector<float> values(count * found.dimensions);
    std::vector<cl_uint> image(count);
    if (count > 0) device.download(std::span(values), found.values);
    if (count > 0) device.download(std::span(image), found.bag);
    std::vector<std::vector<float>> result(images.size());
    for (std::size_t row = 0; row < count; ++row) {
        const auto one = std::span(values).subspan(row * found.dimensions, found.dimensions);
        auto &all = result.at(image[row]);
        all.insert(all.end(), one.begin(), one.end());
    }
    return result;
}

/// What the device of the run makes of all images in one go; the host must make the same bits.
inline std::vector<std::vector<float>> same_on_device(const Recipe &recipe,
                                                      const std::vector<Image> &images) {
    const auto device = shared_device();
    const auto found = on_device(*make_device_extractor(device, recipe), *device, images);
    const auto extractor = make_extractor(recipe);
    for (std::size_t i = 0; i < images.size(); ++i) {
        INFO("picture " << i);
        CHECK(same_bits(found[i], extractor->extract(images[i]).values));
    }
    return found;
}

/// Waves, edges and some noise, with flat stretches of that many columns.
inline Image waves(int width, int height, unsigned seed, int flat = 30) {
    std::mt19937 random(seed);
    Image image{width, height, {}};
    const double turn = random() % 7;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double wave = std::sin((x * std::cos(turn) + y * std::sin(turn)) / 5.0);
            const double grey = x % 90 < flat ? 80 : 120 + 90 * wave + random() % 20;
            image.pixels.push_back(static_cast<std::uint8_t>(std::clamp(grey, 0.0, 255.0)));
        }
    return image;
}

/// Grey values at random.
inline Image noise(int width, int height) {
    Image image{width, height, {}};
    std::mt19937 random(7);
    for (int i = 0; i < width * height; ++i)
        image.pixels.push_back(static_cast<std::uint8_t>(random() >> 24));
    return image;
}

inline Recipe dense_recipe(const std::string &patches, int step, double threshold = 1) {
    return {.extractor = "dense", .threshold = threshold, .patches = patches, .step = step};
}

} // namespace bowhist::testing
