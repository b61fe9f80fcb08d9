#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/extract/surf/integral_image.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <vector>

namespace bowhist {

/// Turns keypoints to their gradient and sums up Haar responses around them (docs/descriptors.md).
/// Not thread-safe: it keeps scratch.
class SurfDescriber {
  public:
    explicit SurfDescriber(const Recipe &recipe);

    static constexpr std::size_t dimensions = 64;

    /// Writes one descriptor to `out`, and the orientation unless they are upright.
    void describe(const IntegralImage &sums, Keypoint &keypoint, float *out);

  private:
    bool upright_;
    SurfCells cells_;
    SurfCircle circle_;
    std::vector<float> row_;     ///< the four channels of a row of samples
    std::vector<float> columns_; ///< and of four rows of cells, summed down the columns
};

} // namespace bowhist
