#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// A word of an image, with its keypoint.
struct PlacedWord {
    std::uint32_t word = 0;
    float x = 0, y = 0;     ///< pixels of the image that was described
    std::uint8_t scale = 0; ///< in 24ths of an octave, from any start
    std::uint8_t angle = 0; ///< in 256ths of a turn
};

/// x' = a11·x + a12·y + tx, y' = a21·x + a22·y + ty.
struct AffineMap {
    double a11 = 1, a12 = 0, tx = 0;
    double a21 = 0, a22 = 1, ty = 0;

    double determinant() const { return a11 * a22 - a12 * a21; }
    bool operator==(const AffineMap &) const = default;
};

/// Keypoints of two images that belong together: indices into each image's words.
struct WordPair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;

    bool operator==(const WordPair &) const = default;
};

/// How one image lies in another.
struct AffineAgreement {
    AffineMap map = {};               ///< from the first image to the second
    std::vector<WordPair> pairs = {}; ///< that agree with it; no keypoint is in two
    double residual = 0;              ///< the root of their mean squared distance, in pixels
    std::size_t proposed = 0;         ///< pairs of equal words that were looked at

    std::size_t size() const { return pairs.size(); }
};

/// Finds the affine map that most keypoints of equal words agree with.
///
/// Each pair of equal words proposes a similarity by its positions, scales and angles, so no draws
/// are needed (Jégou, Douze and Schmid 2008 vote on these; here each proposal is counted). The
/// eight best are refined to affine maps by least squares. Words with more than 4 keypoints in
/// either image are left out; the 400 pairs of the rarest other words count.
///
/// float64, + - × ÷ √ only, in a fixed order: the same bits everywhere. One thread, any number at
/// once.
/// @param first, second  by rising word
/// @return no pairs where fewer than 3 agree
AffineAgreement find_agreement(std::span<const PlacedWord> first,
                               std::span<const PlacedWord> second);

/// Pairs at least `distance` pixels from all others before them, in both images: keypoints at one
/// spot count once.
std::size_t places(const AffineAgreement &agreement, std::span<const PlacedWord> first,
                   std::span<const PlacedWord> second, double distance);

/// An angle's cosine and sine.
struct Turn {
    double cosine = 1;
    double sine = 0;
};

/// The turn by an angle in 256ths of a turn, computed by repeated halves and products, so that the
/// bits are the same everywhere.
Turn turn_of(std::uint8_t angle);

/// 2^(n/24), for n from -255 to 255.
double octaves(int parts);

} // namespace bowhist
