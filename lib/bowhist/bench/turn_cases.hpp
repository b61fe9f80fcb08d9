#pragma once

#include <bowhist/bench/rounds.hpp>
#include <bowhist/bench/scene.hpp>

namespace bowhist {

/// Every way of ops/transpose on pictures of 2048×2048 (fewer pixels where n is small), floats or
/// bytes: as many as make up the floats of n descriptors. Each way twice: with rows a power of two
/// apart, and
/// ("+pad") a line more than that. Each pixel is read once and written once.
std::vector<Case> turn_float_cases(const Scene &scene, std::size_t k);
std::vector<Case> turn_byte_cases(const Scene &scene, std::size_t k);

} // namespace bowhist
