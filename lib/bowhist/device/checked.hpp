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
        for (const cl_int code : {CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES,
                                  CL_OUT_OF_HOST_MEMORY, CL_INVALID_BUFFER_SIZE})
            if (error.err() == code) throw OutOfMemory(failure(info, error));
        throw Error(Fault::device, failure(info, error));
    }
}

} // namespace bowhist
