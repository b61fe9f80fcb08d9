#pragma once

#include <bowhist/duplicates/pixels/alignment.hpp>
#include <bowhist/duplicates/pixels/own_parts.hpp>

#include <cstddef>

namespace bowhist {

/// How two pages agree, letter by letter, where they lie over each other: what a fit leaves in
/// windows with ink (window_fit.hpp).
struct LetterAgreement {
    double changed = 0; ///< the most that is left, but for a few windows: noise stands alone
    double usual = 0;   ///< what is left in 99 of 100 windows
    std::size_t windows = 0;
    /// The share of what is no paper that lies near paper: all of letters and lines, little of a
    /// thing before a plain ground.
    double thin = 0;
};

/// Samples the upper image again where it lies over the lower one: the mean of all its pixels that
/// one pixel of the lower image covers, in exact places. Thin letters look otherwise after an image
/// was shrunk in steps that begin elsewhere.
/// @param upper  in its own size   @param map  from the lower image to it
void sample_areas(Overlay &overlay, const Image &upper, const AffineMap &map);

/// float64, + - × ÷ √ only, in a fixed order.
/// @param covered  what is laid over one of the images: windows there do not count
LetterAgreement letter_agreement(const Overlay &overlay, const Box &covered = {});

} // namespace bowhist
