#include <bowhist/duplicates/pixels/alignment.hpp>
#include <bowhist/duplicates/pixels/block_test.hpp>
#include <bowhist/duplicates/pixels/maps.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

namespace bowhist {
namespace {

/// Waves in many directions: known between pixels.
class Waves {
  public:
    explicit Waves(unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> unit(-1, 1);
        for (auto &wave : waves_) wave = {unit(random) * 0.5, unit(random) * 0.5, unit(random) * 3};
    }
    double at(double x, double y) const {
        double sum = 0;
        for (const auto &[a, b, phase] : waves_) sum += std::sin(a * x + b * y + phase);
        return 128 + 9 * sum;
    }
    Image image(int width, int height, const AffineMap &map) const {
        Image image{width, height, {}};
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                image.pixels.push_back(static_cast<std::uint8_t>(std::lround(
                    std::min(255.0, std::max(0.0, at(map.a11 * x + map.a12 * y + map.tx,
                                                     map.a21 * x + map.a22 * y + map.ty))))));
        return image;
    }

  private:
    std::array<std::array<double, 3>, 12> waves_{};
};

double distance(const AffineMap &one, const AffineMap &other, int width, int height) {
    double most = 0;
    for (const double x : {0.0, width - 1.0})
        for (const double y : {0.0, height - 1.0})
            most = std::max({most,
                             std::abs((one.a11 - other.a11) * x + (one.a12 - other.a12) * y +
                                      one.tx - other.tx),
                             std::abs((one.a21 - other.a21) * x + (one.a22 - other.a22) * y +
                                      one.ty - other.ty)});
    return most;
}

const AffineMap truth{0.98, 0.05, 3, -0.04, 1.01, 6};

TEST_CASE("alignment: a map that is a pixel off is found to a tenth of one") {
    for (unsigned seed = 0; seed < 5; ++seed) {
        const Waves waves(seed);
        const Image upper = waves.image(180, 150, {});
        const Image lower = waves.image(160, 120, truth);
        AffineMap start = truth;
        start.tx += 1.2;
        start.ty -= 0.9;
        start.a11 += 0.004;
        const Overlay overlay = lay_over(lower, upper, start);
        CHECK(distance(overlay.map, truth, 160, 120) < 0.1);
        const OverlayAgreement agreement = agreement_of(overlay);
        CHECK(agreement.textured > 50);
        CHECK(agreement.lower_quartile > 0.98);
        CHECK(agreement.shift_quartile < 0.1);
    }
}

TEST_CASE("alignment: a tone curve takes up gamma, and a part that differs moves nothing") {
    const Waves waves(7);
    const Image upper = waves.image(180, 150, {});
    Image lower = waves.image(160, 120, truth);
    for (std::uint8_t &level : lower.pixels)
        level = static_cast<std::uint8_t>(std::lround(255 * std::pow(level / 255.0, 1.7)));
    for (int y = 80; y < 110; ++y)
        for (int x = 20; x < 100; ++x) lower.pixels[static_cast<std::size_t>(y * 160 + x)] = 200;
    const Overlay overlay =
        lay_over(lower, upper, {truth.a11, truth.a12, 3.6, truth.a21, truth.a22, 5.5});
    CHECK(distance(overlay.map, truth, 160, 120) < 0.15);
    const OverlayAgreement agreement = agreement_of(overlay);
    CHECK(agreement.agreeing > 0.7);
    CHECK(agreement.agreeing < 0.95);
    CHECK(agreement.lower_agreeing > 0.85); // the part has no texture there
}

TEST_CASE("alignment: blocks of another view are shifted") {
    const Waves waves(9);
    const Image upper = waves.image(180, 150, {});
    Image lower{160, 120, {}};
    for (int y = 0; y < 120; ++y) // its rows lie beside each other by up to 3 pixels
        for (int x = 0; x < 160; ++x)
            lower.pixels.push_back(static_cast<std::uint8_t>(
                std::lround(waves.at(x + 1.5 * std::sin(y / 12.0) + 5, y + 5))));
    const OverlayAgreement agreement = agreement_of(lay_over(lower, upper, {1, 0, 5, 0, 1, 5}));
    CHECK(agreement.shift_quartile > 0.4); // beyond what `--match loose` allows
}

TEST_CASE("alignment: the same bits again, and nothing where images leave each other") {
    const Waves waves(3);
    const Image upper = waves.image(90, 80, {}), lower = waves.image(90, 80, truth);
    const Overlay one = lay_over(lower, upper, truth), other = lay_over(lower, upper, truth);
    CHECK(one.map == other.map);
    CHECK(one.upper == other.upper);
    CHECK(agreement_of(lay_over(lower, upper, {1, 0, 500, 0, 1, 0})).blocks.empty());
}

TEST_CASE("maps: an inverse undoes, sizes change and return") {
    const AffineMap back = composed(inverse(truth), truth);
    CHECK(distance(back, {}, 1000, 1000) < 1e-9);
    const PixelScale from{0.5, 0.25}, to{0.3, 0.2};
    const AffineMap small = between(truth, from, to);
    CHECK(distance(between(small, {2, 4}, {1 / 0.3, 5}), truth, 1000, 1000) < 1e-9);
    CHECK(mirroring(100).determinant() == -1);
}

} // namespace
} // namespace bowhist
