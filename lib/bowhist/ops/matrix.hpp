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

} // namespace bowhist
