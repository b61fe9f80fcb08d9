#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/search/geometry.hpp>

#include <cstddef>

namespace bowhist {

/// The part of an image that lies beyond another one: the rest of the picture, a border, or other
/// pictures. The *edge* is where the other image ends within this one; it has up to four sides.
/// Whether the picture continues across it is measured here; judgement.cpp has the limits.
///
/// All values are 0 if the image shows nothing beyond the other one.
struct Beyond {
    double share = 0; ///< share of the image's area that lies beyond
    double flat = 0;  ///< share of what lies beyond that is within 10 levels of its most common one
    /// Share of what lies along the edge that has another level than most beyond: things that reach
    /// across the edge, on plain ground.
    double crossed = 0;
    double step = 0; ///< levels by which pixels differ more across the edge than within what both
                     ///< show
    /// The mean change of levels across the edge, divided by that a few pixels beside it, in lines
    /// that cross it. About 1 or less where the picture continues, more where something else
    /// begins, or where the other image begins again as in a mirror.
    double seam = 0;
    double breaks = 0;     ///< share of the edge where levels change more than anywhere near it
    double least_seam = 0; ///< the least seam of a side; sides with little change do not count
    double most_seam = 0;  ///< the same, the most
    double change = 0;     ///< mean change in levels across the edge or beside it, the larger one
    double faded = 0;      ///< how the other image fades out along its edge (fading.hpp)
    std::size_t thick = 0; ///< textured blocks with textured ones all around: a picture has some, a
                           ///< line of text has none
};

/// Measures what an image shows beyond another one.
/// @param map  from the image to the other one, in their pixels; its scale is about 1
Beyond beyond(const Image &image, const AffineMap &map, const Image &other);

} // namespace bowhist
