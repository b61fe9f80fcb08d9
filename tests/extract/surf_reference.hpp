#pragma once

#include "tests/extract/reference_greys.hpp"

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/image.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace bowhist::testing {

/// SURF straight from its definition (docs/descriptors.md), in float64: an octave's image in
/// quarters of grey values.
class SurfReference {
  public:
    SurfReference(const Image &image, int octave) : greys_(image) {
        greys_.smooth(4);
        for (; octave > 0; --octave) {
            greys_.halve();
            greys_.smooth(2);
        }
        greys_.round_to(2);
    }

    int width() const { return greys_.width(); }
    int height() const { return greys_.height(); }

    /// Of pixels from left and top to right and bottom, both inclusive.
    double box(int left, int top, int right, int bottom) const {
        double sum = 0;
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x) sum += static_cast<double>(greys_.at(x, y));
        return sum;
    }

    bool fits(int x, int y, int lobe) const {
        const int reach = (3 * lobe - 1) / 2;
        return std::min(x, y) >= reach && x + reach < width() && y + reach < height();
    }

    double determinant(int x, int y, int lobe) const {
        const int third = (lobe - 1) / 2;
        const int reach = (3 * lobe - 1) / 2;
        const int apart = static_cast<int>(std::lround(((std::sqrt(2.0) - 1) * lobe + 1) / 2));
        const int far = apart + lobe - 1;
        const double area = 4 * lobe * (2 * lobe - 1); // in grey values
        const double xx = (box(x - reach, y - lobe + 1, x + reach, y + lobe - 1) -
                           3 * box(x - third, y - lobe + 1, x + third, y + lobe - 1)) /
                          area;
        const double yy = (box(x - lobe + 1, y - reach, x + lobe - 1, y + reach) -
                           3 * box(x - lobe + 1, y - third, x + lobe - 1, y + third)) /
                          area;
        const double xy = (box(x - far, y - far, x - apart, y - apart) +
                           box(x + apart, y + apart, x + far, y + far) -
                           box(x + apart, y - far, x + far, y - apart) -
                           box(x - far, y + apart, x - apart, y + far)) /
                          area;
        // of x² / 2 the first is lobe², of x y the last is distance² lobe / (2 lobe - 1)
        const double distance = lobe + 2 * apart - 1;
        return xx * yy - std::pow(lobe * (2 * lobe - 1) / (distance * distance), 2) * xy * xy;
    }

    /// The keypoint where a quadratic through the determinants of Gaussian derivatives around it
    /// has its top; of a thousandth of the response where it has none.
    Keypoint refined(const Keypoint &at) const {
        const double sigma = std::sqrt(std::pow(1.45 * at.scale, 2) - 1.5);
        const int side = static_cast<int>(0.476 * sigma) + 1;
        const int left = static_cast<int>(std::floor(at.x + 1 - side / 2.0));
        const int top = static_cast<int>(std::floor(at.y + 1 - side / 2.0));
        const auto fits = [side](int middle, int size) {
            return middle >= 7 * side && middle + 8 * side <= size;
        };
        if (!fits(left, width()) || !fits(top, height())) return at;
        const auto derivative = [&](int order, int square) {
            const double z = square * side / sigma;
            const double value = std::exp(-z * z / 2);
            return order == 0 ? value : order == 1 ? -z * value : (z * z - 1) * value;
        };
        double flat = 0; // the second derivative, of an image of ones
        for (int i = -6; i <= 6; ++i) flat += derivative(2, i);
        std::array<double, 9> found{};
        for (int place = 0; place < 9; ++place) {
            double xx = 0;
            double xy = 0;
            double yy = 0;
            for (int j = -6; j <= 6; ++j)
                for (int i = -6; i <= 6; ++i) {
                    const int x = left + (place % 3 - 1 + i) * side;
                    const int y = top + (place / 3 - 1 + j) * side;
                    const double grey = box(x, y, x + side - 1, y + side - 1);
                    const double bend_x = derivative(2, i) - (i == 0 ? flat : 0);
                    const double bend_y = derivative(2, j) - (j == 0 ? flat : 0);
                    xx += grey * bend_x * derivative(0, j);
                    xy += grey * derivative(1, i) * derivative(1, j);
                    yy += grey * derivative(0, i) * bend_y;
                }
            found[static_cast<std::size_t>(place)] = xx * yy - xy * xy;
        }
        const double x = (found[5] - found[3]) / 2;
        const double y = (found[7] - found[1]) / 2;
        const double xx = found[5] - 2 * found[4] + found[3];
        const double yy = found[7] - 2 * found[4] + found[1];
        const double xy = (found[8] - found[6] - found[2] + found[0]) / 4;
        const double both = xx * yy - xy * xy;
        const double across = -(yy * x - xy * y) / both;
        const double down = -(xx * y - xy * x) / both;
        Keypoint moved = at;
        if (both <= 0 || xx >= 0 || std::max(std::abs(across), std::abs(down)) > 1) {
            moved.response /= 1000;
        } else {
            moved.x = static_cast<float>(left + (0.5 + across) * side - 0.5);
            moved.y = static_cast<float>(top + (0.5 + down) * side - 0.5);
        }
        return moved;
    }

    /// Responses of a Haar wavelet around a corner of pixels; nothing where it leaves the image.
    std::array<double, 2> haar(int x, int y, int half) const {
        if (std::min(x, y) < half || x + half > width() || y + half > height()) return {0, 0};
        return {box(x, y - half, x + half - 1, y + half - 1) -
                    box(x - half, y - half, x - 1, y + half - 1),
                box(x - half, y, x + half - 1, y + half - 1) -
                    box(x - half, y - half, x + half - 1, y - 1)};
    }

    /// Of the longest sum of responses within 60 degrees, in steps of 5.
    double orientation(const Keypoint &at) const {
        const int scale = static_cast<int>(std::lround(at.scale));
        struct Response {
            double x, y, angle;
        };
        std::vector<Response> responses;
        for (int j = -6; j <= 6; ++j)
            for (int i = -6; i <= 6; ++i) {
                if (i * i + j * j >= 36) continue;
                const auto found =
                    haar(static_cast<int>(std::floor(at.x + 1)) + i * scale,
                         static_cast<int>(std::floor(at.y + 1)) + j * scale, 2 * scale);
                const double weight =
                    std::exp(-(i * i + j * j) / 12.5) * 256 / (4.0 * scale * scale);
                const double x = std::floor(found[0] * weight + 0.5);
                const double y = std::floor(found[1] * weight + 0.5);
                const double angle = std::atan2(y, x) * 180 / std::numbers::pi;
                responses.push_back({x, y, angle < 0 ? angle + 360 : angle});
            }
        double best = -1;
        double orientation = 0;
        for (int window = 0; window < 360; window += 5) {
            double x = 0;
            double y = 0;
            for (const auto &one : responses)
                if (std::fmod(one.angle - window + 360, 360) < 60) {
                    x += one.x;
                    y += one.y;
                }
            if (x * x + y * y > best) {
                best = x * x + y * y;
                orientation = std::atan2(y, x);
            }
        }
        return orientation;
    }

    std::vector<double> descriptor(const Keypoint &at, bool plain) const {
        const int taps = plain ? 5 : 9;
        const int samples = 15 + taps;
        const double step = at.scale * (plain ? 1 : 0.85);
        const double cosine = std::cos(at.orientation);
        const double sine = std::sin(at.orientation);
        std::vector<double> values(64);
        double square = 0;
        for (int cell = 0; cell < 16; ++cell) {
            for (int tap = 0; tap < taps * taps; ++tap) {
                const double across = cell % 4 * 5 + tap % taps + 0.5 - samples / 2.0;
                const double down = cell / 4 * 5 + tap / taps + 0.5 - samples / 2.0;
                const double x = at.x + step * (across * cosine - down * sine);
                const double y = at.y + step * (across * sine + down * cosine);
                const auto found =
                    haar(static_cast<int>(std::floor(x + 1)), static_cast<int>(std::floor(y + 1)),
                         std::max(1, static_cast<int>(std::lround(at.scale))));
                const auto tent = [](double distance, double sigma) {
                    return std::exp(-distance * distance / (2 * sigma * sigma));
                };
                const double weight =
                    plain ? tent(across, 3.3) * tent(down, 3.3)
                          : tent(tap % taps - 4, 2.5) * tent(tap / taps - 4, 2.5) *
                                tent(cell % 4 - 1.5, 1.5) * tent(cell / 4 - 1.5, 1.5);
                const double dx = weight * (found[0] * cosine + found[1] * sine);
                const double dy = weight * (found[1] * cosine - found[0] * sine);
                double *sums = &values[static_cast<std::size_t>(cell) * 4];
                sums[0] += dx;
                sums[1] += std::abs(dx);
                sums[2] += dy;
                sums[3] += std::abs(dy);
            }
        }
        for (double &value : values) {
            value = std::copysign(std::pow(std::abs(value), 0.75), value);
            square += value * value;
        }
        for (double &value : values) value /= std::sqrt(square);
        return values;
    }

  private:
    ReferenceGreys greys_;
};

} // namespace bowhist::testing
