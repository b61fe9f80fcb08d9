#pragma once

#include <bowhist/bench/rounds.hpp>
#include <bowhist/bench/scene.hpp>

namespace bowhist {

/// What a device's memory wants: each way reads as many floats as n descriptors have (rounded down
/// to a power of two), once each, in its own order, and adds them up; all sums are checked. Bytes
/// are those of the floats, not of the lines that had to be fetched for them.
///
/// The ways through local memory read it over and over: their bytes are local memory's, and can
/// come to more than any copy through global memory.
///
/// Floats are 2²⁷ at most, however large n is: see memory_floats.
std::vector<Case> memory_cases(const Scene &scene, std::size_t k);

/// How many floats are read where `asked` were asked for: a power of two, no less than 4096, and
/// two such buffers' worth within an allocation. Never more than 2²⁷: those are what an image of
/// 4096 texels a row holds on every device, they pass any cache, their number is a uint, and
/// float32 adds up a work-item's share without rounding.
std::size_t memory_floats(std::size_t asked, std::uint64_t allocation_bytes);

} // namespace bowhist
