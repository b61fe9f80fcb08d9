#pragma once

#include <bowhist/pictures/codecs/codecs.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// What OpenCV decodes: what no other library does, at most `side` pixels a side (0 keeps the
/// size), as it is stored. @throws Error{Fault::input} without a path; std::bad_alloc
DecodedPicture decode_by_opencv(const EncodedPicture &file, Colour colour, int side);

/// What OpenCV writes under that ending (".png"). @throws Error{Fault::output} without a path
std::vector<std::uint8_t> encode_by_opencv(const std::string &ending, const Raster &picture);

/// As Codecs::draw. @throws Error{Fault::output} without a path
Raster draw_by_opencv(const Image &image, std::span<const Keypoint> keypoints, KeypointShape shape);

/// OpenCV starts no threads in this process from now on.
void use_one_opencv_thread();

/// The first frame of a GIF, laid over its ground (pictures/ground.hpp), at most `side` pixels a
/// side (0 keeps the size).
/// @throws Error{Fault::input} without a path: damaged, or a build without giflib; std::bad_alloc
Raster decode_gif(const EncodedPicture &file, Colour colour, int side);

/// The primary picture of a HEIC or AVIF, upright as its own boxes tell (its EXIF orientation
/// repeats them and is ignored, as the standard demands), laid over its ground
/// (pictures/ground.hpp), at most `side` pixels a side (0 keeps the size).
/// @throws Error{Fault::input} without a path: damaged, a codec that this libheif lacks, or a build
///         without libheif; std::bad_alloc
Raster decode_heif(const EncodedPicture &file, Colour colour, int side);

/// A JPEG 2000 whose components differ in size, which OpenCV does not read; at most `side` pixels a
/// side (0 keeps the size). Grey is its luma, where it has one. Alpha is ignored.
/// @throws Error{Fault::input} without a path: damaged, or a build without OpenJPEG; std::bad_alloc
Raster decode_subsampled_jp2(const EncodedPicture &file, Colour colour, int side);

} // namespace bowhist
