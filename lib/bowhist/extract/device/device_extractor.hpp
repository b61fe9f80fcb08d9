#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_descriptors.hpp>
#include <bowhist/extract/extract_launch.hpp>

#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// Pictures of any sizes on a device, end to end: pixels of 8 bits, rows without padding.
struct DevicePictures {
    Buffer<cl_uchar> pixels;
    std::vector<LaunchPicture> pictures; ///< where each lies
};

/// Copies them there, into a buffer of their own. @throws OutOfMemory; Error{Fault::device}
DevicePictures upload_pictures(Device &device, std::span<const Image> images);

/// Pictures to descriptors on a device: the host's extractor of the same recipe makes the same, bit
/// for bit (docs/descriptors.md). Not thread-safe.
class DeviceExtractor {
  public:
    virtual ~DeviceExtractor() = default;

    /// Descriptors of all pictures, in their order, as the host's extractor orders those of one.
    /// Queued: how many descriptors there are, only the device knows. What is launched before the
    /// next call finds them.
    virtual const DeviceDescriptors &extract(const DevicePictures &pictures) = 0;

    /// The next calls have as much room as one lacked: its count[1] told how much it wanted.
    virtual void make_room(std::size_t /*wanted*/) {}

    /// Pixels of a call that the device has room for.
    virtual std::size_t most_pixels() const = 0;
};

/// Extracts, and once more where there was no room for all descriptors. Waits.
const DeviceDescriptors &extract_all(Device &device, DeviceExtractor &extractor,
                                     const DevicePictures &pictures);

/// Whether an extractor of this recipe runs on devices.
bool runs_on_devices(const Recipe &recipe);

/// Whether a device can run one: it rounds to nearest, and takes the kernels' groups.
bool can_extract(const Device &device);

/// @param recipe  completed(), one that runs on devices
/// @throws Error{Fault::usage} as make_extractor; Error{Fault::device}
std::unique_ptr<DeviceExtractor> make_device_extractor(std::shared_ptr<Device> device,
                                                       const Recipe &recipe);

} // namespace bowhist
