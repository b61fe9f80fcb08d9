#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/recipe.hpp>

#include <vector>

#include <opencv2/core/mat.hpp>
#include <opencv2/core/types.hpp>

namespace bowhist {

/// The finite rows, of these the recipe's (see keep()). They stay in the order of detection.
/// @param width, height  of the image, pixels
Descriptors select_rows(const cv::Mat &rows, const std::vector<cv::KeyPoint> &keypoints,
                        const Recipe &recipe, int width, int height);

} // namespace bowhist
