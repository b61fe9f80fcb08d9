#pragma once

#include <bowhist/core/image.hpp>

#include <cstddef>
#include <span>

namespace bowhist {

/// How alike frames or pages are.
struct FrameComparison {
    bool agree = false;
    bool doubtful =
        false;        ///< they agree, but another letter may be hidden in what encoding changed
    double score = 0; ///< correlation of small squares, 0 to 1
    std::size_t compared = 0; ///< pixels of the smaller side
};

/// Compares two frames in the smaller size of both, as far as encoding and shrinking change them.
FrameComparison compare_frames(const Image &one, const Image &other);

/// The same of two files' frames, in their order, and letter by letter (letter_test.hpp): another
/// number or little thing in a single frame is enough to differ.
/// @return the comparison of the frames that are least alike; no agreement where the numbers differ
FrameComparison compare_all_frames(std::span<const Image> one, std::span<const Image> other);

/// Finds the frame behind the first one that is most like a still.
FrameComparison compare_later_frames(const Image &still, std::span<const Image> frames);

} // namespace bowhist
