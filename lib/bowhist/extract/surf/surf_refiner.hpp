#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/extract/surf/integral_image.hpp>

#include <span>

namespace bowhist {

/// Moves keypoints of one octave's image to the maxima, near them, of the determinant of Gaussian
/// derivatives (docs/descriptors.md). Keypoints without one stay where they are, and their
/// responses become a thousandth. Those whose surroundings leave the image stay as they are.
void refine_surf(const IntegralImage &sums, std::span<Keypoint> keypoints);

} // namespace bowhist
