#pragma once

#include <bowhist/duplicates/pixels/alignment.hpp>

#include <vector>

namespace bowhist {

/// How two images that lie over each other agree within a block of 12 x 12 pixels.
struct BlockAgreement {
    double correlation = 0;     ///< of levels averaged over 3 x 3 pixels: noise says little
    double shift = 0;           ///< pixels that the one still lies beside the other, beyond noise
    bool is_textured = false;   ///< in one of them at least; else the others say nothing
    bool has_shift = false;     ///< whether the block has enough texture to know its shift
    double lower_deviation = 0; ///< of its levels
    double upper_deviation = 0;
    int x = 0; ///< its first pixel
    int y = 0;
};

/// Whether it shows something else, of about as much texture, and of as much as letters have.
bool is_replaced(const BlockAgreement &block);

/// How two images agree where they lie over each other.
struct OverlayAgreement {
    std::vector<BlockAgreement> blocks; ///< those that lie within both, by rows
    std::size_t textured = 0;
    double lower_quartile = 0; ///< of the textured blocks' correlations
    double median = 0;
    double agreeing = 0;       ///< share of textured blocks with a correlation of 0.7 at least
    double lower_agreeing = 0; ///< the same of those that have texture in the lower image
    double upper_agreeing = 0;
    double shift_quartile = 0; ///< three quarters of the shifts are at most this
    double shift_nine_tenths = 0;
    std::size_t replaced = 0;  ///< blocks that show something else (is_replaced()); cloth has less
                               ///< texture than letters
    std::size_t differing = 0; ///< textured blocks that hardly correlate
    std::size_t poor = 0;      ///< textured blocks with a correlation below a half
    std::size_t alone = 0;     ///< differing blocks with texture in one image alone, of the image
                               ///< that has fewer of them
    std::size_t shifts = 0;    ///< blocks whose shift is known
    double deviation = 0;      ///< root of the mean squared difference, in levels
};

inline constexpr int block_side = 12; ///< pixels
inline constexpr double good_correlation = 0.7;

/// float64, + - × ÷ √ only, in a fixed order.
OverlayAgreement agreement_of(const Overlay &overlay);

} // namespace bowhist
