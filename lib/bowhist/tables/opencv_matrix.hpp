#pragma once

#include <bowhist/tables/float_matrix.hpp>

namespace bowhist {

/// The first float matrix (CV_32F, one channel) in a file of OpenCV's cv::FileStorage: .yml, .yaml
/// or .xml. Its values stand there as numbers; base64 is refused.
/// @throws Error of the file's fault, saying which matrices were found instead
FloatMatrix read_opencv_matrix(InputFile &file);

} // namespace bowhist
