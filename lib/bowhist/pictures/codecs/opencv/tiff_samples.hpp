#pragma once

#include <bowhist/pictures/codecs/opencv/samples.hpp>
#include <bowhist/pictures/codecs/opencv/tiff_file.hpp>

namespace bowhist {

/// Grey, or blue, green and red; then alpha where there is one: in the smallest depth of a cv::Mat
/// that holds them. Integers of 64 bits become doubles, floats of 24 become floats.
/// @throws Error{Fault::input} without a path
Samples read_tiff_samples(const TiffFile &file, const TiffLayout &layout);

} // namespace bowhist
