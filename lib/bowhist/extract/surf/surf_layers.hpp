#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/extract/smoothing.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Sums of all pixels left of x and above y, in quarters of grey values, so that the sum of any
/// rectangle takes four look-ups. They wrap at 2^32; rectangles of less are still right.
class IntegralImage {
  public:
    static constexpr int slack = 64; ///< sums behind a row that vectors may touch

    explicit IntegralImage(const GreyPlane &grey)
        : width(grey.width), height(grey.height),
          stride(static_cast<std::ptrdiff_t>(round_up(width + 1 + slack, 16))),
          sums_(static_cast<std::size_t>(stride) * static_cast<std::size_t>(height + 1)) {
        for (int y = 0; y < height; ++y) {
            const std::int16_t *from = grey.row(y);
            const std::uint32_t *above = row(y) + 1;
            std::uint32_t *to = sums_.data() + (y + 1) * stride + 1;
            std::uint32_t sum = 0;
            for (int x = 0; x < width; ++x)
                to[x] = above[x] + (sum += static_cast<std::uint32_t>((from[x] + 2) >> 2));
        }
    }

    /// The sums over the first y rows: width + 1.
    const std::uint32_t *row(int y) const { return sums_.data() + y * stride; }

    int width;  ///< pixels of the image
    int height; ///< pixels of the image
    std::ptrdiff_t stride;

  private:
    std::vector<std::uint32_t> sums_;
};

/// Box filters of one size, 3·lobe pixels a side, that approximate second derivatives of a Gaussian
/// (Bay, Ess, Tuytelaars, Van Gool 2008).
struct SurfLayer {
    int lobe; ///< pixels, odd

    /// Pixels that the filter reaches from its middle.
    int border() const { return 3 * lobe / 2; }
    /// Pixels from the middle to the boxes of the mixed derivative. Bay's touch; where the boxes'
    /// middles lie sqrt(2)·lobe apart, they smooth as much as those of the other derivatives do,
    /// and a turned image answers alike.
    int apart() const;
    /// Makes a sum of the filter over quarters of grey values a difference of grey values.
    float unit() const { return 0.25F / static_cast<float>(lobe * (2 * lobe - 1)); }
    /// The weight of the mixed derivative's square: the determinant of a quadratic's is then the
    /// Hessian's.
    float weight() const;
    /// The factor of a keypoint's response in this octave (the first is 0): less than 1 above a
    /// scale of 4 pixels, for the places of large keypoints are less exact.
    float factor(int octave) const;
};

/// The filters of every octave, smallest first. @throws Error{Fault::usage} as
/// make_surf_extractor()
std::vector<SurfLayer> surf_layers(const Recipe &recipe);

/// Whether a layer is the first that is searched. No other finds smaller blobs, so its maxima need
/// no share of the responses of the layer below.
constexpr bool is_first_layer(int octave, std::size_t layer) {
    return octave == 0 && layer == 1;
}

constexpr int first_smoothings = 4; ///< rounds of the binomial filter before the first octave
constexpr int later_smoothings = 2; ///< and before each other, of every second pixel

/// How a descriptor samples and weighs its surroundings: SURF's cells, or M-SURF's (Agrawal,
/// Konolige, Blas 2008), which overlap and are weighted by a Gaussian each.
struct SurfCells {
    int taps;                   ///< samples of a cell along an axis
    int samples;                ///< of all four
    float step;                 ///< scales from sample to sample
    std::vector<float> weights; ///< of each cell's taps: 4 × taps; the same along both axes
};

SurfCells surf_cells(const Recipe &recipe);

/// Weights of the samples around a keypoint that make its orientation: SURF_CIRCLE_SIDE ×
/// SURF_CIRCLE_SIDE, row by row, a scale apart; 0 outside of the circle.
std::vector<float> surf_circle();

} // namespace bowhist
