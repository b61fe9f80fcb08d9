#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/core/recipe.hpp>

#include <span>

namespace bowhist {

/// The effect of mirroring an image on descriptors of the recipe; none where it is unknown: only
/// `dense` and `surf` have cells as Mirroring describes.
Mirroring mirroring_of(const Recipe &recipe);

/// The descriptor of the same patch in the mirrored image. It has the bits that `dense` makes there
/// where the grid of patches is symmetric.
/// REQUIRES: 64 values each, that do not overlap; mirroring is not none
void mirror(std::span<const float> row, Mirroring mirroring, std::span<float> mirrored);

} // namespace bowhist
