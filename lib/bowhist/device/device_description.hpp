#pragma once

#include <bowhist/device/device_info.hpp>
#include <bowhist/device/opencl.hpp>

namespace bowhist {

/// Asks a device for everything but its preferred multiple, which takes a built kernel.
DeviceInfo describe(const cl::Device &device, std::size_t number);

} // namespace bowhist
