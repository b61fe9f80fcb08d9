#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bowhist {

/// Two images that lie over each other: the pixels where they differ, and both levels, by rows.
struct DifferingLevels {
    int width = 0;
    int height = 0;
    bool toned = false;                     ///< the images have other tones
    std::vector<std::uint8_t> differs = {}; ///< 1: the images differ
    std::vector<std::uint8_t> own = {};     ///< 1: part of an area that differs; no lines
    std::vector<std::int8_t> begun = {};    ///< edges that the lower image begins here, less those
                                            ///< that the upper one begins
    std::vector<float> lower = {}, upper_as_lower = {}; ///< in the tones of the lower image
    std::vector<float> lower_as_upper = {}, upper = {}; ///< in the tones of the upper one

    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(x);
    }
    bool holds(int x, int y) const { return x >= 1 && y >= 1 && x + 1 < width && y + 1 < height; }
};

/// The pixels that differ and that a thing at two places explains.
struct MovedThing {
    std::size_t pixels = 0; ///< that differ
    std::size_t lower = 0;  ///< where only the lower image shows the thing
    std::size_t upper = 0;  ///< where only the upper one shows it
    double foreign = 0;     ///< edges that begin there in the image without the thing, less
                            ///< those of the one that shows it

    /// Whether a thing moved.
    bool is_seen() const;
};

/// Looks for a thing that stands at two places: what the lower image shows at one place, the upper
/// image shows at another, one way off, and both images differ at both places. A thing laid over
/// one image alone explains none of that: it hides levels that it does not have.
///
/// float32 and float64, + - only, in a fixed order.
MovedThing moved_thing(const DifferingLevels &levels);

} // namespace bowhist
