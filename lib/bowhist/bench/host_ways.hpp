#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bowhist {

// Operations in plain C++, to stand beside the device's: with one thread the loop that anybody
// would write, with more the same loop shared out.

/// Inclusive prefix sums. Many threads read twice: each adds up its share, and scans it once it
/// knows what all shares before it add up to.
void scan_on_host(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, int threads);

/// counts[256 * picture + value], for pictures of `pixels` bytes each. Each of many threads counts
/// a share of every picture in counters of its own.
void count_on_host(std::span<const std::uint8_t> pictures, std::size_t pixels,
                   std::span<std::uint32_t> counts, int threads);

} // namespace bowhist
