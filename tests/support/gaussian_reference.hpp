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

/// A picture on the host; border pixels go on for ever.
struct Picture {
    std::size_t width;
    std::size_t height;
    std::vector<float> pixels;

    float at(std::size_t x, std::size_t y) const { return pixels[y * width + x]; }
};

inline Picture random_picture(std::size_t width, std::size_t height, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> uniform;
    Picture picture{width, height, std::vector<float>(width * height)};
    for (float &pixel : picture.pixels) pixel = uniform(engine);
    return picture;
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

inline std::vector<double> blurred(const Picture &picture, const std::vector<double> &kernel) {
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

/// The pictures, all of one size, through the device in one batch.
inline std::vector<Picture> on_device(Device &device, const std::vector<Picture> &pictures,
                                      double sigma, const GaussianOptions &options,
                                      Pitches pitches = {}) {
    const auto [width, height, first] = pictures[0];
    std::vector<float> pixels;
    for (const Picture &picture : pictures)
        pixels.insert(pixels.end(), picture.pixels.begin(), picture.pixels.end());
    const std::size_t padding = pitches.in == 0 ? 0 : pitches.in - width;
    const auto in = upload_padded(device, pixels, width, height, pictures.size(), padding);
    const auto out = allocate_images<float>(device, width, height, pictures.size(), pitches.out);
    device.fill(out.pixels, std::numeric_limits<float>::quiet_NaN(), out.elements());
    GaussianScratch scratch;
    gaussian_blur(device, in, sigma, out, scratch, options);
    const std::vector<float> blurred = download_pixels(device, out);
    std::vector<Picture> blurs;
    for (auto at = blurred.begin(); at != blurred.end(); at += static_cast<long>(first.size()))
        blurs.push_back({width, height, {at, at + static_cast<long>(first.size())}});
    return blurs;
}

inline Picture on_device(Device &device, const Picture &picture, double sigma,
                         const GaussianOptions &options) {
    return on_device(device, std::vector{picture}, sigma, options).front();
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

inline Picture mirrored(const Picture &picture, bool across, bool down) {
    Picture result = picture;
    for (std::size_t y = 0; y < picture.height; ++y)
        for (std::size_t x = 0; x < picture.width; ++x)
            result.pixels[y * picture.width + x] =
                picture.at(across ? picture.width - 1 - x : x, down ? picture.height - 1 - y : y);
    return result;
}

} // namespace bowhist::testing
