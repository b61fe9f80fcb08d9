#pragma once

#include <bowhist/ops/image_batch.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace bowhist {

enum class HistogramMethod {
    global_atomics, ///< a work-item a pixel, counted in global memory at once
    local_atomics,  ///< listing 4.1: a group counts in local memory, then globally
    local_copies,   ///< the same with eight histograms a group, or as many as fit: for GPUs
    serial          ///< a work-item counts a run of pixels in memory of its own: for CPUs
};
inline constexpr std::array histogram_methods = {
    HistogramMethod::global_atomics, HistogramMethod::local_atomics, HistogramMethod::local_copies,
    HistogramMethod::serial};
/// "global_atomics", "local_atomics", "local_copies", "serial".
std::string_view name_of(HistogramMethod method);
/// The method for this kind of device.
HistogramMethod histogram_method_for(const Device &device);

/// Counts the grey values of each image: histograms[256 * image + value], cleared first.
///
/// `histograms` holds 256 counters an image. Returns at once: the launch is in the device's queue,
/// under the label "histogram256".
/// @throws Error{Fault::usage} when an image has 2³¹ bytes or more, or `histograms` is too small;
/// Error{Fault::device} when the device has no 1 KiB of local memory for the local methods
void histogram256(Device &device, const DeviceImages<std::uint8_t> &images,
                  const Buffer<std::uint32_t> &histograms, HistogramMethod method);

} // namespace bowhist
