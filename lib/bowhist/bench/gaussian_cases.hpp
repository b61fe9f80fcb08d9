#pragma once

#include <bowhist/bench/rounds.hpp>
#include <bowhist/bench/scene.hpp>

namespace bowhist {

/// The whole blur, by every shape of ops/gaussian: each pixel in once and out once, and the
/// 94 operations of our recursion. What its kernels ask of memory is 14 floats a pixel with
/// transposes, 10 without.
std::vector<Case> gaussian_cases(const Scene &scene, std::size_t k);

/// One pass along columns, by its five floats of traffic a pixel: the run down reads the picture
/// and keeps its half of the blur, the run up reads both and writes. "+cut": cut after 256
/// rows, with the reading that this takes.
std::vector<Case> gaussian_column_cases(const Scene &scene, std::size_t k);

} // namespace bowhist
