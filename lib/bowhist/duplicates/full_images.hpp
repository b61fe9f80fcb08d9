#pragma once

#include <bowhist/duplicates/pair_check.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

// What is read of the files themselves. What `kept` holds stands for it as long as a file's size
// and time are those that the library read.

/// Compares pairs again, in up to 2048 pixels a side, which are decoded for it.
/// @return of each pair the blocks that show something else, with what letters each has of its own;
/// none where a file cannot be read
std::vector<std::size_t> blocks_replaced(const NumberedImages &images,
                                         std::span<const CheckedPair> pairs, KeptPairs &kept,
                                         Observer &observer);

/// Of some images a hash of the upright image's pixels in color; empty where the file cannot be
/// read.
std::map<std::uint32_t, std::string> pixel_hashes(const NumberedImages &images,
                                                  const std::vector<std::uint32_t> &numbers,
                                                  KeptPairs &kept, Observer &observer);

} // namespace bowhist
