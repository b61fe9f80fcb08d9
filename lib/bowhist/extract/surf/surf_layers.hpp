#pragma once

#include <bowhist/core/recipe.hpp>

#include <vector>

namespace bowhist {

/// Box filters of one size, 3·lobe pixels a side, that approximate second derivatives of a Gaussian
/// (Bay, Ess, Tuytelaars, Van Gool 2008). An octave samples its responses every `step` pixels.
struct SurfLayer {
    int step;
    int lobe;      ///< pixels, odd
    int lobe_step; ///< from layer to layer of the octave

    /// Pixels that the filter reaches from its middle.
    int border() const { return 3 * lobe / 2; }
    /// Makes a sum of the filter a difference of grey values.
    float unit() const { return 1.0F / static_cast<float>(lobe * (2 * lobe - 1)); }
    /// Responses along an axis of so many pixels.
    int samples(int pixels) const { return (pixels + step - 1) / step; }
    /// The first sample whose filter, and those of its neighbours, lie in the picture.
    int first() const { return (border() + step - 1) / step; }
    /// And the one behind the last.
    int end(int pixels) const { return (pixels - 1 - border()) / step + 1; }
};

using SurfOctave = std::vector<SurfLayer>;

/// The octaves of a surf recipe, finest first. @throws Error{Fault::usage} for numbers that make no
/// sense
std::vector<SurfOctave> surf_octaves(const Recipe &recipe);

/// How a descriptor samples and weighs its surroundings: SURF's cells, or M-SURF's (Agrawal,
/// Konolige, Blas 2008), which overlap and are weighted by a Gaussian each.
struct SurfCells {
    int taps;                   ///< samples of a cell along an axis
    int samples;                ///< of all four
    std::vector<float> weights; ///< of each cell's taps: 4 × taps; the same along both axes
};

SurfCells surf_cells(const Recipe &recipe);

/// Weights of the samples around a keypoint that tell its orientation, and where they are, in
/// scales.
struct SurfCircle {
    std::vector<int> x;
    std::vector<int> y;
    std::vector<float> weights;
};

/// CIRCLE_SAMPLES of them, row by row.
SurfCircle surf_circle();

} // namespace bowhist
