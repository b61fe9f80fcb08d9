#pragma once

#include <bowhist/pictures/codecs/opencv/samples.hpp>
#include <bowhist/pictures/header/picture_header.hpp>

#include <string_view>

namespace bowhist {

/// The page of a TIFF that its header chose, as it is stored: not turned. libtiff makes 8 bits of
/// samples that have fewer and of kinds of color other than red, green and blue; its alpha is
/// mostly multiplied. All others are taken as they lie, in strips or tiles, together or apart.
/// @throws Error{Fault::input} without a path: damaged, or a kind that libtiff does not read
Samples read_tiff(std::string_view bytes, const ImageHeader &header);

} // namespace bowhist
