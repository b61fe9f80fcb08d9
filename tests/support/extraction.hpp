#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/extract/device/device_extractor.hpp>

#include <cstring>
#include <span>
#include <vector>

namespace bowhist::testing {

inline bool same_bits(const std::vector<float> &a, const std::vector<float> &b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// What a device makes of all pictures in one go: the values, picture by picture.
inline std::vector<std::vector<float>> on_device(DeviceExtractor &extractor, Device &device,
                                                 const std::vector<Image> &images) {
    const DevicePictures pictures = upload_pictures(device, images);
    const DeviceDescriptors &found = extract_all(device, extractor, pictures);
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

} // namespace bowhist::testing
