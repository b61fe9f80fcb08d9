#pragma once

#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pictures/raster.hpp>

namespace bowhist {

/// The picture, upright, at most `side` pixels a side (0 keeps the size), decoded in this process
/// by the decoder that its header names.
/// @throws Error{Fault::input} without a path; std::bad_alloc
DecodedPicture decode(const EncodedPicture &file, Color color, int side);

} // namespace bowhist
