#include <bowhist/extract/dense/dense_grid.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bowhist {

int PatchShape::smoothings() const {
    // A round adds a variance of 1/2; a variance of (cell/6)^2 suits gradients that a cell sums.
    // More than four rounds separated no class of images better.
    return std::clamp((cell() * cell() + 9) / 18, 1, 4);
}

int PatchShape::fraction_bits() const {
    const int area = cell() * cell(); // the sum of a tent's weights
    int bits = 4;
    while ((255 << bits) * std::int64_t{area} * area >= 1 << 24) --bits;
    return bits;
}

double PatchShape::unit() const {
    const int area = cell() * cell();
    return static_cast<double>(area) * area * (1 << fraction_bits()) * 2; // dx spans two pixels
}

float PatchShape::least_squares(double contrast) const {
    const double sum = contrast * unit();
    return static_cast<float>(std::max(1.0, sum * sum)); // of whole numbers: 0, or 1 at the least
}

int dense_step(const Recipe &recipe, int width, int height) {
    if (recipe.step > 0) return recipe.step;
    constexpr std::int64_t small = 150'000; // pixels: 384 x 384 are fewer
    return std::int64_t{width} * height < small ? 4 : 8;
}

GridAxis grid_axis(int pixels, int step, const PatchShape &shape) {
    if (pixels < shape.size) return {};
    const int cell = shape.cell();
    const int patches = (pixels - shape.size) / step + 1;
    const int margin = (pixels - shape.size - (patches - 1) * step) / 2;
    const bool touch = step % cell == 0 && step <= PATCH_CELLS * cell;
    const int shared = touch ? cell : cell % step == 0 ? step : 0;
    GridAxis axis{.patches = patches,
                  .first = margin + cell / 2,
                  .step = step,
                  .cell = cell,
                  .cells = 0,
                  .shared = shared};
    axis.cells = cell_of(axis, patches - 1, PATCH_CELLS - 1) + 1;
    return axis;
}

std::size_t patch_count(const std::vector<PatchShape> &shapes, int step, int width, int height) {
    std::size_t count = 0;
    for (const PatchShape &shape : shapes)
        count += static_cast<std::size_t>(grid_axis(width, step, shape).patches) *
                 static_cast<std::size_t>(grid_axis(height, step, shape).patches);
    return count;
}

std::vector<PatchShape> patch_shapes(const Recipe &recipe) {
    const std::string &text = recipe.patches;
    const auto fail = [&] {
        throw Error(
            Fault::usage,
            fmt::format("dense: patches of \"{}\" pixels; give multiples of {} from {} to {} "
                        "in rising order, such as 16,32,64",
                        excerpt(text), +PATCH_CELLS, smallest_patch, largest_patch));
    };
    if (recipe.step < 0)
        throw Error(Fault::usage,
                    fmt::format("dense: a step of {} pixels; give 1 or more, or 0 for a step by "
                                "the picture's size",
                                recipe.step));
    std::vector<PatchShape> patches;
    for (const char *at = text.data(), *end = at + text.size();; ++at) {
        int size = 0;
        const auto [after, error] = std::from_chars(at, end, size);
        const bool rises = patches.empty() || patches.back().size < size;
        if (error != std::errc() || size % PATCH_CELLS != 0 || size < smallest_patch ||
            size > largest_patch || !rises)
            fail();
        patches.push_back({size});
        if (after == end) return patches;
        if (*after != ',') fail();
        at = after;
    }
}

std::string as_text(const std::vector<PatchShape> &shapes) {
    return fmt::format("{}", fmt::join(shapes | std::views::transform(&PatchShape::size), ","));
}

} // namespace bowhist
