#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pictures/raster.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// How an image's keypoints are drawn: circles with a line in their orientation; or the outlines
/// of patches, and where these would hide the image, their middles.
enum class KeypointShape { circle, patch };

/// The functions of OpenCV, giflib, libheif and OpenJPEG that bowhist uses. They bring well over a
/// hundred shared libraries, which would cost every start of a program a tenth of a second; so they
/// live in a module that is loaded on first use. In a build without OpenCV all but those that
/// decode are null.
struct Codecs {
    /// The image as it is stored, at most `side` pixels a side (0 keeps the size). Every kind but
    /// JPEG. Only a HEIC or AVIF is turned upright, by its own boxes.
    /// @throws Error{Fault::input} without a path: damaged, or missing_library() names its library;
    ///         std::bad_alloc
    DecodedImage (*decode)(const EncodedFile &file, Color color, int side);

    /// The frames of a GIF or an animated WebP, `most` at most, in grey, as decode() makes the
    /// first; of any other kind its image. Never empty. @throws as decode
    std::vector<Raster> (*decode_frames)(const EncodedFile &file, int side, std::size_t most);

    /// A file of the image, of the format that the ending (".png") names.
    /// @throws Error{Fault::output} without a path
    std::vector<std::uint8_t> (*encode)(const std::string &ending, const Raster &image) = nullptr;

    /// The image with its keypoints in color. @throws Error{Fault::output} without a path
    Raster (*draw)(const Image &image, std::span<const Keypoint> keypoints,
                   KeypointShape shape) = nullptr;

    /// Keeps the libraries from starting threads in this process.
    void (*use_one_thread)() = nullptr;
};

/// The module, loaded once. Safe to call from many threads.
/// @throws Error{Fault::input}: it is not installed, or cannot be loaded
const Codecs &codecs();

} // namespace bowhist
