#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/extract/surf/integral_image.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <vector>

namespace bowhist {

/// Maxima of the fast Hessian's determinant (docs/descriptors.md) above the threshold in one
/// octave's picture, without orientation: layer by layer, row by row. Those of the next octave are
/// left to it (SurfLayer::is_shared). Responses are multiplied by their layer's factor before they
/// are compared with the threshold.
std::vector<Keypoint> find_surf(const IntegralImage &sums, int octave,
                                const std::vector<SurfLayer> &layers, float threshold);

} // namespace bowhist
