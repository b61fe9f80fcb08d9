#pragma once

#include <bowhist/core/descriptors.hpp>

#include <cstddef>
#include <vector>

#include <opencv2/core/mat.hpp>
#include <opencv2/core/types.hpp>

namespace bowhist {

/// The finite rows, at most `max_descriptors` of them (0: all): the strongest by response, of equal
/// ones the earlier detected. They stay in the order of detection.
Descriptors select_rows(const cv::Mat &rows, const std::vector<cv::KeyPoint> &keypoints,
                        std::size_t max_descriptors);

} // namespace bowhist
