#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/device/device_selection.hpp>
#include <bowhist/device/opencl.hpp>

#include <fmt/format.h>

#include <cstddef>

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

/// `size` elements of T in a device's global memory; freed with the last copy of the handle,
/// or of those to other parts of a Bundle. Made by Device::allocate, or by Bundle.
template <typename T>
struct Buffer {
    cl::Buffer memory;
    std::size_t size = 0; ///< elements
};

/// An image object of four floats a texel: read by a kernel through a device's image hardware.
/// Freed with the last copy of the handle. Made by Device::allocate_texture.
struct Texture {
    cl::Image2D memory;
    std::size_t width = 0; ///< texels
    std::size_t height = 0;
};

/// Whether two handles are of the same memory.
template <typename T>
bool same_memory(const Buffer<T> &a, const Buffer<T> &b) {
    return a.memory() == b.memory();
}

} // namespace bowhist
