#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/core/recipe.hpp>

#include <span>

namespace bowhist {

/// What mirroring an image does to descriptors of the recipe; none where that is unknown: only
/// `dense` and `surf` have cells as Mirroring describes.
Mirroring mirroring_of(const Recipe &recipe);

/// The descriptor of the same patch in the mirrored image. Of `dense` it has the extractor's bits
/// where the grid of patches is symmetric.
/// REQUIRES: 64 values each, that do not overlap; mirroring is not none
void mirror(std::span<const float> row, Mirroring mirroring, std::span<float> mirrored);

} // namespace bowhist
