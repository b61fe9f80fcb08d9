#pragma once

#include <bowhist/ops/convolve.hpp>

namespace bowhist {

/// Bytes that the kernel's loops ask of global and constant memory in the launch that convolve()
/// makes, with a border that is no zeros: the tiles of all groups with their halos, also where they
/// reach over the picture's edge; the weights; each pixel written. Nothing for the methods that
/// nobody has counted: sliding and separable.
std::optional<double> convolve_bytes(ConvolveMethod method, const Device &device,
                                     const DeviceImages<float> &in, const Filter &filter,
                                     const ConvolveOptions &options = {});

} // namespace bowhist
