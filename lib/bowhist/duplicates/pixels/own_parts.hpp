#pragma once

#include <bowhist/duplicates/pixels/alignment.hpp>
#include <bowhist/duplicates/pixels/moved_things.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace bowhist {

/// Pixels of an overlay, at first none.
struct Box {
    int left = std::numeric_limits<int>::max();
    int top = std::numeric_limits<int>::max();
    int right = -1; ///< the last one
    int bottom = -1;

    void add(int x, int y) {
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    }
    bool holds(int x, int y) const { return left <= x && x <= right && top <= y && y <= bottom; }
    bool is_empty() const { return right < left; }
    int width() const { return right - left + 1; }
    int height() const { return bottom - top + 1; }
};

/// Squares of an overlay's pixels, row after row.
struct Squares {
    static constexpr int side = 12; ///< pixels

    int columns = 0, rows = 0;
    std::vector<std::uint8_t> marked = {};

    bool at(int column, int row) const {
        return column >= 0 && row >= 0 && column < columns && row < rows &&
               marked[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                      static_cast<std::size_t>(column)] != 0;
    }
    /// Whether a pixel's square or one beside it is marked.
    bool are_near(int x, int y) const {
        for (const int row : {y / side - 1, y / side, y / side + 1})
            for (const int column : {x / side - 1, x / side, x / side + 1})
                if (at(column, row)) return true;
        return false;
    }
};

/// The parts of two images, one over the other, where they differ. One of them continues there from
/// beside the place. The other begins something of its own: a text, a sticker, a thing that moved.
struct OwnParts {
    std::size_t lower = 0; ///< pixels at whose edge something of the lower image's own begins
    std::size_t upper = 0;
    /// The pixels among these that the other image does not hide. A thing laid over an image has
    /// few levels: those that it begins with. If the image beside it happens to have one of them,
    /// the other image seems to begin something.
    std::size_t lower_unhidden = 0;
    std::size_t upper_unhidden = 0;
    /// The pixels among these where the other image shows another level than the tones of the two
    /// say. A light that is clipped has the level that they say.
    std::size_t lower_untoned = 0;
    std::size_t upper_untoned = 0;
    /// The pixels among these that belong to strokes, where the other image has no step at all.
    std::size_t lower_narrow = 0;
    std::size_t upper_narrow = 0;
    std::size_t pixels = 0;       ///< that differ
    std::size_t thick_pixels = 0; ///< of these, those amid others
    double change = 0;            ///< mean levels from pixel to pixel there, of the plainer image
    double change_around = 0;     ///< the same around that, of the other one
    MovedThing moved;             ///< a thing that both show, at two places
    Box laid_over;                ///< of what the image that begins more begins alone
    Box filled;       ///< around all that differs throughout and may be a picture, or empty
    Squares of_lower; ///< where the lower image begins more than the upper one
    Squares of_upper;
    double flatter = 0; ///< by how much more of what differs has one level in the lower image

    /// Whether one image begins much more than the other: it has something laid over it, which may
    /// hide letters.
    bool is_one_sided() const {
        constexpr std::size_t much_more = 20, few = 10;
        const auto [less, more] = std::minmax(lower, upper);
        return more >= much_more * std::max(less, few);
    }

    /// Something is laid over one image at most; else things moved, or other things are shown.
    bool of_both() const;
    /// Both images have letters of their own. Letters hide little, so neither image has many edges
    /// of strokes where only the other one has letters; and what they hide changes no more than
    /// what lies around it.
    bool are_captions() const;
};

/// float64, + - × ÷ only, in a fixed order.
OwnParts own_parts(const Overlay &overlay);

} // namespace bowhist
