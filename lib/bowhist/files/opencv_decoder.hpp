#pragma once

#include <bowhist/files/picture_file.hpp>
#include <bowhist/files/raster.hpp>

namespace bowhist {

/// What OpenCV decodes: every readable picture but JPEG and GIF, at most `side` pixels a side (0
/// keeps the size). @throws Error{Fault::input} without a path; std::bad_alloc
Raster decode_by_opencv(PictureFile file, Colour colour, int side);

} // namespace bowhist
