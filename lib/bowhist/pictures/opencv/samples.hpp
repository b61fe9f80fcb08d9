#pragma once

#include <bowhist/pictures/picture_header.hpp>

#include <opencv2/core/mat.hpp>

namespace bowhist {

/// How a picture's last channel of two or four covers what lies below.
enum class Alpha {
    straight,      ///< colours are as if opaque
    premultiplied, ///< colours are multiplied by alpha already
    ignored        ///< the channel means nothing
};

/// What OpenCV's decoder of that format leaves in the alpha channel, at that depth.
Alpha alpha_of(const PictureHeader &header, int depth);

/// Samples of any depth as 0..255. `white` is the sample that becomes 255; 0: the depth's own
/// (1 for floats). What lies outside is clamped, NaN becomes 0.
cv::Mat eight_bits(const cv::Mat &samples, std::uint32_t white);

/// 8-bit samples without their alpha channel, laid over white. One or three channels stay as they
/// are.
cv::Mat over_white(const cv::Mat &samples, Alpha alpha);

} // namespace bowhist
