#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/extract/extract_launch.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace bowhist {

constexpr int dense_dimensions = PATCH_CELLS * PATCH_CELLS * PATCH_CHANNELS;
constexpr int smallest_patch = 8;
constexpr int largest_patch = 64;

/// Patches of one size (docs/descriptors.md). Every number that comes before a descriptor is scaled
/// to unit length is a whole number below 2^24, so that float32 holds it exactly and no order of
/// summing changes it: that is why descriptors are the same everywhere.
struct PatchShape {
    int size; ///< pixels a side, a multiple of PATCH_CELLS

    /// Pixels a side; a cell's tent reaches over cell() - 1 pixels on either side of its middle.
    int cell() const { return size / PATCH_CELLS; }
    /// The scale of its keypoints.
    float scale() const { return static_cast<float>(size) / 20; }
    /// Rounds of the binomial filter (1 2 1)/4 along both axes: sigma is about a sixth of a
    /// cell, 1.4 pixels at most.
    int smoothings() const;
    /// Bits of a smoothed grey value below the unit: as many as 2^24 leaves room for, at most 4.
    int fraction_bits() const;
    /// A cell's sum over an image whose derivative is one grey value per pixel throughout.
    double unit() const;
    /// Makes the squares of a patch's sums, added up, the square of its contrast.
    float contrast_unit() const { return static_cast<float>(1 / (unit() * unit())); }
    /// The sum of the squares of a patch's sums at this contrast, in grey values per pixel.
    float least_squares(double contrast) const;
};

/// Pixels from patch to patch in an image of this size: the recipe's; where that is 0, 4 in small
/// images, which would have too few words otherwise, else 8.
int dense_step(const Recipe &recipe, int width, int height);

/// As many patches as fit along an axis of that length, centered.
GridAxis grid_axis(int pixels, int step, const PatchShape &shape);

/// How many patches an image of this size has.
std::size_t patch_count(const std::vector<PatchShape> &shapes, int step, int width, int height);

/// The patches of a dense recipe, "16,32,64". @throws Error{Fault::usage} unless they are multiples
/// of 4 from smallest_patch to largest_patch in rising order, and the step is 0 or more
std::vector<PatchShape> patch_shapes(const Recipe &recipe);

/// "16,32,64"
std::string as_text(const std::vector<PatchShape> &shapes);

} // namespace bowhist
