#pragma once

#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pictures/raster.hpp>

#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// The image, upright, at most `side` pixels a side (0 keeps the size), decoded in this process
/// by the decoder that its header names.
/// @throws Error{Fault::input} without a path; std::bad_alloc
DecodedImage decode(const EncodedFile &file, Color color, int side);

/// The frames or pages of an image, `most` at most, in grey, each upright and at most `side` pixels
/// a side. A GIF or an animated WebP gives its frames as a viewer shows them one after another, a
/// TIFF its full pages, and any other kind its image. Never empty.
/// @throws as decode
std::vector<Raster> decode_frames(const EncodedFile &file, int side, std::size_t most);

/// The results of decode() of a JPEG for several sides, and a view in color. Each reduction that
/// they need takes one decoding.
struct JpegViews {
    std::vector<Raster> grey; ///< for each side
    Raster color;             ///< luma and chroma (YCbCr) of at most `color_side`; empty where the
                              ///< file has no chroma
    std::string damage;
};

/// @param color_side  0: no view in color
/// @throws as decode
JpegViews decode_jpeg_views(const EncodedFile &file, std::span<const int> sides, int color_side);

} // namespace bowhist
