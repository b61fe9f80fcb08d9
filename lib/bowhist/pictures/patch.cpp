#include <bowhist/pictures/patch.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace bowhist {
namespace {

constexpr int most_points = 8; ///< along a new pixel's side

using Sums = std::array<double, 3>;

/// Adds what the image shows at a point, between four pixels.
void add_point(const Raster &image, double x, double y, Sums &sums) {
    x = std::clamp(x, 0.0, image.width - 1.0);
    y = std::clamp(y, 0.0, image.height - 1.0);
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    const int right = std::min(left + 1, image.width - 1);
    const int bottom = std::min(top + 1, image.height - 1);
    const double across = x - left, down = y - top;
    const auto channels = static_cast<std::size_t>(image.color);
    const auto at = [&](int column, int row) {
        return image.samples.data() + static_cast<std::size_t>(row) * image.row_samples() +
               static_cast<std::size_t>(column) * channels;
    };
    const std::uint8_t *corners[] = {at(left, top), at(right, top), at(left, bottom),
                                     at(right, bottom)};
    for (std::size_t c = 0; c < channels; ++c) {
        const double upper = corners[0][c] + across * (corners[1][c] - corners[0][c]);
        const double lower = corners[2][c] + across * (corners[3][c] - corners[2][c]);
        sums[c] += upper + down * (lower - upper);
    }
}

/// Points along a new pixel's side, so that none of the image's pixels is left out.
int points_in(const PatchPlace &place, int side) {
    const double longer = std::max(std::hypot(place.right_x, place.right_y),
                                   std::hypot(place.bottom_x, place.bottom_y));
    return static_cast<int>(std::clamp(std::ceil(longer / side), 1.0, double{most_points}));
}

} // namespace

Raster cut_patch(const Raster &image, const PatchPlace &place, int side) {
    const int points = points_in(place, side);
    const auto channels = static_cast<std::size_t>(image.color);
    const double steps = static_cast<double>(side) * points;
    Raster patch{side, side, image.color, {}};
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            Sums sums{};
            for (int i = 0; i < points * points; ++i) {
                const double u = (column * points + i % points + 0.5) / steps - 0.5;
                const double v = (row * points + i / points + 0.5) / steps - 0.5;
                add_point(image, place.x + u * place.right_x + v * place.bottom_x,
                          place.y + u * place.right_y + v * place.bottom_y, sums);
            }
            for (std::size_t c = 0; c < channels; ++c)
                patch.samples.push_back(
                    static_cast<std::uint8_t>(sums[c] / (points * points) + 0.5));
        }
    return patch;
}

} // namespace bowhist
