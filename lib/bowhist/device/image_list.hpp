#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/launch_image.hpp>

#include <span>
#include <vector>

namespace bowhist {

/// Images of any sizes on a device, end to end: pixels of 8 bits, rows without padding. Who decodes
/// on the host uploads them; extractors read them.
struct DeviceImageList {
    Buffer<cl_uchar> pixels;
    std::vector<LaunchImage> images; ///< where each lies
};

/// Copies them there, into a buffer of their own. @throws OutOfMemory; Error{Fault::device}
DeviceImageList upload_image_list(Device &device, std::span<const Image> images);

} // namespace bowhist
