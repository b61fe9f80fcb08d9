#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/device/device_info.hpp>
#include <bowhist/device/opencl.hpp>

#include <fmt/format.h>

namespace bowhist {

inline std::string failure(const DeviceInfo &info, const cl::Error &error) {
    return fmt::format("{}: {} failed with {}; try another --device", info.name, error.what(),
                       opencl_error_name(error.err()));
}

/// Runs `call`; an OpenCL error becomes one that names the device.
template <typename Call>
auto checked(const DeviceInfo &info, Call &&call) {
    try {
        return call();
    } catch (const cl::Error &error) {
        throw Error(Fault::device, failure(info, error));
    }
}

/// The same for a call that takes memory. After a launch these codes may mean a kernel that broke,
/// so that launches and downloads are not among them.
template <typename Call>
auto checked_memory(const DeviceInfo &info, Call &&call) {
    try {
        return call();
    } catch (const cl::Error &error) {
        switch (error.err()) {
        case CL_MEM_OBJECT_ALLOCATION_FAILURE:
        case CL_OUT_OF_RESOURCES:
        case CL_OUT_OF_HOST_MEMORY:
        case CL_INVALID_BUFFER_SIZE:
            throw OutOfMemory(failure(info, error));
        default:
            throw Error(Fault::device, failure(info, error));
        }
    }
}

} // namespace bowhist
