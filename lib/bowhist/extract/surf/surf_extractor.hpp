#pragma once

#include <bowhist/extract/extractor.hpp>
#include <bowhist/extract/surf/surf_layers.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// SURF by the host's vector units: fast-Hessian keypoints (Bay, Ess, Tuytelaars, Van Gool 2008),
/// placed by Gaussian derivatives, described by M-SURF's overlapping cells (Agrawal, Konolige, Blas
/// 2008) or SURF's own (docs/descriptors.md). A device makes the same, bit for bit.
/// @throws Error{Fault::usage} for octaves, layers or a first size that make no sense
std::unique_ptr<Extractor> make_surf_extractor(const Recipe &recipe);

// Its steps, in their order.

/// The octaves' images: smoothed, and from the second on every second pixel of every second row
/// of the one before. The first has the image's size.
std::vector<IntegralImage> surf_pyramid(const Image &image, int octaves);

/// Maxima of the fast Hessian's determinant above the threshold in one octave's image, without
/// orientation: layer by layer, row by row. Responses are multiplied by their layer's factor before
/// they are compared with the threshold, and by the peak's weight (fit_peak) after that.
std::vector<Keypoint> find_surf(const IntegralImage &sums, int octave,
                                const std::vector<SurfLayer> &layers, float threshold);

/// Moves keypoints of one octave's image to the maxima, near them, of the determinant of Gaussian
/// derivatives. Keypoints without one stay where they are, and their responses become a thousandth.
/// Keypoints whose surroundings leave the image stay as they are.
void refine_surf(const IntegralImage &sums, std::span<Keypoint> keypoints);

/// Haar responses of one size at every corner of pixels, for samples that are many: both packed
/// into a number, so that a sample takes one look-up and not eight.
struct HaarMap {
    static constexpr int largest_half = 4; ///< pixels, whose responses fit 16 bits

    HaarMap(const IntegralImage &sums, int half);

    std::vector<std::int32_t> values; ///< rows as the sums'; x in the lower half, y in the upper
};

/// Turns keypoints of one octave's image to their gradient, unless the recipe is upright, and
/// sums up Haar responses around them: 64 floats for each.
std::vector<float> describe_surf(const IntegralImage &sums, const Recipe &recipe,
                                 std::span<Keypoint> keypoints);

} // namespace bowhist
