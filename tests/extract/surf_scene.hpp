#pragma once

#include <bowhist/core/image.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace bowhist::testing {

constexpr int scene_side = 250;

/// The upright scene, or one that is turned around its middle and shrunk.
struct View {
    double angle = 0;
    double zoom = 1;

    /// Where a place of the upright scene lies.
    std::array<double, 2> place(double x, double y) const {
        const double across = zoom * (x - scene_side / 2.0);
        const double down = zoom * (y - scene_side / 2.0);
        return {scene_side / 2.0 + across * std::cos(angle) - down * std::sin(angle),
                scene_side / 2.0 + across * std::sin(angle) + down * std::cos(angle)};
    }
};

/// Dead leaves: boxes of many sizes, each over those after it.
inline Image scene(const View &view) {
    struct Leaf {
        double x, y, cosine, sine, wide, high, grey;
    };
    std::mt19937 random(5);
    const auto draw = [&](double from, double to) {
        return from + (to - from) * random() / 4294967296.0;
    };
    std::vector<Leaf> leaves(4000);
    for (Leaf &leaf : leaves) {
        const double x = draw(0, scene_side);
        const auto middle = view.place(x, draw(0, scene_side));
        const double along = view.angle + draw(0, std::numbers::pi);
        const double wide = view.zoom * 3 / std::sqrt(draw(0.01, 1));
        leaf = {middle[0], middle[1],           std::cos(along), std::sin(along),
                wide,      wide * draw(0.4, 1), draw(20, 230)};
    }
    Image image{scene_side, scene_side, {}};
    for (int pixel = 0; pixel < scene_side * scene_side; ++pixel) {
        double sum = 0;
        for (int part = 0; part < 4; ++part) {
            const double x = pixel % scene_side + (part % 2 - 0.5) / 2;
            const double y = pixel / scene_side + (part / 2 - 0.5) / 2;
            const auto over = std::ranges::find_if(leaves, [&](const Leaf &leaf) {
                const double u = (x - leaf.x) * leaf.cosine + (y - leaf.y) * leaf.sine;
                const double v = (y - leaf.y) * leaf.cosine - (x - leaf.x) * leaf.sine;
                return std::abs(u) < leaf.wide && std::abs(v) < leaf.high;
            });
            sum += over == leaves.end() ? 128 : over->grey;
        }
        image.pixels.push_back(static_cast<std::uint8_t>(std::lround(sum / 4)));
    }
    return image;
}

} // namespace bowhist::testing
