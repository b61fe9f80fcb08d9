#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/show/word_examples.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Cuts out what descriptors described, to look at in a page. A patch is a JPEG in color: the
/// square of 20 scales around the keypoint, turned as the keypoint is, of the upright original.
/// @param places  of one image, in which they were described; sizes known
/// @param side    pixels of each
/// @throws as read_image; damaged images are shown as far as they go
std::vector<std::string> cut_patches(const std::filesystem::path &file,
                                     std::span<const DescribedPlace> places, int side,
                                     ImageLimits limits = {});

/// A patch that is wanted, of an image among many.
struct WantedPatch {
    std::size_t image = 0;
    DescribedPlace place = {};
};

/// Patches of many images: each file is decoded once, a file on each thread.
/// @param files  of the images
/// @return a JPEG of each; empty where the place is unknown, or the file cannot be read: the
///         observer is warned of the first such file, and of their number
std::vector<std::string> cut_patches(const std::vector<std::string> &files,
                                     std::span<const WantedPatch> wanted, int side,
                                     const ImageLimits &limits, Observer &observer);

} // namespace bowhist
