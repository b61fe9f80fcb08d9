#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/quantized_rows.hpp>

#include <vector>

namespace bowhist {

/// Whether the device allows groups of that size, with the local memory that they take.
bool can_choose(const Device &device, std::size_t dimensions);

/// The rows that greedy k-means++ makes centroids of, chosen on a device: the rows that the host
/// would choose. REQUIRES: can_choose().
/// @throws OutOfMemory; Error{Fault::device}; Error{Fault::interrupted}
std::vector<std::size_t> choose_on_device(Device &device, const QuantizedRows &rows, std::size_t k,
                                          std::uint64_t seed, Observer &observer);

} // namespace bowhist
