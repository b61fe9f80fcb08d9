#pragma once

#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/pictures/raster.hpp>

namespace bowhist {

/// The image, upright, at most `side` pixels a side (0 keeps the size), decoded in this process
/// by the decoder that its header names.
/// @throws Error{Fault::input} without a path; std::bad_alloc
DecodedImage decode(const EncodedImage &file, Color color, int side);

} // namespace bowhist
