#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/extract/surf/integral_image.hpp>

#include <span>
#include <vector>

namespace bowhist {

/// Turns keypoints of one octave's image to their gradient, unless the recipe is upright, and
/// sums up Haar responses around them (docs/descriptors.md): 64 floats for each.
std::vector<float> describe_surf(const IntegralImage &sums, const Recipe &recipe,
                                 std::span<Keypoint> keypoints);

} // namespace bowhist
