#include "tests/support/levels.hpp"
#include "tests/support/padded_pictures.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/ops/convolve_separable.hpp>
#include <bowhist/ops/equalize.hpp>
#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/integral.hpp>
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
