#pragma once

#include <bowhist/bench/rounds.hpp>

namespace bowhist {

/// What the host's cores can do together, `threads` of them (0: all): float32 fused multiply-adds
/// out of registers, and copying between two arrays far larger than any cache.
std::vector<Case> host_peaks(int threads);

/// "host, 2 threads": what stands in the device column of everything that runs there.
std::string host_name(int threads);

} // namespace bowhist
