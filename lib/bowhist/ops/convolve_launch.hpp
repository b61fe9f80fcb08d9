#pragma once

// The convolutions share this on the host's side.

#include <bowhist/core/round_up.hpp>
#include <bowhist/ops/convolve.hpp>
#include <bowhist/ops/ops_launch.hpp>

namespace bowhist {

/// @throws Error{Fault::usage} when the two differ in size or number, lie in one buffer, or have
///         more rows than an int counts
ImageLayout layout_of(const DeviceImages<float> &in, const DeviceImages<float> &out);

/// -D options: the filter's sides and the border.
std::string convolve_options(std::size_t filter_width, std::size_t filter_height, Border border);

/// -D options of a shape, and what it covers of these images.
std::string shape_options(const SlidingShape &shape, const ImageLayout &layout);
Range sliding_range(const SlidingShape &shape, const ImageLayout &layout);

/// Why a device cannot run groups of `group` work-items with `local_bytes` of local memory each;
/// nothing when it can.
std::optional<std::string> shortage(const Device &device, Range group, std::size_t local_bytes);

} // namespace bowhist
