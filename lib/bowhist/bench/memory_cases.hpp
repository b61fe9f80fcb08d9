#pragma once

#include <bowhist/bench/rounds.hpp>
#include <bowhist/bench/scene.hpp>

namespace bowhist {

/// What a device's memory wants: each way reads as many floats as n descriptors have (rounded down
/// to a power of two), once each, in its own order, and adds them up; the sum is checked. Bytes
/// are those of the floats, not of the lines that had to be fetched for them.
///
/// The ways through local memory read it over and over: their bytes are local memory's, and can
/// come to more than any copy through global memory.
std::vector<Case> memory_cases(const Scene &scene, std::size_t k);

} // namespace bowhist
