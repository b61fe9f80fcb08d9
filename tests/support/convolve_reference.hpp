#pragma once

#include "tests/support/padded_pictures.hpp"

#include <bowhist/ops/convolve.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

// The convolution in float64, and the library's beside it.

namespace bowhist::testing {

/// Of a batch of images.
struct BatchSize {
    std::size_t width;
    std::size_t height;
    std::size_t count;
};

/// The definition, in float64, and the sum of |weight × pixel| that errors are measured by.
struct Reference {
    std::vector<double> values;
    std::vector<double> magnitudes;
};

/// Unlike the library's: walks to the place, step by step.
inline long place_of(long place, long size, Border border) {
    if (border == Border::zero) return place < 0 || place >= size ? -1 : place;
    if (border == Border::replicate) return std::min(std::max(place, 0L), size - 1);
    if (size == 1) return 0;
    const long period = 2 * (size - 1);
    const long phase = ((place % period) + period) % period;
    return phase < size ? phase : period - phase;
}

inline Reference convolved(const std::vector<float> &pixels, const BatchSize &size,
                           const Filter &filter, Border border) {
    Reference result;
    const auto width = static_cast<long>(size.width), height = static_cast<long>(size.height);
    const auto filter_width = static_cast<long>(filter.width);
    const auto filter_height = static_cast<long>(filter.height);
    for (long image = 0; image < static_cast<long>(size.count); ++image)
        for (long y = 0; y < height; ++y)
            for (long x = 0; x < width; ++x) {
                double value = 0, magnitude = 0;
                for (long j = 0; j < filter_height; ++j)
                    for (long i = 0; i < filter_width; ++i) {
                        const long column = place_of(x + i - filter_width / 2, width, border);
                        const long row = place_of(y + j - filter_height / 2, height, border);
                        if (column < 0 || row < 0) continue;
                        const double term =
                            static_cast<double>(
                                filter.weights[static_cast<std::size_t>(j * filter_width + i)]) *
                            pixels[static_cast<std::size_t>((image * height + row) * width +
                                                            column)];
                        value += term;
                        magnitude += std::abs(term);
                    }
                result.values.push_back(value);
                result.magnitudes.push_back(magnitude);
            }
    return result;
}

inline void require_close(const std::vector<float> &found, const Reference &expected) {
    REQUIRE(found.size() == expected.values.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double error = std::abs(found[i] - expected.values[i]);
        if (!(error <= 1e-5 * expected.magnitudes[i])) ++wrong; // NaN is wrong, too
    }
    REQUIRE(wrong == 0);
}

/// Neither symmetric nor separable: a flip, a transposition or a wrong row would show.
inline Filter random_filter(std::size_t width, std::size_t height, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    Filter filter{width, height, std::vector<float>(width * height)};
    for (float &weight : filter.weights) weight = normal(engine);
    return filter;
}

inline SeparableFilter random_factors(std::size_t width, std::size_t height, unsigned seed) {
    return {random_filter(width, 1, seed).weights, random_filter(1, height, seed + 1).weights};
}

inline const std::vector<Border> borders = {Border::zero, Border::replicate, Border::reflect};

/// Whether what `convolve_into` makes of noise is the definition.
template <typename Convolve>
void check_convolution(Device &device, const BatchSize &size, const Filter &filter, Border border,
                       std::size_t padding, Convolve convolve_into) {
    INFO(size.count << " of " << size.width << "×" << size.height << ", filter " << filter.width
                    << "×" << filter.height << ", border " << static_cast<int>(border)
                    << ", padding " << padding);
    const auto pixels = random_brightness(size.width, size.height, size.count, 1);
    const auto in = upload_padded(device, pixels, size.width, size.height, size.count, padding);
    const auto out = allocate_images<float>(device, size.width, size.height, size.count,
                                            size.width + 2 * padding);
    convolve_into(in, out);
    require_close(download_pixels(device, out), convolved(pixels, size, filter, border));
}

inline void check_method(Device &device, ConvolveMethod method, const BatchSize &size,
                         const Filter &filter, Border border, std::size_t padding,
                         const ConvolveOptions &given = {}) {
    INFO(name_of(method));
    ConvolveOptions options = given;
    options.method = method;
    options.border = border;
    check_convolution(device, size, filter, border, padding, [&](const auto &in, const auto &out) {
        convolve(device, in, out, filter, options);
    });
}

} // namespace bowhist::testing
