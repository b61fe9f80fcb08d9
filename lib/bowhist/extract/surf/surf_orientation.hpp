#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/extract/surf/integral_image.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <vector>

namespace bowhist {

/// A unit vector along a keypoint's x axis.
struct Direction {
    float cosine;
    float sine;
};

/// Where the grey values around keypoints rise: the longest sum of Haar responses under a window of
/// 60 degrees that slides over a circle (Bay, Ess, Tuytelaars, Van Gool 2008).
class SurfOrientation {
  public:
    SurfOrientation();

    Direction of(const Keypoint &keypoint, const IntegralImage &sums) const;

  private:
    std::vector<float> circle_;
};

} // namespace bowhist
