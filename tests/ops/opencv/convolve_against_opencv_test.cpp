#include "tests/support/levels.hpp"
#include "tests/support/padded_pictures.hpp"

#include <bowhist/ops/convolve_separable.hpp>
#include <bowhist/ops/named_filter.hpp>

#include <catch2/catch.hpp>
#include <opencv2/imgproc.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr std::size_t width = 131;
constexpr std::size_t height = 70;

const std::vector<std::pair<Border, int>> borders = {{Border::zero, cv::BORDER_CONSTANT},
                                                     {Border::replicate, cv::BORDER_REPLICATE},
                                                     {Border::reflect, cv::BORDER_REFLECT_101}};

cv::Mat mat_of(const std::vector<float> &values, std::size_t columns) {
    return cv::Mat(values, true).reshape(1, static_cast<int>(values.size() / columns));
}

/// Convolved by us and, into `theirs`, by OpenCV: equal to `tolerance` of the largest answer.
template <typename Ours, typename Theirs>
void require_like_opencv(double tolerance, Ours ours, Theirs theirs) {
    Device &device = *shared_device();
    const auto pixels = random_brightness(width, height, 1, 4);
    const auto in = upload_padded(device, pixels, width, height, 1);
    const auto out = allocate_images<float>(device, width, height);
    ours(device, in, out);
    cv::Mat expected;
    theirs(mat_of(pixels, width), expected);
    const cv::Mat found = mat_of(download_pixels(device, out), width);
    REQUIRE(found.size() == expected.size());
    CHECK(cv::norm(found, expected, cv::NORM_INF) <= tolerance * cv::norm(expected, cv::NORM_INF));
}

} // namespace

TEST_CASE("convolve: like OpenCV's filter2D") {
    for (const char *name : {"sobel-x", "scharr-y", "laplacian", "sharpen", "box:5"})
        for (const auto &[border, their_border] : borders) {
            INFO(name << ", border " << static_cast<int>(border));
            const Filter filter = *named_filter(name);
            require_like_opencv(
                1e-5,
                [&, border = border](Device &device, const auto &in, const auto &out) {
                    convolve(device, in, out, filter, {.border = border});
                },
                [&, their_border = their_border](const cv::Mat &in, cv::Mat &out) {
                    cv::filter2D(in, out, CV_32F, mat_of(filter.weights, filter.width), {-1, -1}, 0,
                                 their_border);
                });
        }
}

TEST_CASE("convolve: like OpenCV's sepFilter2D") {
    const SeparableFilter filter{{1, -2, 0.5F, 3, 1}, {0.25F, 1, -1}};
    for (const auto &[border, their_border] : borders)
        require_like_opencv(
            1e-5,
            [&, border = border](Device &device, const auto &in, const auto &out) {
                convolve_separable(device, in, out, filter, {.border = border});
            },
            [&, their_border = their_border](const cv::Mat &in, cv::Mat &out) {
                cv::sepFilter2D(in, out, CV_32F, filter.across, filter.down, {-1, -1}, 0,
                                their_border);
            });
}

TEST_CASE("convolve: like OpenCV's GaussianBlur") {
    for (const auto &[size, sigma] : {std::pair<int, double>{3, 0.8}, {13, 2}, {31, 5}}) {
        const auto weights = gaussian_weights(static_cast<std::size_t>(size), sigma);
        require_like_opencv(
            1e-5,
            [&](Device &device, const auto &in, const auto &out) {
                convolve_separable(device, in, out, {weights, weights});
            },
            [size = size, sigma = sigma](const cv::Mat &in, cv::Mat &out) {
                cv::GaussianBlur(in, out, {size, size}, sigma, sigma, cv::BORDER_REFLECT_101);
            });
    }
}
