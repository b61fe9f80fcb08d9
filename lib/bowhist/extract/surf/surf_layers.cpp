#include <bowhist/extract/surf/surf_layers.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/extract/extract_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bowhist {
namespace {

double gaussian(double x, double sigma) {
    return std::exp(-x * x / (2 * sigma * sigma));
}

void check(bool fine, const char *flag, int value, const char *range) {
    if (!fine) throw Error(Fault::usage, fmt::format("surf: {} {}; give {}", flag, value, range));
}

} // namespace

int SurfLayer::apart() const {
    const double distance = std::numbers::sqrt2 * lobe; // of the boxes' middles: lobe + 2 apart - 1
    return std::max(1, static_cast<int>(std::lround((distance + 1 - lobe) / 2)));
}

float SurfLayer::weight() const {
    const int distance = lobe + 2 * apart() - 1;
    const double ratio = static_cast<double>(lobe * (2 * lobe - 1)) / (distance * distance);
    return static_cast<float>(ratio * ratio);
}

float SurfLayer::factor(int octave) const {
    return std::min(1.0F, 4 / (surf_scale(lobe, 0) * static_cast<float>(1 << octave)));
}

std::vector<SurfLayer> surf_layers(const Recipe &recipe) {
    check(recipe.octaves >= 1 && recipe.octaves <= 8, "--octaves", recipe.octaves, "1 to 8");
    check(recipe.layers >= 3 && recipe.layers <= 8, "--layers", recipe.layers, "3 to 8");
    check(recipe.first_size >= 9 && recipe.first_size <= 33 && recipe.first_size % 6 == 3,
          "--first-size", recipe.first_size, "9, 15, 21, 27 or 33");
    std::vector<SurfLayer> layers;
    for (int layer = 0; layer < recipe.layers; ++layer)
        layers.push_back({recipe.first_size / 3 + SURF_LOBE_STEP * layer});
    return layers;
}

SurfCells surf_cells(const Recipe &recipe) {
    SurfCells cells;
    cells.taps = recipe.plain_cells ? +SURF_PITCH : 9;
    cells.samples = SURF_PITCH * (PATCH_CELLS - 1) + cells.taps;
    cells.step = recipe.plain_cells ? 1 : 0.85F;
    for (int cell = 0; cell < PATCH_CELLS; ++cell)
        for (int tap = 0; tap < cells.taps; ++tap) {
            const double from_patch = cell * SURF_PITCH + tap - 0.5 * (cells.samples - 1);
            const double from_cell = tap - 0.5 * (cells.taps - 1);
            const double weight = recipe.plain_cells
                                      ? gaussian(from_patch, 3.3)
                                      : gaussian(from_cell, 2.5) * gaussian(cell - 1.5, 1.5);
            cells.weights.push_back(static_cast<float>(weight));
        }
    return cells;
}

std::vector<float> surf_circle() {
    std::vector<float> weights;
    for (int y = 1 - SURF_CIRCLE_RADIUS; y < SURF_CIRCLE_RADIUS; ++y)
        for (int x = 1 - SURF_CIRCLE_RADIUS; x < SURF_CIRCLE_RADIUS; ++x) {
            const bool inside = x * x + y * y < SURF_CIRCLE_RADIUS * SURF_CIRCLE_RADIUS;
            weights.push_back(inside ? static_cast<float>(gaussian(x, 2.5) * gaussian(y, 2.5)) : 0);
        }
    return weights;
}

} // namespace bowhist
