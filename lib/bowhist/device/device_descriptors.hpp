#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/device/buffer.hpp>

#include <cstddef>

namespace bowhist {

/// Descriptors of many bags on a device, end to end.
struct DeviceDescriptors {
    Buffer<float> values;  ///< capacity×D, one descriptor after another
    Buffer<cl_uint> bag;   ///< the index of each one's bag; capacity of them
    Buffer<cl_uint> count; ///< [0] how many there are. Kernels read it there, so that what a kernel
                           ///< counted need not visit the host. An extractor's [1]: the
                           ///< argument of make_room(), 0 where there was room for all
    std::size_t capacity = 0; ///< the most there may be: what kernels are launched over
    std::size_t dimensions = 0;
    Buffer<Keypoint> keypoints = {}; ///< of each descriptor; empty where the maker keeps none
};

} // namespace bowhist
