#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/extract/surf/integral_image.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <vector>

namespace bowhist {

/// Maxima of the fast Hessian's determinant (docs/descriptors.md) above the threshold in one
/// octave's image, without orientation: layer by layer, row by row. Responses are multiplied by
/// their layer's factor before they are compared with the threshold, and by the peak's weight
/// (fit_peak) after that.
std::vector<Keypoint> find_surf(const IntegralImage &sums, int octave,
                                const std::vector<SurfLayer> &layers, float threshold);

} // namespace bowhist
