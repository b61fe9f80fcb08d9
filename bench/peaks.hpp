#pragma once

#include "bench/rounds.hpp"

#include <memory>

namespace bowhist {

/// What the host's cores can do together, `threads` of them (0: all): float32 fused multiply-adds
/// out of registers, and copying between two arrays far larger than any cache.
std::vector<Case> host_peaks(int threads);

/// How many threads `threads` means: 0 is all cores.
int thread_count(int threads);

/// "host, 2 threads": what stands in the device column of everything that runs there.
std::string host_name(int threads);

/// What a device can do: float32 fused multiply-adds (peak_fma.cl), copying between two buffers
/// (peak_copy.cl), and on NVIDIA fp16 products summed in float32 by its matrix units
/// (peak_matrix.cl). A peak whose kernel the device's compiler refuses is a row that says so.
std::vector<Case> device_peaks(const std::shared_ptr<Device> &device);

} // namespace bowhist
