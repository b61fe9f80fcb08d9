#pragma once

#include <bowhist/core/image.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace bowhist {

/// Blobs of all sizes and a little noise.
inline Image blobs(int width, int height, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<double> greys(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                              128);
    const auto draw = [&](double from, double to) {
        return from + (to - from) * random() / 4294967296.0;
    };
    for (int blob = 0; blob < width * height / 150; ++blob) {
        const double x = draw(0, width);
        const double y = draw(0, height);
        const double wide = std::exp(draw(0.3, 2.5));
        const double high = wide * draw(0.6, 1.5);
        const double strength = draw(-120, 120);
        for (int j = std::max(0, static_cast<int>(y - 3 * high));
             j < std::min<double>(height, y + 3 * high); ++j)
            for (int i = std::max(0, static_cast<int>(x - 3 * wide));
                 i < std::min<double>(width, x + 3 * wide); ++i)
                greys[static_cast<std::size_t>(j) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(i)] +=
                    strength * std::exp(-std::pow((i - x) / wide, 2) - std::pow((j - y) / high, 2));
    }
    Image image{width, height, {}};
    for (const double grey : greys)
        image.pixels.push_back(
            static_cast<std::uint8_t>(std::clamp(grey + draw(-2, 2), 0.0, 255.0)));
    return image;
}

} // namespace bowhist
