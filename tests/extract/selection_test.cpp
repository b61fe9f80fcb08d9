#include <bowhist/extract/opencv/selection.hpp>

#include <catch2/catch.hpp>

#include <limits>

using namespace bowhist;

namespace {

/// Rows of one float, their own numbers, with these responses.
Descriptors select(const std::vector<float> &responses, std::size_t max_descriptors) {
    cv::Mat rows(static_cast<int>(responses.size()), 1, CV_32F);
    std::vector<cv::KeyPoint> keypoints;
    for (int i = 0; i < rows.rows; ++i) {
        rows.at<float>(i, 0) = static_cast<float>(i);
        keypoints.emplace_back(0.F, 0.F, 1.F, -1.F, responses[static_cast<std::size_t>(i)]);
    }
    return select_rows(rows, keypoints, max_descriptors);
}

} // namespace

TEST_CASE("extract: The strongest are kept, in the order of detection") {
    const std::vector<float> responses = {3, 1, 2, 5, 2, 2};
    CHECK(select(responses, 1).values == std::vector<float>{3});
    CHECK(select(responses, 2).values == std::vector<float>{0, 3});
    CHECK(select(responses, 3).values == std::vector<float>{0, 2, 3}); // of equal ones the earlier
    CHECK(select(responses, 4).values == std::vector<float>{0, 2, 3, 4});
    CHECK(select(responses, 6).values == std::vector<float>{0, 1, 2, 3, 4, 5});
    CHECK(select(responses, 0).size() == 6);
}

TEST_CASE("extract: Rows that are not finite are left out, and do not count") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const cv::Mat rows = (cv::Mat_<float>(4, 2) << 1, nan, 2, 3, -infinity, 4, 5, 6);
    const std::vector<cv::KeyPoint> keypoints(4);
    const auto chosen = select_rows(rows, keypoints, 2);
    CHECK(chosen.dimensions == 2);
    CHECK(chosen.values == std::vector<float>{2, 3, 5, 6});
}
