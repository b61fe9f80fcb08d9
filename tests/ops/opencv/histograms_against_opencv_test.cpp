#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/integral.hpp>

#include <catch2/catch.hpp>
#include <opencv2/imgproc.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// The levels of a dim photograph: a bell around a quarter, so that roundings matter.
std::vector<std::uint8_t> dim_pixels(std::size_t size) {
    std::mt19937 engine(size);
    std::normal_distribution<float> level(64, 20);
    std::vector<std::uint8_t> pixels(size);
    for (std::uint8_t &pixel : pixels)
        pixel = static_cast<std::uint8_t>(std::clamp(level(engine), 3.0F, 255.0F));
    return pixels;
}

/// The same bytes as OpenCV sees them; they belong to `values`.
template <typename T>
cv::Mat view(std::vector<T> &values, const DeviceImages<T> &images, int type) {
    return cv::Mat(static_cast<int>(images.rows()), static_cast<int>(images.width), type,
                   values.data(), images.pitch * sizeof(T));
}

bool equal(const cv::Mat &a, const cv::Mat &b) {
    return a.size() == b.size() && cv::norm(a, b, cv::NORM_INF) == 0;
}

} // namespace

TEST_CASE("equalize: bit for bit OpenCV's equalizeHist") {
    Device &device = *shared_device();
    for (const HistogramMethod method : {HistogramMethod::local_copies, HistogramMethod::serial})
        for (const std::size_t width : {1, 16, 17, 640, 1001})
            for (const std::size_t height : {1, 480}) {
                INFO(width << "×" << height << ", " << name_of(method));
                auto pixels = dim_pixels(width * height);
                const auto in = upload_images(device, pixels, width, height, 1, width);
                const auto out = allocate_images<std::uint8_t>(device, width, height);
                equalize(device, in, out, method);
                auto found = downloaded(device, out.pixels);
                cv::Mat expected;
                cv::equalizeHist(view(pixels, in, CV_8U), expected);
                CHECK(equal(view(found, out, CV_8U), expected));
            }
}

TEST_CASE("integral: OpenCV's integral") {
    Device &device = *shared_device();
    for (const IntegralMethod method : integral_methods)
        for (const std::size_t width : {1, 16, 17, 640, 1001})
            for (const std::size_t height : {1, 480}) {
                INFO(width << "×" << height << ", " << name_of(method));
                auto pixels = dim_pixels(width * height);
                const auto in = upload_images(device, pixels, width, height, 1, width);
                const auto sums = allocate_images<std::uint32_t>(device, width + 1, height + 1);
                integral(device, in, sums, method);
                auto found = downloaded(device, sums.pixels);
                cv::Mat expected;
                cv::integral(view(pixels, in, CV_8U), expected, CV_32S);
                CHECK(equal(view(found, sums, CV_32S), expected));
            }
}
