#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/search/geometry.hpp>

#include <cstddef>

namespace bowhist {

/// What an image shows beyond another one that lies over it: the rest of the picture, a frame, or
/// other pictures.
struct Beyond {
    double share = 0; ///< of its area
    double flat = 0;  ///< share of what lies beyond that has about one level
    /// Share of what lies along the edge of what both show that has another level than most beyond:
    /// things that reach across the edge, on plain ground.
    double crossed = 0;
    double step = 0; ///< by how many levels pixels differ more across the edge of what both show
    /// How much levels change across that edge, to how much they change beside it, along lines that
    /// run as the edge does. About 1 where the picture goes on, and more where something else
    /// begins.
    double seam = 0;
    double breaks = 0;     ///< share of that edge where levels change more than anywhere near it
    double least_seam = 0; ///< of the sides of that edge whose levels change
    double most_seam = 0;
    double change = 0;     ///< levels across the edge, or beside it where they change more there
    std::size_t thick = 0; ///< textured blocks amid textured ones: a picture, no line of text
};

/// @param map  from the image to the other one; about as many pixels in both
Beyond beyond(const Image &image, const AffineMap &map, const Image &other);

} // namespace bowhist
