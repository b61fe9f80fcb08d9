#pragma once

#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/ground.hpp>
#include <bowhist/pictures/raster.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Decoded pixels of red, green, blue and, where there is one, alpha; 8 bits each.
struct RgbaRows {
    const std::uint8_t *samples;
    std::ptrdiff_t stride; ///< bytes from a row to the next
    PixelSize size;
    bool has_alpha;
    bool is_premultiplied; ///< colors are multiplied by alpha already
};

/// The ground that lies behind the rows (pictures/ground.hpp).
inline std::uint8_t ground_of(const RgbaRows &rows) {
    Ground ground;
    for (int y = 0; y < rows.size.height && rows.has_alpha; ++y) {
        const std::uint8_t *from = rows.samples + y * rows.stride;
        for (int x = 0; x < rows.size.width; ++x, from += 4) {
            const std::uint8_t grey = grey_of(from[0], from[1], from[2]);
            if (from[3] == 255) // most of them; nothing to lay
                ground.add(grey, grey);
            else
                ground.add_transparent(grey, from[3], rows.is_premultiplied);
        }
    }
    return ground.choice();
}

/// The image laid over its ground, at most `side` pixels a side (0 keeps the size).
inline Raster shrunk_on_ground(const RgbaRows &rows, Color color, int side) {
    const std::uint8_t ground = ground_of(rows);
    AreaAverage average(rows.size, shrunk(rows.size, side), color);
    std::vector<std::uint8_t> row(static_cast<std::size_t>(rows.size.width) *
                                  static_cast<std::size_t>(color));
    for (int y = 0; y < rows.size.height; ++y) {
        const std::uint8_t *from = rows.samples + y * rows.stride;
        std::uint8_t *to = row.data();
        for (int x = 0; x < rows.size.width; ++x, from += rows.has_alpha ? 4 : 3) {
            const bool is_opaque = !rows.has_alpha || from[3] == 255;
            const auto laid = [&](int sample) {
                return over(ground, sample, from[3], rows.is_premultiplied);
            };
            to = is_opaque ? put_pixel(to, color, from[0], from[1], from[2])
                           : put_pixel(to, color, laid(from[0]), laid(from[1]), laid(from[2]));
        }
        average.add(row.data());
    }
    return average.take();
}

} // namespace bowhist
