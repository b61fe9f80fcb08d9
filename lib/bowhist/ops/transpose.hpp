#pragma once

#include <bowhist/device/device.hpp>
#include <bowhist/ops/matrix.hpp>

namespace bowhist {

/// Both kernels work in groups of 16×16 work-items (TILE in transpose_tiled.cl).
constexpr std::size_t transpose_tile = 16;

enum class TransposeMethod {
    naive, ///< one work-item an element; writes are strided
    tiled  ///< 16×16 tiles through padded local memory; reads and writes are contiguous
};

/// Turns descriptors of any size on the device, into a buffer that holds at least as many floats.
/// Returns at once: the launch is in the device's queue, under the label "transpose".
DimensionMajor transpose(Device &device, const PointMajor &descriptors, const Buffer<float> &into,
                         TransposeMethod method = TransposeMethod::tiled);

} // namespace bowhist
