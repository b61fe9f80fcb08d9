#pragma once

#include "tests/support/padded_pictures.hpp"

#include <bowhist/device/device.hpp>
#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/gaussian_filter.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

// Blurs in float64, and on a device, to be compared.

namespace bowhist::testing {

/// An image on the host; border pixels go on for ever.
struct TestImage {
    std::size_t width;
    std::size_t height;
    std::vector<float> pixels;

    float at(std::size_t x, std::size_t y) const { return pixels[y * width + x]; }
};

inline TestImage random_image(std::size_t width, std::size_t height, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> uniform;
    TestImage image{width, height, std::vector<float>(width * height)};
    for (float &pixel : image.pixels) pixel = uniform(engine);
    return image;
}

/// The line, convolved in float64 with what `kernel` says of each distance from 0 to `reach`.
inline std::vector<double> convolved(const std::vector<double> &line,
                                     const std::vector<double> &kernel) {
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

inline std::vector<double> sampled(double sigma, const std::function<double(double)> &response,
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
inline std::vector<double> true_gaussian(double sigma) {
    return sampled(
        sigma, [&](double d) { return std::exp(-d * d / (2 * sigma * sigma)); }, true);
}

/// What the filter answers on paper.
inline std::vector<double> recursive_gaussian(double sigma) {
    const GaussianFilter filter = gaussian_filter(sigma);
    return sampled(
        sigma, [&](double d) { return filter.response(d); }, false);
}

inline std::vector<double> blurred(const TestImage &image, const std::vector<double> &kernel) {
    std::vector<double> values(image.pixels.begin(), image.pixels.end());
    const auto along = [&](std::size_t lines, std::size_t length, std::size_t line_step,
                           std::size_t step) {
        std::vector<double> line(length);
        for (std::size_t l = 0; l < lines; ++l) {
            for (std::size_t i = 0; i < length; ++i) line[i] = values[l * line_step + i * step];
            line = convolved(line, kernel);
            for (std::size_t i = 0; i < length; ++i) values[l * line_step + i * step] = line[i];
        }
    };
    along(image.height, image.width, image.width, 1);
    along(image.width, image.height, 1, image.width);
    return values;
}

struct Pitches {
    std::size_t in = 0;
    std::size_t out = 0;
};

/// The images, all of one size, through the device in one batch.
inline std::vector<TestImage> on_device(Device &device, const std::vector<TestImage> &images,
                                        double sigma, const GaussianOptions &options,
                                        Pitches pitches = {}) {
    const auto [width, height, first] = images[0];
    std::vector<float> pixels;
    for (const TestImage &image : images)
        pixels.insert(pixels.end(), image.pixels.begin(), image.pixels.end());
    const std::size_t padding = pitches.in == 0 ? 0 : pitches.in - width;
    const auto in = upload_padded(device, pixels, width, height, images.size(), padding);
    const auto out = allocate_images<float>(device, width, height, images.size(), pitches.out);
    device.fill(out.pixels, std::numeric_limits<float>::quiet_NaN(), out.elements());
    GaussianScratch scratch;
    gaussian_blur(device, in, sigma, out, scratch, options);
    const std::vector<float> blurred = download_pixels(device, out);
    std::vector<TestImage> blurs;
    for (auto at = blurred.begin(); at != blurred.end(); at += static_cast<long>(first.size()))
        blurs.push_back({width, height, {at, at + static_cast<long>(first.size())}});
    return blurs;
}

inline TestImage on_device(Device &device, const TestImage &image, double sigma,
                           const GaussianOptions &options) {
    return on_device(device, std::vector{image}, sigma, options).front();
}

/// The greatest difference; infinite where a value is not a number.
template <typename A, typename B>
inline double difference(const std::vector<A> &a, const std::vector<B> &b) {
    REQUIRE(a.size() == b.size());
    double greatest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        greatest = std::max(greatest, std::isnan(apart) ? INFINITY : apart);
    }
    return greatest;
}

inline TestImage mirrored(const TestImage &image, bool across, bool down) {
    TestImage result = image;
    for (std::size_t y = 0; y < image.height; ++y)
        for (std::size_t x = 0; x < image.width; ++x)
            result.pixels[y * image.width + x] =
                image.at(across ? image.width - 1 - x : x, down ? image.height - 1 - y : y);
    return result;
}

} // namespace bowhist::testing
