#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/device/device_descriptors.hpp>
#include <bowhist/device/uploads.hpp>

#include <memory>

namespace bowhist {

/// Images to descriptors on a device, bit for bit those of the host's extractor of the recipe.
///
/// Protocol: extract; where its count[1] is not 0, make_room(count[1]), then extract again
/// (extract_all does both). One thread at a time.
class DeviceExtractor {
  public:
    virtual ~DeviceExtractor() = default;

    /// Descriptors of all images, in their order, as the host's extractor orders those of one.
    /// Queued: only the device knows how many descriptors there are. The result is the extractor's
    /// own, and valid for launches queued before the next call.
    virtual const DeviceDescriptors &extract(const DeviceImageList &images) = 0;

    /// Gives the next calls at least the room that a call lacked, which is its count[1].
    virtual void make_room(std::size_t /*wanted*/) {}

    /// The most pixels that one call may have on this device.
    virtual std::size_t most_pixels() const = 0;
};

/// Extracts, and once more where there was no room for all descriptors. Waits.
const DeviceDescriptors &extract_all(Device &device, DeviceExtractor &extractor,
                                     const DeviceImageList &images);

/// Whether an extractor of this recipe runs on devices.
bool runs_on_devices(const Recipe &recipe);

/// Whether a device can run one: it rounds to nearest, and takes the kernels' groups.
bool can_extract(const Device &device);

/// @param recipe  completed(), one that runs on devices
/// @param locates whether descriptors have keypoints, the host's but for orientations, which are 0
/// @throws Error{Fault::usage} as make_extractor; Error{Fault::device}
std::unique_ptr<DeviceExtractor> make_device_extractor(std::shared_ptr<Device> device,
                                                       const Recipe &recipe, bool locates = false);

} // namespace bowhist
