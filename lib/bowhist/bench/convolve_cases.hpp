#pragma once

#include <bowhist/bench/rounds.hpp>
#include <bowhist/bench/scene.hpp>

namespace bowhist {

/// Every way of ops/convolve with weights that are no product, 5×5 or 9×9: each pixel in once and
/// out once, and two operations a weight. Beside what the textbook predicts of
/// loads (ops/convolve_intensity.hpp) stands what the launch asks for (ops/convolve_bytes.hpp).
std::vector<Case> convolve_5x5_cases(const Scene &scene, std::size_t k);
std::vector<Case> convolve_9x9_cases(const Scene &scene, std::size_t k);

/// A product of 15 and 15 weights: in one launch, and as rows, then columns through a picture
/// between. Each pixel in once and out once, and 60 operations.
std::vector<Case> convolve_separable_cases(const Scene &scene, std::size_t k);

} // namespace bowhist
