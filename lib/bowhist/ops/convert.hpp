#pragma once

#include <bowhist/ops/image_batch.hpp>

#include <cstdint>

namespace bowhist {

/// 8-bit grey values as float32, 0 … 255. `out` has the shape of `in` and a pitch of its own. The
/// launch is in the device's queue, under the label "to_floats".
void to_floats(Device &device, const DeviceImages<std::uint8_t> &in,
               const DeviceImages<float> &out);

/// How numbers become grey values.
enum class Rounding {
    clamped,  ///< to the nearest of 0 … 255
    magnitude ///< the absolute value, clamped
};

/// And back, under the label "to_bytes".
void to_bytes(Device &device, const DeviceImages<float> &in, const DeviceImages<std::uint8_t> &out,
              Rounding rounding = Rounding::clamped);

} // namespace bowhist
