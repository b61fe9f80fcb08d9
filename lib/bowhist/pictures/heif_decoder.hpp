#pragma once

#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pictures/raster.hpp>

namespace bowhist {

/// The primary picture of a HEIC or AVIF, upright as its own boxes tell (its EXIF orientation
/// repeats them and is ignored, as the standard demands), laid over white, at most `side` pixels a
/// side (0 keeps the size).
/// @throws Error{Fault::input} without a path: damaged, a codec that this libheif lacks, or a build
///         without libheif; std::bad_alloc
Raster decode_heif(const EncodedPicture &file, Colour colour, int side);

} // namespace bowhist
