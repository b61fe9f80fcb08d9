#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/whole_rows.hpp>

#include <vector>

namespace bowhist {

/// Whether its groups may be as large, and have the local memory that they take.
bool can_choose(const Device &device, std::size_t dimensions);

/// The rows that greedy k-means++ makes centroids of, chosen on a device: just those that the host
/// would choose.
/// @param device  one that can choose
/// @throws OutOfMemory; Error{Fault::device}; Error{Fault::interrupted}
std::vector<std::size_t> choose_on_device(Device &device, const WholeRows &rows, std::size_t k,
                                          std::uint64_t seed, Observer &observer);

} // namespace bowhist
