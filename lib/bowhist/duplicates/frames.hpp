#pragma once

#include <bowhist/duplicates/judgement.hpp>
#include <bowhist/duplicates/pair_check.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

// A library describes the first frame or page of a file. The other frames are read from the files.

/// The numbers of frames of images. The headers of the file give a number that the library does not
/// know. One thread at a time.
class FrameCounts {
  public:
    /// @param images  outlives the object
    explicit FrameCounts(const NumberedImages &images) : images_(images) {}

    /// 1 for a still; nothing where neither the library nor the file says it and the name ends as
    /// one of an animation may.
    std::optional<std::uint32_t> of(std::uint32_t image);

  private:
    const NumberedImages &images_;
    std::map<std::uint32_t, std::optional<std::uint32_t>> read_;
};

/// Corrects judgements of pairs in which a file has several frames. Two such files are copies only
/// if all frames agree. A still and a file that has it as a frame agree, but the still is no copy.
/// The comparison is kept as long as the sizes and times of both files stay.
/// @param judgements  one of each pair
/// @param unproven    of each pair: set where another letter may be hidden in a later page
/// @return of each pair the image that is a still and a frame of the other one
std::vector<std::optional<std::uint32_t>>
settle_frames(const NumberedImages &images, FrameCounts &counts, std::span<CheckedPair> pairs,
              std::span<Judgement> judgements, std::span<char> unproven, KeptPairs &kept,
              Observer &observer);

/// Hashes of all pixels of an image, and of all its frames.
struct WholePixels {
    bool is_still = true;
    std::string hash = {};   ///< of the image, or the first frame; empty: not known
    std::string frames = {}; ///< of all frames; empty for a still, or: not known
    std::uint32_t held = 0;  ///< bits of HeldBeyond

    bool is_known() const { return !hash.empty() && (is_still || !frames.empty()); }
    bool equals(const WholePixels &other) const {
        return is_known() && hash == other.hash && is_still == other.is_still &&
               frames == other.frames;
    }
};

std::map<std::uint32_t, WholePixels> whole_pixels(const NumberedImages &images, FrameCounts &counts,
                                                  const std::vector<std::uint32_t> &numbers,
                                                  KeptPairs &kept, Observer &observer);

} // namespace bowhist
