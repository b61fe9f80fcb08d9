#pragma once

#include <bowhist/device/buffer.hpp>

#include <cstddef>

namespace bowhist {

/// Descriptors of many images on a device, end to end.
struct DeviceDescriptors {
    Buffer<float> values;  ///< capacity×D, one descriptor after another
    Buffer<cl_uint> image; ///< each one's image; capacity of them
    Buffer<cl_uint> count; ///< [0] how many there are. Kernels read it there, so that what a kernel
                           ///< counted need not visit the host. An extractor's [1]: what
                           ///< make_room() must be told, 0 where there was room for all
    std::size_t capacity = 0; ///< the most there may be: what kernels are launched over
    std::size_t dimensions = 0;
};

} // namespace bowhist
