#pragma once

#include <bowhist/pictures/codecs/codecs.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

// Functions of the libraries that this build has, for codecs_module.cpp. A file of a library is
// compiled only with the library. Decoders return at most `side` pixels a side (0 keeps the size),
// and throw Error{Fault::input} without a path for damage, or std::bad_alloc.

/// The first frames of a GIF, `most` at most, as browsers show them: each with what those before
/// it left, laid over its ground (pictures/ground.hpp). Never empty.
std::vector<Raster> decode_gif_frames(const EncodedFile &file, Color color, int side,
                                      std::size_t most);

/// The primary image of a HEIC or AVIF, upright by its own boxes (its Exif orientation repeats
/// them and is ignored, as the standard demands), laid over its ground (pictures/ground.hpp).
/// A codec that this libheif lacks is an Error{Fault::input}, too.
Raster decode_heif(const EncodedFile &file, Color color, int side);

/// A JPEG 2000 whose components differ in size. Grey is its luma, where it has one. Alpha is
/// ignored.
Raster decode_subsampled_jp2(const EncodedFile &file, Color color, int side);

/// Every other kind but JPEG, as it is stored.
DecodedImage decode_by_opencv(const EncodedFile &file, Color color, int side);

/// The frames of an animated WebP, `most` at most, in grey; of any other kind its image.
std::vector<Raster> decode_frames_by_opencv(const EncodedFile &file, int side, std::size_t most);

/// The bytes that OpenCV writes under that ending (".png"). @throws Error{Fault::output} without a
/// path
std::vector<std::uint8_t> encode_by_opencv(const std::string &ending, const Raster &image);

/// As Codecs::draw. @throws Error{Fault::output} without a path
Raster draw_by_opencv(const Image &image, std::span<const Keypoint> keypoints, KeypointShape shape);

/// OpenCV starts no threads in this process from now on.
void use_one_opencv_thread();

} // namespace bowhist
