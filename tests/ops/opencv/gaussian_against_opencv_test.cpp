#include "tests/support/levels.hpp"

#include <bowhist/ops/gaussian.hpp>

#include <catch2/catch.hpp>
#include <opencv2/imgproc.hpp>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("gaussian: OpenCV's blur, borders included", "[gaussian]") {
    Device &device = *shared_device();
    cv::Mat image(120, 203, CV_32F);
    cv::RNG(1).fill(image, cv::RNG::UNIFORM, 0, 1);
    const auto in = allocate_images<float>(device, 203, 120);
    const auto out = allocate_images<float>(device, 203, 120);
    device.upload<float>(in.pixels, {image.ptr<float>(), in.elements()});
    GaussianScratch scratch;
    for (const double sigma : {0.5, 1., 2.5, 8., 32.}) {
        INFO("sigma " << sigma);
        gaussian_blur(device, in, sigma, out, scratch);
        cv::Mat ours(120, 203, CV_32F);
        device.download(std::span(ours.ptr<float>(), out.elements()), out.pixels);
        // Wider than OpenCV's own choice, which cuts the Gaussian off at four sigma.
        const int width = 2 * static_cast<int>(6 * sigma) + 1;
        cv::Mat theirs;
        cv::GaussianBlur(image, theirs, {width, width}, sigma, sigma, cv::BORDER_REPLICATE);
        CHECK(cv::norm(ours, theirs, cv::NORM_INF) < 1e-3);
        cv::GaussianBlur(image, theirs, {}, sigma, sigma, cv::BORDER_REPLICATE);
        CHECK(cv::norm(ours, theirs, cv::NORM_INF) < 2e-3);
    }
}
