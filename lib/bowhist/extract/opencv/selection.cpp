#include <bowhist/extract/opencv/selection.hpp>
#include <bowhist/extract/strongest.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {

Descriptors select_rows(const cv::Mat &rows, const std::vector<cv::KeyPoint> &keypoints,
                        std::size_t max_descriptors) {
    std::vector<int> finite;
    std::vector<float> responses;
    for (int i = 0; i < rows.rows; ++i) {
        const auto *row = rows.ptr<float>(i);
        if (!std::all_of(row, row + rows.cols, [](float x) { return std::isfinite(x); })) continue;
        finite.push_back(i);
        responses.push_back(keypoints[static_cast<std::size_t>(i)].response);
    }
    const std::vector<std::size_t> chosen = strongest(responses, max_descriptors);
    Descriptors result{.dimensions = static_cast<std::size_t>(rows.cols), .values = {}};
    result.values.reserve(chosen.size() * result.dimensions);
    for (const std::size_t i : chosen) {
        const auto *row = rows.ptr<float>(finite[i]);
        result.values.insert(result.values.end(), row, row + rows.cols);
    }
    return result;
}

} // namespace bowhist
