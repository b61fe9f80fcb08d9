#pragma once

#include <bowhist/duplicates/block_test.hpp>
#include <bowhist/duplicates/own_parts.hpp>
#include <bowhist/duplicates/thumbnail.hpp>
#include <bowhist/search/geometry.hpp>

namespace bowhist {

/// An image's thumbnail and the size of its original.
struct SizedThumbnail {
    Thumbnail thumbnail;
    int width = 0; ///< pixels of the upright original
    int height = 0;
};

/// What of an image lies beyond another that is laid over it.
struct Beyond {
    double share = 0; ///< of its area
    double flat = 0;  ///< share of what lies beyond that has about one level
    double step = 0;  ///< by how many levels pixels differ more across the edge of what both show
};

/// Two images, laid over each other.
struct PixelComparison {
    AffineMap map = {}; ///< from the first to the second, in pixels of the upright originals
    OverlayAgreement agreement = {};
    Beyond first = {}; ///< of the first image, beyond the second
    Beyond second = {};
    double tone = 0;   ///< mean change of levels that lays the one's over the other's
    double chroma = 0; ///< mean difference of colors, in levels
    /// What both show: is it the first that has more in it where the blocks differ? -1 … 1
    double busier = 0;
    OwnParts own = {}; ///< of the first image, as the lower one, and of the second
    double plain = 0;  ///< share of about one level, in the image that has less of it
};

/// Lays thumbnails over each other and compares them in the size of the smaller view.
/// @param map  as the result's, found by keypoints
PixelComparison compare_pixels(const SizedThumbnail &first, const SizedThumbnail &second,
                               const AffineMap &map);

} // namespace bowhist
