#pragma once

#include "bench/rounds.hpp"

#include <memory>

namespace bowhist {

/// The peaks of `threads` cores of the host (0: all): float32 fused multiply-adds out of registers,
/// and copying between two arrays far larger than any cache.
std::vector<Case> host_peaks(int threads);

/// The number of threads; 0 stands for all cores.
int thread_count(int threads);

/// "host, 2 threads": the device column of rows on the host.
std::string host_name(int threads);

/// A device's peaks: float32 fused multiply-adds (peak_fma.cl), copying between two buffers
/// (peak_copy.cl), and on NVIDIA fp16 products summed in float32 by its matrix units
/// (peak_matrix.cl). A peak whose kernel the device's compiler refuses is a row with that reason.
std::vector<Case> device_peaks(const std::shared_ptr<Device> &device);

} // namespace bowhist
