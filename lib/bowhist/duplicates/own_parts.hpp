#pragma once

#include <bowhist/duplicates/alignment.hpp>

#include <cstddef>

namespace bowhist {

/// Where one image lies over another and both differ, one of them goes on from beside that place,
/// and the other begins something of its own: a text, a sticker, a thing that moved.
struct OwnParts {
    std::size_t lower = 0; ///< pixels at whose edge something of the lower image's own begins
    std::size_t upper = 0;
    /// Of these, pixels that the other image does not hide: what is laid over an image has few
    /// levels, those that it begins with. Where the image beside happens to have one of them, the
    /// other seems to begin something.
    std::size_t lower_unhidden = 0;
    std::size_t upper_unhidden = 0;
    double flatter = 0; ///< by how much more of what differs has one level in one of the images

    /// Something is laid over one image at most; else things moved, or other things are shown.
    bool of_both() const;
};

/// float64, + - × ÷ only, in a fixed order.
OwnParts own_parts(const Overlay &overlay);

} // namespace bowhist
