#pragma once

#include <bowhist/search/geometry.hpp>

namespace bowhist {

/// Pixels of one size of an image in a pixel of another size: x there = (x here + ½)·x - ½.
struct PixelScale {
    double x = 1;
    double y = 1;
};

/// First `first`, then `then`.
inline AffineMap composed(const AffineMap &then, const AffineMap &first) {
    return {.a11 = then.a11 * first.a11 + then.a12 * first.a21,
            .a12 = then.a11 * first.a12 + then.a12 * first.a22,
            .tx = then.a11 * first.tx + then.a12 * first.ty + then.tx,
            .a21 = then.a21 * first.a11 + then.a22 * first.a21,
            .a22 = then.a21 * first.a12 + then.a22 * first.a22,
            .ty = then.a21 * first.tx + then.a22 * first.ty + then.ty};
}

/// REQUIRES: the determinant is not 0
inline AffineMap inverse(const AffineMap &map) {
    const double d = map.determinant();
    AffineMap result{map.a22 / d, -map.a12 / d, 0, -map.a21 / d, map.a11 / d, 0};
    result.tx = -(result.a11 * map.tx + result.a12 * map.ty);
    result.ty = -(result.a21 * map.tx + result.a22 * map.ty);
    return result;
}

inline AffineMap scaling(const PixelScale &scale) {
    return {scale.x, 0, 0.5 * scale.x - 0.5, 0, scale.y, 0.5 * scale.y - 0.5};
}

/// A map between two images as one between other sizes of both.
inline AffineMap between(const AffineMap &map, const PixelScale &from, const PixelScale &to) {
    return composed(scaling(to), composed(map, inverse(scaling(from))));
}

/// Mirrors an image of that width.
inline AffineMap mirroring(double width) {
    return {-1, 0, width - 1, 0, 1, 0};
}

} // namespace bowhist
