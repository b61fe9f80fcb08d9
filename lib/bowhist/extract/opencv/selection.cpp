#include <bowhist/extract/opencv/selection.hpp>
#include <bowhist/extract/spread.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace bowhist {
namespace {

/// OpenCV's size is a diameter; its angle is in degrees, or -1.
Keypoint as_keypoint(const cv::KeyPoint &keypoint) {
    const float angle = keypoint.angle < 0 ? 0 : keypoint.angle;
    return {.x = keypoint.pt.x,
            .y = keypoint.pt.y,
            .scale = keypoint.size / 2,
            .orientation = angle * std::numbers::pi_v<float> / 180,
            .response = keypoint.response};
}

} // namespace

Descriptors select_rows(const cv::Mat &rows, const std::vector<cv::KeyPoint> &keypoints,
                        const Recipe &recipe, int width, int height) {
    Descriptors finite{static_cast<std::size_t>(rows.cols), {}};
    for (int i = 0; i < rows.rows; ++i) {
        const auto *row = rows.ptr<float>(i);
        if (!std::all_of(row, row + rows.cols, [](float x) { return std::isfinite(x); })) continue;
        finite.values.insert(finite.values.end(), row, row + rows.cols);
        finite.keypoints.push_back(as_keypoint(keypoints[static_cast<std::size_t>(i)]));
    }
    return keep(std::move(finite), recipe, width, height);
}

} // namespace bowhist
