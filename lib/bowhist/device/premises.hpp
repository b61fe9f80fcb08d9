#pragma once

#include <cstdint>
#include <limits>

namespace bowhist {

class Device;

/// Properties that proofs and exact sums rest on and a compiler or driver can break
/// (docs/words.md). OpenCL's own word for them is not enough.
struct Premises {
    bool rounds_to_nearest = true; ///< float32 sums, differences, products and rint() do
    bool keeps_subnormals = true;  ///< float32 operands and results below 2^-126 are not flushed
    bool rounds_twice = true;      ///< a * b + c, where the kernel forbids to fuse it
    bool float64 = true; ///< every operation and conversion that kernels use is IEEE 754's; true
                         ///< where the device has no fp64
    /// Steps that a nest of loops takes at least; the largest number where no end was found.
    std::uint64_t loop_steps = std::numeric_limits<std::uint64_t>::max();
};

/// Asks the device's own kernels (cl/device). Takes some milliseconds. Waits for the device.
/// @throws as Device's methods
Premises measure_premises(Device &device);

} // namespace bowhist
