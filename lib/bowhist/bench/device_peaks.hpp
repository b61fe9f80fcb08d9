#pragma once

#include <bowhist/bench/rounds.hpp>

#include <memory>

namespace bowhist {

/// What a device can do: float32 fused multiply-adds (peak_fma.cl), copying between two buffers
/// (peak_copy.cl), and on NVIDIA fp16 products summed in float32 by its matrix units
/// (peak_matrix.cl). A peak whose kernel the device's compiler refuses is a row that says so.
std::vector<Case> device_peaks(const std::shared_ptr<Device> &device);

} // namespace bowhist
