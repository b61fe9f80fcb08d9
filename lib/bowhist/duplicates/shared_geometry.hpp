#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/geometric_check.hpp>

#include <cstddef>

namespace bowhist {

/// An image's words where they lie, and those of its mirror image.
struct TwoSidedImage {
    /// @param recipe  of the words
    TwoSidedImage(const Library::Words &words, int width, int height, const Recipe &recipe);

    int width; ///< pixels of the upright original
    PlacedImage plain;
    PlacedImage mirrored; ///< without words where the library does not hold them
};

/// How two images share words and places.
struct SharedGeometry {
    std::size_t agree = 0;  ///< keypoints
    std::size_t places = 0; ///< of these, at least 5 pixels apart in both images
    double residual = 0;    ///< root of the mean squared distance, in described pixels
    double log_chance = 0;  ///< log₁₀ of how many such agreements chance makes, 0 at most
    AffineMap map = {};     ///< from the first to the second, in pixels of the upright originals

    // with what agrees with further maps: the sides of a thing that is seen from elsewhere
    std::size_t all_places = 0;
    double all_log_chance = 0;

    /// Whether the one map says that both images show the same thing, and whether all maps do.
    bool one_map_agrees() const;
    bool maps_agree() const;
};

/// Further maps are looked for where one does not say that both show the same thing.
/// @param mirrored  takes the first image's mirror image; the map's determinant is then negative
SharedGeometry shared_geometry(const TwoSidedImage &first, const TwoSidedImage &second,
                               bool mirrored);

} // namespace bowhist
