#include "tests/support/levels.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/gaussian_filter.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// A picture on the host; border pixels go on for ever.
struct Picture {
    std::size_t width;
    std::size_t height;
    std::vector<float> pixels;

    float at(std::size_t x, std::size_t y) const { return pixels[y * width + x]; }
};

Picture random_picture(std::size_t width, std::size_t height, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> uniform;
    Picture picture{width, height, std::vector<float>(width * height)};
    for (float &pixel : picture.pixels) pixel = uniform(engine);
    return picture;
}

/// The line, convolved in float64 with what `kernel` says of each distance from 0 to `reach`.
std::vector<double> convolved(const std::vector<double> &line, const std::vector<double> &kernel) {
    const auto last = static_cast<long>(line.size()) - 1;
    std::vector<double> result(line.size());
    for (long i = 0; i <= last; ++i) {
        double sum = kernel[0] * line[static_cast<std::size_t>(i)];
        for (long d = 1; d < static_cast<long>(kernel.size()); ++d)
            sum += kernel[static_cast<std::size_t>(d)] *
                   (line[static_cast<std::size_t>(std::max(i - d, 0L))] +
                    line[static_cast<std::size_t>(std::min(i + d, last))]);
        result[static_cast<std::size_t>(i)] = sum;
    }
    return result;
}

std::vector<double> sampled(double sigma, const std::function<double(double)> &response,
                            bool normalise) {
    std::vector<double> kernel;
    for (double d = 0; d <= 12 * sigma + 4; ++d) kernel.push_back(response(d));
    double sum = kernel[0];
    for (std::size_t d = 1; d < kernel.size(); ++d) sum += 2 * kernel[d];
    if (normalise)
        for (double &value : kernel) value /= sum;
    return kernel;
}

/// The true Gaussian, sampled until nothing of it is left.
std::vector<double> true_gaussian(double sigma) {
    return sampled(
        sigma, [&](double d) { return std::exp(-d * d / (2 * sigma * sigma)); }, true);
}

/// What the filter answers on paper.
std::vector<double> recursive_gaussian(double sigma) {
    const GaussianFilter filter = gaussian_filter(sigma);
    return sampled(
        sigma, [&](double d) { return filter.response(d); }, false);
}

std::vector<double> blurred(const Picture &picture, const std::vector<double> &kernel) {
    std::vector<double> values(picture.pixels.begin(), picture.pixels.end());
    const auto along = [&](std::size_t lines, std::size_t length, std::size_t line_step,
                           std::size_t step) {
        std::vector<double> line(length);
        for (std::size_t l = 0; l < lines; ++l) {
            for (std::size_t i = 0; i < length; ++i) line[i] = values[l * line_step + i * step];
            line = convolved(line, kernel);
            for (std::size_t i = 0; i < length; ++i) values[l * line_step + i * step] = line[i];
        }
    };
    along(picture.height, picture.width, picture.width, 1);
    along(picture.width, picture.height, 1, picture.width);
    return values;
}

struct Pitches {
    std::size_t in = 0;
    std::size_t out = 0;
};

/// The pictures, all of one size, through the device in one batch. Padding holds NaN, which would
/// show if it were ever taken for a pixel.
std::vector<Picture> on_device(Device &device, const std::vector<Picture> &pictures, double sigma,
                               const GaussianOptions &options, Pitches pitches = {}) {
    const std::size_t width = pictures[0].width;
    const std::size_t height = pictures[0].height;
    const auto in = allocate_images<float>(device, width, height, pictures.size(), pitches.in);
    const auto out = allocate_images<float>(device, width, height, pictures.size(), pitches.out);
    std::vector<float> laid(in.elements(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t p = 0; p < pictures.size(); ++p)
        for (std::size_t y = 0; y < height; ++y)
            std::copy_n(pictures[p].pixels.begin() + static_cast<long>(y * width), width,
                        laid.begin() + static_cast<long>((p * height + y) * in.pitch));
    device.upload<float>(in.pixels, laid);
    device.fill(out.pixels, std::numeric_limits<float>::quiet_NaN(), out.elements());
    GaussianScratch scratch;
    gaussian_blur(device, in, sigma, out, scratch, options);
    std::vector<float> result(out.elements());
    device.download(std::span(result), out.pixels);
    std::vector<Picture> blurs(pictures.size(), {width, height, {}});
    for (std::size_t p = 0; p < pictures.size(); ++p)
        for (std::size_t y = 0; y < height; ++y) {
            const auto row = result.begin() + static_cast<long>((p * height + y) * out.pitch);
            blurs[p].pixels.insert(blurs[p].pixels.end(), row, row + static_cast<long>(width));
        }
    return blurs;
}

Picture on_device(Device &device, const Picture &picture, double sigma,
                  const GaussianOptions &options) {
    return on_device(device, std::vector{picture}, sigma, options).front();
}

/// The greatest difference; infinite where a number is none.
template <typename A, typename B>
double difference(const std::vector<A> &a, const std::vector<B> &b) {
    REQUIRE(a.size() == b.size());
    double greatest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        greatest = std::max(greatest, std::isnan(apart) ? INFINITY : apart);
    }
    return greatest;
}

Picture mirrored(const Picture &picture, bool across, bool down) {
    Picture result = picture;
    for (std::size_t y = 0; y < picture.height; ++y)
        for (std::size_t x = 0; x < picture.width; ++x)
            result.pixels[y * picture.width + x] =
                picture.at(across ? picture.width - 1 - x : x, down ? picture.height - 1 - y : y);
    return result;
}

constexpr double sigmas[] = {0.5, 0.7, 1, 1.5, 2, 4, 8, 16, 32};

} // namespace

TEST_CASE("gaussian: the filter is the Gaussian but for a thousandth", "[gaussian]") {
    for (const double sigma : {0.5, 0.6, 0.8, 1., 1.3, 2., 4., 8., 16., 32., 128., 1000.}) {
        INFO("sigma " << sigma);
        const auto filter = recursive_gaussian(sigma);
        const auto gaussian = true_gaussian(sigma);
        double apart = std::abs(filter[0] - gaussian[0]);
        double sum = filter[0];
        for (std::size_t d = 1; d < filter.size(); ++d) {
            apart += 2 * std::abs(filter[d] - gaussian[d]);
            sum += 2 * filter[d];
        }
        CHECK(sum == Approx(1).margin(1e-7));
        CHECK(apart < 1e-3); // so no line of range 1 can be off by more than half of it
    }
}

TEST_CASE("gaussian: a sigma out of range is refused, and the range named", "[gaussian]") {
    for (const double sigma : {0., 0.49, -1., 10001., HUGE_VAL, std::nan("")})
        CHECK_THROWS_WITH(gaussian_filter(sigma), Catch::Contains("0.5 … 10000"));
    CHECK_NOTHROW(gaussian_filter(0.5));
    CHECK_NOTHROW(gaussian_filter(10000));
}

TEST_CASE("gaussian: every shape at every sigma, against float64", "[gaussian]") {
    const Picture picture = random_picture(131, 70, 1);
    for (const double sigma : sigmas) {
        const auto on_paper = blurred(picture, recursive_gaussian(sigma));
        const auto truth = blurred(picture, true_gaussian(sigma));
        for (const GaussianShape &shape : gaussian_shapes()) {
            INFO(shape.id << ", sigma " << sigma);
            const Picture blur = on_device(*shared_device(), picture, sigma, {shape});
            CHECK(difference(blur.pixels, on_paper) < 2e-6);
            CHECK(difference(blur.pixels, truth) < 1e-3);
        }
    }
}

TEST_CASE("gaussian: the picture that the filter answers worst to", "[gaussian]") {
    // White where the filter answers more than the Gaussian, black where it answers less.
    for (const double sigma : sigmas) {
        const auto filter = recursive_gaussian(sigma);
        const auto gaussian = true_gaussian(sigma);
        const auto reach = std::min<std::size_t>(filter.size() - 1, 150);
        Picture worst{2 * reach + 1, 2 * reach + 1, {}};
        for (std::size_t y = 0; y < worst.height; ++y)
            for (std::size_t x = 0; x < worst.width; ++x) {
                const auto from = [&](std::size_t place) {
                    return place < reach ? reach - place : place - reach;
                };
                worst.pixels.push_back(filter[from(x)] * filter[from(y)] >
                                               gaussian[from(x)] * gaussian[from(y)]
                                           ? 1.0F
                                           : 0.0F);
            }
        const auto truth = blurred(worst, gaussian);
        const Picture blur = on_device(*shared_device(), worst, sigma, {});
        INFO("sigma " << sigma);
        CHECK(difference(blur.pixels, truth) < 1e-3);
    }
}

TEST_CASE("gaussian: any size, pitch and number of pictures", "[gaussian]") {
    const auto kernel = recursive_gaussian(2);
    for (const std::size_t width : {1, 15, 16, 17, 63, 64, 65, 1000})
        for (const std::size_t height : {1, 16, 17, 65}) {
            const std::vector<Picture> pictures = {random_picture(width, height, 1),
                                                   random_picture(width, height, 2),
                                                   random_picture(width, height, 3)};
            const auto expected = blurred(pictures[1], kernel);
            for (const GaussianShape &shape : gaussian_shapes())
                for (const Pitches pitches :
                     {Pitches{}, Pitches{width + 3, width + 1},
                      Pitches{(width + 31) / 32 * 32, (width + 15) / 16 * 16}}) {
                    INFO(shape.id << ", " << width << "×" << height << ", pitches " << pitches.in
                                  << " and " << pitches.out);
                    const auto blurs = on_device(*shared_device(), pictures, 2, {shape}, pitches);
                    CHECK(difference(blurs[1].pixels, expected) < 2e-6);
                }
        }
    const auto tall = random_picture(17, 1000, 4);
    for (const GaussianShape &shape : gaussian_shapes())
        CHECK(difference(on_device(*shared_device(), tall, 2, {shape}).pixels,
                         blurred(tall, kernel)) < 2e-6);
}

TEST_CASE("gaussian: a mirrored picture has the mirrored blur", "[gaussian]") {
    const Picture picture = random_picture(100, 83, 5);
    for (const GaussianShape &shape : gaussian_shapes())
        for (const double sigma : {0.5, 3., 32.}) {
            INFO(shape.id << ", sigma " << sigma);
            const auto blur = on_device(*shared_device(), picture, sigma, {shape});
            for (const auto &[across, down] : {std::pair{true, false}, {false, true}}) {
                const auto other =
                    on_device(*shared_device(), mirrored(picture, across, down), sigma, {shape});
                CHECK(difference(mirrored(other, across, down).pixels, blur.pixels) < 1e-6);
            }
        }
}

TEST_CASE("gaussian: a pixel's answer is symmetric, a constant picture keeps its value",
          "[gaussian]") {
    Picture dot{129, 129, std::vector<float>(129 * 129)};
    dot.pixels[64 * 129 + 64] = 1;
    const Picture flat{65, 130, std::vector<float>(65 * 130, 0.75F)};
    for (const GaussianShape &shape : gaussian_shapes())
        for (const double sigma : {0.5, 5., 32., 1000.}) {
            INFO(shape.id << ", sigma " << sigma);
            const auto answer = on_device(*shared_device(), dot, sigma, {shape});
            CHECK(difference(mirrored(answer, true, true).pixels, answer.pixels) <
                  1e-6 * answer.at(64, 64));
            const auto still = on_device(*shared_device(), flat, sigma, {shape});
            CHECK(difference(still.pixels, flat.pixels) < 1e-6 * std::max(1., sigma / 10));
        }
}

TEST_CASE("gaussian: columns cut into segments give the same blur", "[gaussian]") {
    const Picture picture = random_picture(1000, 65, 6);
    for (const double sigma : {0.5, 4., 32.}) {
        const auto expected = blurred(picture, recursive_gaussian(sigma));
        for (const GaussianShape &shape : gaussian_shapes())
            for (const std::size_t segment_rows : {32, 64, 96, 2048}) {
                INFO(shape.id << ", sigma " << sigma << ", segments of " << segment_rows);
                const std::vector<Picture> pictures(2, picture);
                const auto blurs =
                    on_device(*shared_device(), pictures, sigma, {shape, segment_rows});
                CHECK(difference(blurs[0].pixels, expected) < 2e-6);
                CHECK(difference(blurs[1].pixels, expected) < 2e-6);
            }
    }
}

TEST_CASE("gaussian: a device with little of everything", "[gaussian]") {
    const auto small = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 1024;
    });
    const Picture picture = random_picture(67, 45, 7);
    const auto expected = blurred(picture, recursive_gaussian(1.5));
    for (const GaussianShape &shape : gaussian_shapes())
        for (const std::size_t segment_rows : {0, 32}) {
            INFO(shape.id);
            const auto blur = on_device(*small, picture, 1.5, {shape, segment_rows});
            CHECK(difference(blur.pixels, expected) < 2e-6);
        }
}

TEST_CASE("gaussian: no pixels, and a result of another size", "[gaussian]") {
    Device &device = *shared_device();
    GaussianScratch scratch;
    device.take_launches();
    gaussian_blur(device, allocate_images<float>(device, 0, 5), 2,
                  allocate_images<float>(device, 0, 5), scratch);
    CHECK(device.take_launches().kernels.empty());
    CHECK_THROWS_AS(gaussian_blur(device, allocate_images<float>(device, 4, 5), 2,
                                  allocate_images<float>(device, 5, 4), scratch),
                    Error);
}

TEST_CASE("gaussian: scratch grows from small to large pictures", "[gaussian]") {
    Device &device = *shared_device();
    GaussianScratch scratch;
    for (const GaussianShape &shape : gaussian_shapes())
        for (const std::size_t side : {5, 100, 20}) {
            const Picture picture = random_picture(side, side, 8);
            const auto in = allocate_images<float>(device, side, side);
            const auto out = allocate_images<float>(device, side, side);
            device.upload<float>(in.pixels, picture.pixels);
            gaussian_blur(device, in, 1, out, scratch, {shape});
            std::vector<float> blur(side * side);
            device.download(std::span(blur), out.pixels);
            CHECK(difference(blur, blurred(picture, recursive_gaussian(1))) < 2e-6);
        }
}
