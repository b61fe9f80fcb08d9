// SURF: against its definition (docs/descriptors.md), and the same bits everywhere.
#include "tests/support/extraction.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/only_target.hpp"

#include <bowhist/bench/blobs.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/extract/device/device_surf.hpp>
#include <bowhist/extract/surf/surf_detector.hpp>
#include <bowhist/extract/surf/surf_extractor.hpp>
#include <bowhist/extract/surf/surf_pyramid.hpp>
#include <bowhist/extract/surf/surf_refiner.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <numbers>
#include <random>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr int scene_side = 250;

/// A quarter turn: what was on the right is on top.
Image turned(const Image &image) {
    Image result{image.height, image.width, {}};
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x)
            result.pixels.push_back(
                image.pixels[static_cast<std::size_t>(x * image.width + image.width - 1 - y)]);
    return result;
}

Recipe recipe(double threshold = 30) {
    Recipe recipe;
    recipe.extractor = "surf";
    recipe.threshold = threshold;
    return recipe;
}

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
Image scene(const View &view) {
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

Descriptors extract(const Image &image, const Recipe &options) {
    return make_surf_extractor(options)->extract(image);
}

/// An octave's picture in quarters of grey values, straight from the definition.
class Reference {
  public:
    Reference(const Image &image, int octave) : width_(image.width), height_(image.height) {
        for (const auto pixel : image.pixels) values_.push_back(pixel * 16);
        for (int round = 0; round < 4; ++round) smooth();
        for (; octave > 0; --octave) {
            halve();
            for (int round = 0; round < 2; ++round) smooth();
        }
        for (long &value : values_) value = (value + 2) / 4;
    }

    int width() const { return width_; }
    int height() const { return height_; }

    /// Of pixels from left and top to right and bottom, both inclusive.
    double box(int left, int top, int right, int bottom) const {
        double sum = 0;
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x) sum += static_cast<double>(at(x, y));
        return sum;
    }

    bool fits(int x, int y, int lobe) const {
        const int reach = (3 * lobe - 1) / 2;
        return std::min(x, y) >= reach && x + reach < width_ && y + reach < height_;
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

    /// Where a quadratic through the determinants of Gaussian derivatives around a keypoint has its
    /// top; the keypoint where it has none.
    std::array<double, 2> refined(const Keypoint &at) const {
        const double sigma = std::sqrt(std::pow(1.45 * at.scale, 2) - 1.5);
        const int side = static_cast<int>(0.476 * sigma) + 1;
        const int left = static_cast<int>(std::floor(at.x + 1 - side / 2.0));
        const int top = static_cast<int>(std::floor(at.y + 1 - side / 2.0));
        const auto fits = [side](int middle, int size) {
            return middle >= 7 * side && middle + 8 * side <= size;
        };
        if (!fits(left, width_) || !fits(top, height_)) return {at.x, at.y};
        const auto derivative = [&](int order, int square) {
            const double z = square * side / sigma;
            const double value = std::exp(-z * z / 2);
            return order == 0 ? value : order == 1 ? -z * value : (z * z - 1) * value;
        };
        double flat = 0; // the second derivative, of a picture of ones
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
        if (both <= 0 || xx >= 0 || std::max(std::abs(across), std::abs(down)) > 1)
            return {at.x, at.y};
        return {left + (0.5 + across) * side - 0.5, top + (0.5 + down) * side - 0.5};
    }

    /// Responses of a Haar wavelet around a corner of pixels; nothing where it leaves the picture.
    std::array<double, 2> haar(int x, int y, int half) const {
        if (std::min(x, y) < half || x + half > width_ || y + half > height_) return {0, 0};
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
                    std::exp(-(i * i + j * j) / 8.0) * 256 / (4.0 * scale * scale);
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
        const double cosine = std::cos(at.orientation);
        const double sine = std::sin(at.orientation);
        std::vector<double> values(64);
        double square = 0;
        for (int cell = 0; cell < 16; ++cell) {
            for (int tap = 0; tap < taps * taps; ++tap) {
                const double across = cell % 4 * 5 + tap % taps + 0.5 - samples / 2.0;
                const double down = cell / 4 * 5 + tap / taps + 0.5 - samples / 2.0;
                const double x = at.x + at.scale * (across * cosine - down * sine);
                const double y = at.y + at.scale * (across * sine + down * cosine);
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
        for (const double value : values) square += value * value;
        for (double &value : values) value /= std::sqrt(square);
        return values;
    }

  private:
    long at(int x, int y) const {
        x = std::clamp(x, 0, width_ - 1);
        y = std::clamp(y, 0, height_ - 1);
        return values_[static_cast<std::size_t>(y * width_ + x)];
    }

    void smooth() {
        std::vector<long> next;
        for (int y = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x) {
                long sum = 0;
                for (int j = -1; j <= 1; ++j)
                    for (int i = -1; i <= 1; ++i)
                        sum += (2 - std::abs(i)) * (2 - std::abs(j)) * at(x + i, y + j);
                next.push_back((sum + 8) / 16);
            }
        values_ = next;
    }

    void halve() {
        std::vector<long> next;
        for (int y = 0; y < height_; y += 2)
            for (int x = 0; x < width_; x += 2) next.push_back(at(x, y));
        values_ = next;
        width_ = (width_ + 1) / 2;
        height_ = (height_ + 1) / 2;
    }

    int width_;
    int height_;
    std::vector<long> values_;
};

double distance(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
    return std::sqrt(sum);
}

} // namespace

TEST_CASE("surf: keypoints are the maxima of the definition's determinants") {
    const Image image = blobs(150, 110, 3);
    const std::vector<IntegralImage> levels = surf_pyramid(image, 2);
    std::size_t found = 0;
    std::size_t maxima = 0;
    std::size_t matched = 0;
    for (int octave = 0; octave < 2; ++octave) {
        const auto keypoints = find_surf(levels[static_cast<std::size_t>(octave)], octave,
                                         surf_layers(completed(recipe())), 20);
        found += keypoints.size();
        const Reference reference(image, octave);
        for (int lobe = 5; lobe <= 7; lobe += 2)
            for (int y = 1; y + 1 < reference.height(); ++y)
                for (int x = 1; x + 1 < reference.width(); ++x) {
                    if (!reference.fits(x - 1, y - 1, lobe + 2) ||
                        !reference.fits(x + 1, y + 1, lobe + 2))
                        continue;
                    const double here = reference.determinant(x, y, lobe);
                    const double scale = 0.4 * lobe * (1 << octave);
                    const double response = here * std::pow(std::min(1.0, scale / 4), 1.5);
                    if (response <= 20) continue;
                    bool most = true;
                    for (int i = 0; i < 27 && most; ++i)
                        most = i == 13 || reference.determinant(x + i % 3 - 1, y + i / 3 % 3 - 1,
                                                                lobe + (i / 9 - 1) * 2) < here;
                    if (!most) continue;
                    ++maxima; // those whose top lies farther than a pixel away are left out
                    matched += static_cast<std::size_t>(
                        std::ranges::count_if(keypoints, [&](const Keypoint &one) {
                            return std::abs(one.x - static_cast<float>(x)) <= 1.0001 &&
                                   std::abs(one.y - static_cast<float>(y)) <= 1.0001 &&
                                   std::abs(one.scale - 0.4 * lobe) <= 0.8001 &&
                                   std::abs(one.response - response) < 1e-4 * response;
                        }));
                }
    }
    CHECK(found > 30);
    CHECK(matched == found);
    CHECK(matched > maxima * 8 / 10);
    CHECK(matched <= maxima);
}

TEST_CASE("surf: keypoints move to the definition's place") {
    const Image image = blobs(300, 240, 6);
    const std::vector<IntegralImage> levels = surf_pyramid(image, 2);
    for (int octave = 0; octave < 2; ++octave) {
        const IntegralImage &level = levels[static_cast<std::size_t>(octave)];
        const Reference reference(image, octave);
        const auto before = find_surf(level, octave, surf_layers(completed(recipe())), 20);
        auto keypoints = before;
        refine_surf(level, keypoints);
        REQUIRE(before.size() > 50);
        std::size_t moved = 0;
        std::size_t astray = 0; // of a top that lies a square away, by rounding
        for (std::size_t i = 0; i < before.size(); ++i) {
            const auto expected = reference.refined(before[i]);
            moved += keypoints[i] == before[i] ? 0U : 1U;
            if (std::hypot(keypoints[i].x - expected[0], keypoints[i].y - expected[1]) > 0.002)
                ++astray;
        }
        CHECK(astray <= before.size() / 50);
        CHECK(moved > before.size() / 2);
        CHECK(moved < before.size()); // near the edges they stay
    }
}

TEST_CASE("surf: keypoints keep their places where a picture turns and shrinks") {
    const Descriptors before = extract(scene({}), recipe());
    std::vector<double> apart; // in scales
    for (const double angle : {0.3, 0.8, 1.2}) {
        const View view{angle, 0.84}; // half-way between layers
        const Descriptors after = extract(scene(view), recipe());
        for (const Keypoint &one : before.keypoints) {
            const auto place = view.place(one.x, one.y);
            const double scale = one.scale * view.zoom;
            double least = 0.5;
            for (const Keypoint &other : after.keypoints)
                if (std::abs(std::log(other.scale / scale)) < 0.3)
                    least =
                        std::min(least, std::hypot(other.x - place[0], other.y - place[1]) / scale);
            if (least < 0.5) apart.push_back(least);
        }
    }
    REQUIRE(apart.size() > 500);
    const auto median = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
    std::ranges::nth_element(apart, median);
    CHECK(*median < 0.16); // 0.13; by boxes alone 0.20
}

TEST_CASE("surf: a round blob is found where it is, as large as it is") {
    for (const double sigma : {3.0, 5.0, 8.0, 12.0}) {
        const double x = 100.3;
        const double y = 89.6;
        Image image{200, 180, {}};
        for (int j = 0; j < image.height; ++j)
            for (int i = 0; i < image.width; ++i)
                image.pixels.push_back(static_cast<std::uint8_t>(
                    std::lround(30 + 200 * std::exp(-((i - x) * (i - x) + (j - y) * (j - y)) /
                                                    (2 * sigma * sigma)))));
        Recipe options = recipe();
        options.max_descriptors = 1;
        const Descriptors found = extract(image, options);
        REQUIRE(found.size() == 1);
        CHECK(found.keypoints[0].x == Approx(x).margin(0.2 * sigma));
        CHECK(found.keypoints[0].y == Approx(y).margin(0.2 * sigma));
        // a filter of boxes answers a Gaussian blob best at some 0.7 of its sigma
        CHECK(found.keypoints[0].scale == Approx(0.72 * sigma).epsilon(0.15));
    }
}

TEST_CASE("surf: orientations and descriptors are the definition's") {
    const Image image = blobs(240, 200, 4);
    const Reference reference(image, 0);
    for (const bool plain : {false, true})
        for (const bool upright : {false, true}) {
            Recipe options = recipe(100);
            options.octaves = 1;
            options.plain_cells = plain;
            options.upright = upright;
            const Descriptors found = extract(image, options);
            REQUIRE(found.size() > 50);
            std::size_t turned_away = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Keypoint &at = found.keypoints[i];
                if (upright) CHECK(at.orientation == 0);
                const double apart = std::remainder(at.orientation - reference.orientation(at),
                                                    2 * std::numbers::pi);
                if (!upright && std::abs(apart) > 1e-4)
                    ++turned_away; // a sample on a sector's edge
                const auto expected = reference.descriptor(at, plain);
                double sum = 0;
                for (std::size_t j = 0; j < 64; ++j)
                    sum += std::pow(found.row(i)[j] - expected[j], 2);
                if (std::sqrt(sum) > 1e-4) ++turned_away; // or rounded to another pixel
            }
            CHECK(turned_away <= found.size() / 20);
        }
}

TEST_CASE("surf: a quarter turn turns keypoints and orientations, and leaves descriptors") {
    const Image image = blobs(201, 161, 5); // halved thrice, the same pixels remain
    Recipe options = recipe(50);
    options.octaves = 3;
    const Descriptors before = extract(image, options);
    const Descriptors after = extract(turned(image), options);
    REQUIRE(before.size() > 50);
    std::size_t found = 0;
    std::size_t alike = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Keypoint &at = before.keypoints[i];
        for (std::size_t j = 0; j < after.size(); ++j) {
            const Keypoint &other = after.keypoints[j];
            if (std::hypot(other.x - at.y, other.y - static_cast<float>(image.width - 1) + at.x) >
                    0.01 ||
                std::abs(other.scale - at.scale) > 0.01)
                continue;
            ++found;
            const double turn = std::remainder(
                at.orientation - other.orientation - std::numbers::pi / 2, 2 * std::numbers::pi);
            if (std::abs(turn) < 0.2 && distance(before.row(i), after.row(j)) < 0.3) ++alike;
        }
    }
    CHECK(found >= before.size() * 95 / 100);
    CHECK(alike >= found * 9 / 10);
}

TEST_CASE("surf: every generation of vector units makes the same bits") {
    const Image image = blobs(300, 200, 9);
    const auto extractor = make_surf_extractor(recipe());
    const auto expected = extractor->extract(image).values;
    for_each_target([&](const std::string &target) {
        INFO(target);
        CHECK(same_bits(extractor->extract(image).values, expected));
    });
}

TEST_CASE("surf: the caller's rounding changes nothing") {
    const Image image = blobs(120, 100, 9);
    const auto extractor = make_surf_extractor(recipe());
    const auto device = shared_device();
    DeviceSurf surf(device, recipe());
    const auto expected = extractor->extract(image).values;
    for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(rounding);
        const auto found = extractor->extract(image).values;
        const auto there = on_device(surf, *device, {image}).at(0);
        CHECK(std::fegetround() == rounding);
        std::fesetround(FE_TONEAREST);
        CHECK(same_bits(found, expected));
        CHECK(same_bits(there, expected));
    }
}

TEST_CASE("surf: the strongest are kept, in their order") {
    const Image image = blobs(200, 160, 8);
    Recipe options = recipe();
    const Descriptors all = extract(image, options);
    for (const std::size_t most :
         {std::size_t{1}, std::size_t{10}, all.size() - 1, all.size() + 1}) {
        options.max_descriptors = most;
        const Descriptors few = extract(image, options);
        REQUIRE(few.size() == std::min(most, all.size()));
        const auto weakest = std::ranges::min(few.keypoints, {}, &Keypoint::response).response;
        CHECK(std::ranges::count_if(all.keypoints, [&](const Keypoint &one) {
                  return one.response > weakest;
              }) < static_cast<std::ptrdiff_t>(few.size()));
        auto next = all.keypoints.begin();
        for (std::size_t i = 0; i < few.size(); ++i) {
            next = std::find_if(next, all.keypoints.end(), [&](const Keypoint &one) {
                return one.x == few.keypoints[i].x && one.y == few.keypoints[i].y;
            });
            REQUIRE(next != all.keypoints.end());
            CHECK(std::ranges::equal(
                few.row(i), all.row(static_cast<std::size_t>(next++ - all.keypoints.begin()))));
        }
    }
}

TEST_CASE("surf: pictures without blobs and pictures smaller than a filter have no descriptor") {
    CHECK(extract({0, 0, {}}, recipe()).size() == 0);
    CHECK(extract({1, 1, {7}}, recipe()).size() == 0);
    CHECK(extract({9000, 9, std::vector<std::uint8_t>(9 * 9000, 9)}, recipe()).size() == 0);
    CHECK(extract({64, 64, std::vector<std::uint8_t>(64 * 64, 9)}, recipe()).size() == 0);
}

TEST_CASE("surf: two small pictures on a device",
          "[oclgrind][smooth.cl][surf_halve.cl][surf_integral.cl][surf_respond.cl][surf_find.cl]"
          "[surf_refine.cl][surf_describe.cl]") {
    const std::vector<Image> images = {blobs(48, 40, 1), blobs(37, 45, 2)};
    const auto device = shared_device();
    DeviceSurf surf(device, recipe(20));
    const auto found = on_device(surf, *device, images);
    for (std::size_t i = 0; i < images.size(); ++i)
        CHECK(same_bits(found[i], extract(images[i], recipe(20)).values));
    CHECK(found[0].size() > 0);
}

TEST_CASE("surf: a device makes the host's descriptors, bit for bit, of pictures of any size") {
    std::vector<Image> images;
    for (const auto &[width, height] : {std::pair{320, 240},
                                        {1, 1},
                                        {7, 300},
                                        {27, 27},
                                        {29, 64},
                                        {64, 65},
                                        {300, 33},
                                        {1030, 64},
                                        {257, 255}})
        images.push_back(blobs(width, height, static_cast<unsigned>(width)));
    images.push_back({64, 64, std::vector<std::uint8_t>(64 * 64, 7)}); // flat
    Image noise{150, 150, {}};
    std::mt19937 random(7);
    for (int i = 0; i < 150 * 150; ++i)
        noise.pixels.push_back(static_cast<std::uint8_t>(random() >> 24));
    images.push_back(noise);
    const auto device = shared_device();
    for (int form = 0; form < 5; ++form) {
        Recipe options = recipe(form == 0 || form == 4 ? 0.1 : 30);
        options.plain_cells = form == 1;
        options.upright = form == 2;
        if (form == 3) {
            options.octaves = 2;
            options.layers = 5;
            options.first_size = 15;
        }
        if (form == 4) { // the largest filters
            options.octaves = 1;
            options.layers = 8;
            options.first_size = 33;
        }
        INFO("form " << form);
        DeviceSurf surf(device, options);
        const auto found = on_device(surf, *device, images);
        std::size_t all = 0;
        for (std::size_t i = 0; i < images.size(); ++i) {
            INFO("picture " << i);
            CHECK(same_bits(found[i], extract(images[i], options).values));
            all += found[i].size() / 64;
        }
        CHECK(all > (form == 4 ? 30 : 300));
    }
    DeviceSurf surf(device, recipe());
    CHECK(on_device(surf, *device, {}).empty());
    CHECK(on_device(surf, *device, {images[1]}).at(0).empty());
}

TEST_CASE("surf: a device keeps the host's strongest, of equal ones the first",
          "[oclgrind][surf_strongest.cl]") {
    Image dots{160, 120, {}};
    for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 160; ++x) dots.pixels.push_back(x % 10 < 4 && y % 10 < 4 ? 250 : 20);
    const std::vector<Image> images = {blobs(90, 70, 3), blobs(5, 5, 1), dots, dots,
                                       blobs(64, 50, 4)};
    const auto device = shared_device();
    Recipe options = recipe(0.01);
    const std::size_t all = extract(dots, options).size();
    CHECK(all > 60); // equals by the dozen
    for (const std::size_t most : {std::size_t{1}, std::size_t{10}, all / 2, 5 * all}) {
        INFO(most << " at most");
        options.max_descriptors = most;
        DeviceSurf surf(device, options);
        const auto found = on_device(surf, *device, images);
        for (std::size_t i = 0; i < images.size(); ++i)
            CHECK(same_bits(found[i], extract(images[i], options).values));
        CHECK(found[2].size() == 64 * std::min(most, all));
    }
}

TEST_CASE("surf: a device ranks keypoints of all scales as the host does") {
    const std::vector<Image> images = {blobs(300, 240, 2), blobs(240, 300, 5)};
    const auto device = shared_device();
    Recipe options = recipe(1);
    for (const std::size_t most : {20, 60, 120}) {
        INFO(most << " at most");
        options.max_descriptors = most;
        DeviceSurf surf(device, options);
        const auto found = on_device(surf, *device, images);
        for (std::size_t i = 0; i < images.size(); ++i) {
            CHECK(found[i].size() == 64 * most);
            CHECK(same_bits(found[i], extract(images[i], options).values));
        }
    }
}

TEST_CASE("surf: a device that had no room for all keypoints has it when it is asked again") {
    Image dots{500, 400, {}};
    for (int y = 0; y < 400; ++y)
        for (int x = 0; x < 500; ++x) dots.pixels.push_back(x % 10 < 4 && y % 10 < 4 ? 250 : 20);
    const auto device = shared_device();
    for (const std::size_t most : {0, 1'000'000}) {
        Recipe options = recipe(0.01);
        options.max_descriptors = most;
        DeviceSurf surf(device, options);
        surf.extract(upload_pictures(*device, {dots}));
        CHECK(surf.wants_room());
        CHECK(same_bits(on_device(surf, *device, {dots}).at(0), extract(dots, options).values));
        CHECK_FALSE(surf.wants_room());
    }
}

TEST_CASE("surf: numbers that make no sense are refused") {
    const auto check = [](auto member, const std::string &option, int value) {
        Recipe options = recipe();
        options.*member = value;
        CHECK_THROWS_WITH(make_surf_extractor(options),
                          Catch::Contains("surf: " + option + " " + std::to_string(value)));
    };
    for (const int octaves : {-1, 0, 9}) check(&Recipe::octaves, "--octaves", octaves);
    for (const int layers : {0, 2, 9}) check(&Recipe::layers, "--layers", layers);
    for (const int size : {0, 3, 10, 12, 39}) check(&Recipe::first_size, "--first-size", size);
}
