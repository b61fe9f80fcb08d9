#pragma once

#include <bowhist/pictures/decode.hpp>

namespace bowhist {

/// A JPEG's picture, upright by EXIF, at most `side` pixels a side (0 keeps the size).
///
/// Grey is the luma as it is stored; of RGB, CMYK and YCCK it is the grey that OpenCV makes of
/// them. Where the picture is twice as large as `side` or more, libjpeg decodes it at 1/2, 1/4 or
/// 1/8.
/// @throws as JpegErrors::guard
DecodedPicture decode_jpeg(const EncodedPicture &file, Colour colour, int side);

} // namespace bowhist
