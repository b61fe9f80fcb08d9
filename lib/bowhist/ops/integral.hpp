#pragma once

#include <bowhist/ops/image_batch.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace bowhist {

enum class IntegralMethod {
    transposes, ///< scan rows, transpose, scan rows, transpose back: for GPUs; 29 bytes a pixel
    bands       ///< a work-item walks down a band of rows: for CPUs; 6 bytes a pixel
};
inline constexpr std::array integral_methods = {IntegralMethod::transposes, IntegralMethod::bands};
/// "transposes", "bands".
std::string_view name_of(IntegralMethod method);
/// The method for this kind of device.
IntegralMethod integral_method_for(const Device &device);

/// Integral images: sums (x, y) is the sum of all pixels left of x and above y, so that the sum of
/// any rectangle takes four look-ups. One wider and one higher than the images, with a first row
/// and column of zeros, as OpenCV's `integral` has it. Sums wrap at 2³² (16.8 white megapixels);
/// differences of wrapped sums are still right for rectangles of less.
///
/// `sums` has (width + 1) × (height + 1) pixels and as many images as `images`; the method
/// transposes wants them without padding. Returns at once: the launches are in the device's queue.
/// @throws Error{Fault::usage} when the shapes do not fit
void integral(Device &device, const DeviceImages<std::uint8_t> &images,
              const DeviceImages<std::uint32_t> &sums, IntegralMethod method);

} // namespace bowhist
