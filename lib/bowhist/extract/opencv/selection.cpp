#include <bowhist/extract/opencv/selection.hpp>

#include <algorithm>
#include <cmath>

namespace bowhist {

Descriptors select_rows(const cv::Mat &rows, const std::vector<cv::KeyPoint> &keypoints,
                        std::size_t max_descriptors) {
    std::vector<int> chosen;
    for (int i = 0; i < rows.rows; ++i) {
        const auto *row = rows.ptr<float>(i);
        if (std::all_of(row, row + rows.cols, [](float x) { return std::isfinite(x); }))
            chosen.push_back(i);
    }
    if (max_descriptors > 0 && chosen.size() > max_descriptors) {
        std::ranges::stable_sort(chosen, std::ranges::greater{}, [&](int i) {
            return keypoints[static_cast<std::size_t>(i)].response;
        });
        chosen.resize(max_descriptors);
        std::ranges::sort(chosen);
    }
    Descriptors result{.dimensions = static_cast<std::size_t>(rows.cols), .values = {}};
    result.values.reserve(chosen.size() * result.dimensions);
    for (const int i : chosen) {
        const auto *row = rows.ptr<float>(i);
        result.values.insert(result.values.end(), row, row + rows.cols);
    }
    return result;
}

} // namespace bowhist
