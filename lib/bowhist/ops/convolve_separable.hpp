#pragma once

#include <bowhist/ops/convolve.hpp>

#include <span>

namespace bowhist {

/// Convolves every image with down × across in one launch: nothing between the two goes through
/// memory.
/// A side of a single weight 1 makes it one-dimensional.
///
/// `in`, `out`, labels and accuracy as for convolve(); of the options the method and outputs do
/// not count. @throws Error{Fault::usage} as check_filter
void convolve_separable(Device &device, const DeviceImages<float> &in,
                        const DeviceImages<float> &out, const SeparableFilter &filter,
                        const ConvolveOptions &options = {});

/// Why convolve_rows or convolve_columns by `length` weights cannot run on a device; nothing when
/// both can.
std::optional<std::string> two_pass_obstacle(const Device &device, std::size_t length);

/// One-dimensional, through tiles in local memory: every row by `weights`, an odd number of them up
/// to 31. With convolve_columns after it, the textbook's separable convolution in two passes.
/// Labelled "convolve". @throws Error{Fault::usage} as check_filter; when there is an obstacle
void convolve_rows(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
                   std::span<const float> weights, Border border = Border::reflect);

/// The same for every column.
void convolve_columns(Device &device, const DeviceImages<float> &in, const DeviceImages<float> &out,
                      std::span<const float> weights, Border border = Border::reflect);

} // namespace bowhist
