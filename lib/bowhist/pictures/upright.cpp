#include <bowhist/pictures/upright.hpp>

#include <algorithm>
#include <utility>

namespace bowhist {
namespace {

/// Where the upright image's pixels lie in the stored one, in samples.
struct Walk {
    std::ptrdiff_t begin;    ///< of the top left pixel
    std::ptrdiff_t to_right; ///< from a pixel to its neighbor
    std::ptrdiff_t down;
};

Walk walk_of(const Raster &stored, int orientation) {
    const auto pixel = static_cast<std::ptrdiff_t>(stored.color);
    const auto row = static_cast<std::ptrdiff_t>(stored.row_samples());
    const bool from_right =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool from_below =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const std::ptrdiff_t begin =
        (from_right ? row - pixel : 0) + (from_below ? row * (stored.height - 1) : 0);
    const std::ptrdiff_t along_row = from_right ? -pixel : pixel;
    const std::ptrdiff_t across_rows = from_below ? -row : row;
    return orientation >= 5 ? Walk{begin, across_rows, along_row}
                            : Walk{begin, along_row, across_rows};
}

} // namespace

Raster upright(Raster stored, int orientation) {
    if (orientation <= 1) return stored;
    const Walk walk = walk_of(stored, orientation);
    Raster result{stored.width, stored.height, stored.color, {}};
    if (orientation >= 5) std::swap(result.width, result.height);
    result.samples.resize(stored.samples.size());
    const auto channels = static_cast<int>(stored.color);
    constexpr int tile = 32; // pixels a side: rows of both images stay in the cache
    for (int top = 0; top < result.height; top += tile)
        for (int left = 0; left < result.width; left += tile)
            for (int y = top; y < std::min(top + tile, result.height); ++y) {
                auto *to = result.samples.data() + y * result.row_samples() + left * channels;
                const auto *from =
                    stored.samples.data() + walk.begin + y * walk.down + left * walk.to_right;
                const int pixels = std::min(tile, result.width - left);
                for (int x = 0; x < pixels; ++x, from += walk.to_right)
                    to = std::copy_n(from, channels, to);
            }
    return result;
}

} // namespace bowhist
