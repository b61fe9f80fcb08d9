#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/search/geometry.hpp>

#include <algorithm>

namespace bowhist {

/// A rectangle of an upright original, in pixels.
struct PartOfImage {
    int left = 0;   ///< the first column
    int top = 0;    ///< the first row
    int right = 0;  ///< one past the last column
    int bottom = 0; ///< one past the last row

    bool operator==(const PartOfImage &) const = default;
};

/// The least part of an image that holds a part of another one.
/// @param map  from the other one
PartOfImage holding_part(const AffineMap &map, const PartOfImage &other);
/// The same without its edges, which lie beside those of a frame.
PartOfImage part_under(const AffineMap &map, const PartOfImage &other);
PartOfImage common_part(const PartOfImage &one, const PartOfImage &other);

/// How well pixels show something. The defaults are those of a part that is too small to say.
struct ImageQuality {
    /// How much pixels differ from the means of their neighbors, in levels, without the edges of
    /// JPEG's blocks, which are no detail; and the same of the image in half the size.
    double finest = 0, coarser = 0;
    /// How many levels are in use, 1 … 256: each counts by the root of its pixels.
    double levels = 256;
    /// How much more levels change at the edges of JPEG's blocks than elsewhere, as a factor:
    /// about 1 at usual qualities, above 1.6 where a coarse encoding shows. No later encoding takes
    /// the edges away, but another size does.
    double blocks = 1;

    /// The share of pixels that show detail of their own: 1 and more for a sharp image, little for
    /// one that was enlarged or blurred. The eighth power of how sharp it is.
    double detail() const;
    /// The same, 1 at most.
    double share_of_detail() const { return std::min(detail(), 1.0); }
    /// Whether most levels are gone that the other one, a photograph of the same pixels, has.
    /// Drawings have few: their copies in JPEG get more, but below 100.
    bool lacks_levels_of(const ImageQuality &other) const {
        return other.levels >= 100 && levels < 0.5 * other.levels;
    }
    /// Whether blocks show that do not show in the other one, of the same pixels.
    bool is_coarser_than(const ImageQuality &other) const {
        constexpr double visible = 1.6; // JPEG's quality 75 and above have up to 1.4, 15 from 1.7
        return blocks >= visible && blocks >= 1.5 * other.blocks;
    }
};

/// float64, + - × ÷ √ only, in a fixed order.
/// @param image  in full size
/// @param part   what is measured of it; the image's edges limit it
ImageQuality quality_of(const Image &image, const PartOfImage &part);

} // namespace bowhist
