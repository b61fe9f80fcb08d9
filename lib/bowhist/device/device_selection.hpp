#pragma once

#include <bowhist/device/device_info.hpp>
#include <bowhist/device/opencl.hpp>

#include <string>

namespace bowhist {

/// A device and its place in devices().
struct Selection {
    cl::Device device;
    std::size_t number = 0;
};

/// The device that `selector` means: a number, "cpu" or "gpu", part of a name (any case), or, when
/// empty, the first GPU, else the first device. A selector of several devices (device_list.hpp)
/// means the first of them.
/// @throws Error{Fault::device} saying which devices there are
Selection select_device(const std::string &selector);

/// Asks a device for everything but its preferred multiple, which takes a built kernel.
DeviceInfo describe(const cl::Device &device, std::size_t number);

} // namespace bowhist
