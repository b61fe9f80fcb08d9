#pragma once

#include <bowhist/library/library.hpp>
#include <bowhist/pictures/picture.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Patches of words in a library's images, cut by the positions that it holds: nothing is described
/// again.
class LibraryPatches {
  public:
    /// REQUIRES: the library has words; it outlives this
    /// @param side  pixels of a patch
    LibraryPatches(const Library &library, int side);

    /// A patch of each word, of the first of these images that has it, at its largest keypoint: a
    /// JPEG. Words without one are left out: all words if the library has no positions, and words
    /// whose file cannot be read.
    std::vector<std::string> of(std::span<const std::uint32_t> words,
                                std::span<const LibraryImage> images) const;

  private:
    const Library &library_;
    int side_;
    int described_side_ = 0; ///< pixels of the longer side of an image that is described
    bool enlarges_ = false;
};

} // namespace bowhist
