#include <bowhist/duplicates/pixels/even_light.hpp>

#include <bowhist/duplicates/pixels/level_counts.hpp>
#include <bowhist/duplicates/pixels/symmetric_system.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace bowhist {
namespace {

constexpr int cells = 16;        ///< along each side
constexpr int least_side = 2;    ///< pixels of a cell
constexpr int rounds = 8;        ///< of the fit
constexpr double first_far = 64; ///< levels off the surface that count half as much, at first
constexpr double least_far = 8;  ///< and at last
constexpr double stiffness = 1e-6;
constexpr float middle = 128;

constexpr std::size_t terms = 6;
using Terms = std::array<double, terms>;

/// A place and the level that most of its pixels have.
struct Cell {
    Terms place{};
    double level = 0;
};

/// @param x, y  -1 … 1
Terms terms_at(double x, double y) {
    return {1, x, y, x * x, x * y, y * y};
}

double place(int pixel, int count) {
    return 2.0 * pixel / count - 1;
}

double at(const Terms &surface, const Terms &place) {
    double level = 0;
    for (std::size_t i = 0; i < terms; ++i) level += surface[i] * place[i];
    return level;
}

float median_of(const std::vector<float> &levels, int width, int left, int top, int right,
                int bottom) {
    std::vector<float> some;
    for (int y = top; y < bottom; ++y) {
        const auto row = levels.begin() + std::ptrdiff_t{y} * width;
        some.insert(some.end(), row + left, row + right);
    }
    const auto half = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
    std::ranges::nth_element(some, half);
    return *half;
}

std::vector<Cell> cells_of(const std::vector<float> &levels, int width, int height) {
    std::vector<Cell> found;
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column) {
            const int left = column * width / cells, right = (column + 1) * width / cells;
            const int top = row * height / cells, bottom = (row + 1) * height / cells;
            found.push_back(
                {terms_at(place((left + right) / 2, width), place((top + bottom) / 2, height)),
                 median_of(levels, width, left, top, right, bottom)});
        }
    return found;
}

/// Cells far off the surface, where other things than paper lie, count less from round to round.
Terms surface_of(const std::vector<Cell> &found) {
    Terms surface{};
    double far = first_far;
    for (int round = 0; round < rounds; ++round) {
        std::array<Terms, terms> products{};
        Terms sums{};
        for (const Cell &cell : found) {
            const double off = round > 0 ? (cell.level - at(surface, cell.place)) / far : 0;
            const double weight = 1 / ((1 + off * off) * (1 + off * off));
            for (std::size_t i = 0; i < terms; ++i) {
                sums[i] += weight * cell.place[i] * cell.level;
                for (std::size_t j = 0; j < terms; ++j)
                    products[i][j] += weight * cell.place[i] * cell.place[j];
            }
        }
        for (std::size_t i = 0; i < terms; ++i) products[i][i] += stiffness;
        surface = solved(products, sums).value_or(surface); // stiff: not singular
        far = std::max(far / 2, least_far);
    }
    return surface;
}

double flatness_of(const std::vector<float> &levels) {
    LevelCounts counts;
    for (const float level : levels) counts.add(level);
    return counts.flatness();
}

} // namespace

std::vector<float> evenly_lit(const std::vector<float> &levels, int width, int height) {
    if (std::min(width, height) < cells * least_side) return levels;
    const Terms surface = surface_of(cells_of(levels, width, height));
    std::vector<float> even(levels.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                           static_cast<std::size_t>(x);
            const double light = at(surface, terms_at(place(x, width), place(y, height)));
            even[i] = middle + static_cast<float>(levels[i] - light);
        }
    return flatness_of(even) > flatness_of(levels) ? even : levels;
}

} // namespace bowhist
