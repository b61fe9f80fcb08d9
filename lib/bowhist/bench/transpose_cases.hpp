#pragma once

#include <bowhist/bench/rounds.hpp>
#include <bowhist/bench/scene.hpp>

namespace bowhist {

/// Every way of ops/transpose, on n rows of D floats: each float read once and written once.
std::vector<Case> transpose_cases(const Scene &scene, std::size_t k);

} // namespace bowhist
