#pragma once

#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pictures/raster.hpp>

namespace bowhist {

/// The first frame of a GIF, laid over white, at most `side` pixels a side (0 keeps the size).
/// @throws Error{Fault::input} without a path: damaged, or a build without giflib; std::bad_alloc
Raster decode_gif(const EncodedPicture &file, Colour colour, int side);

} // namespace bowhist
