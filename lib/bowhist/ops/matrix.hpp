#pragma once

#include <bowhist/device/buffer.hpp>

#include <cstddef>

namespace bowhist {

// How descriptors lie on a device. Two types, so that forgetting a transpose does not compile.

/// `rows` descriptors of `dimensions` floats, one descriptor after another: as extractors make
/// them.
struct PointMajor {
    Buffer<float> values;
    std::size_t rows = 0;
    std::size_t dimensions = 0;
};

/// One dimension after another, `rows` floats each: neighbouring work-items read neighbouring
/// floats.
struct DimensionMajor {
    Buffer<float> values;
    std::size_t rows = 0;
    std::size_t dimensions = 0;
};

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
