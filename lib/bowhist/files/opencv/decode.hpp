#pragma once

#include <bowhist/files/picture_file.hpp>

#include <opencv2/core/mat.hpp>

namespace bowhist {

enum class Colour { grey, bgr };

/// The picture in 8 bits, one channel or three, shrunk to at most `side` pixels (0 keeps the size).
/// Empty when OpenCV cannot decode it. What OpenCV throws is let through.
cv::Mat decode(PictureFile file, Colour colour, int side);

} // namespace bowhist
