#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

namespace bowhist {

/// A unit vector along a keypoint's x axis.
struct Direction {
    float cosine;
    float sine;
};

/// The direction in which the grey values around a keypoint rise: the longest sum of Haar responses
/// under a window of 60 degrees that slides over a circle (Bay, Ess, Tuytelaars, Van Gool 2008).
Direction orientation_of(const Keypoint &keypoint, const IntegralImage &sums);

} // namespace bowhist
