#pragma once

#include "tests/extract/reference_greys.hpp"

#include <bowhist/extract/dense/dense_grid.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <cmath>

namespace bowhist::testing {

/// dx, |dx|, dy, |dy| under a tent.
inline std::array<double, 4> cell_sums(const ReferenceGreys &greys, const Image &image,
                                       int middle_x, int middle_y, int cell) {
    std::array<double, 4> sums{};
    for (int y = std::max(0, middle_y - cell); y < std::min(image.height, middle_y + cell); ++y)
        for (int x = std::max(0, middle_x - cell); x < std::min(image.width, middle_x + cell);
             ++x) {
            const double weight = (cell - std::abs(x - middle_x)) * (cell - std::abs(y - middle_y));
            const auto dx = static_cast<double>(greys.at(x + 1, y) - greys.at(x - 1, y));
            const auto dy = static_cast<double>(greys.at(x, y + 1) - greys.at(x, y - 1));
            sums[0] += weight * dx;
            sums[1] += weight * std::abs(dx);
            sums[2] += weight * dy;
            sums[3] += weight * std::abs(dy);
        }
    return sums;
}

/// The sums scaled to unit length, in float32, as the page says; nothing of a flat patch.
inline std::vector<float> scaled(const std::vector<double> &sums, double least) {
    std::array<float, 64> squares{};
    for (std::size_t i = 0; i < 64; ++i) {
        const auto sum = static_cast<float>(sums[i]);
        squares[i] = sum * sum;
    }
    for (std::size_t apart = 4; apart < 64; apart *= 2)
        for (std::size_t i = 0; i < 64; i += 2 * apart)
            for (std::size_t channel = i; channel < i + 4; ++channel)
                squares[channel] = squares[channel] + squares[channel + apart];
    const float square = (squares[0] + squares[1]) + (squares[2] + squares[3]);
    if (square < static_cast<float>(least * least)) return {};
    float root = std::bit_cast<float>(0x5F3759DF - std::bit_cast<int>(square) / 2);
    for (int round = 0; round < 3; ++round) root = root * (1.5F - (0.5F * square * root) * root);
    CHECK(root == Approx(1 / std::sqrt(static_cast<double>(square))).epsilon(3e-7));
    std::vector<float> values;
    for (const double sum : sums) values.push_back(static_cast<float>(sum) * root);
    return values;
}

/// Of an image, dense descriptors straight from their definition (docs/descriptors.md).
inline std::vector<float> reference(const Image &image, const std::vector<int> &sizes, int step,
                                    double threshold) {
    std::vector<float> descriptors;
    for (const int size : sizes) {
        const int cell = size / 4;
        const PatchShape shape{size};
        ReferenceGreys greys(image);
        greys.smooth(std::clamp((cell * cell + 9) / 18, 1, 4));
        greys.round_to(shape.fraction_bits());
        const double unit = std::pow(cell, 4) * 2 * std::exp2(shape.fraction_bits());
        const int margin_x = (image.width - size) % step / 2;
        const int margin_y = (image.height - size) % step / 2;
        for (int top = margin_y; top + size <= image.height; top += step)
            for (int left = margin_x; left + size <= image.width; left += step) {
                std::vector<double> sums;
                for (int i = 0; i < 16; ++i) {
                    const auto cell_s = cell_sums(greys, image, left + cell / 2 + i % 4 * cell,
                                                  top + cell / 2 + i / 4 * cell, cell);
                    sums.insert(sums.end(), cell_s.begin(), cell_s.end());
                }
                const auto values = scaled(sums, threshold * unit);
                descriptors.insert(descriptors.end(), values.begin(), values.end());
            }
    }
    return descriptors;
}

} // namespace bowhist::testing
