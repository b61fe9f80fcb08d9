#include <bowhist/pictures/opencv/samples.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace bowhist {
namespace {

template <typename Sample>
cv::Mat scaled(const cv::Mat &samples, std::uint32_t white) {
    const double depth_white = std::is_floating_point_v<Sample>
                                   ? 1.0
                                   : static_cast<double>(std::numeric_limits<Sample>::max());
    const double scale = 255.0 / (white > 0 ? white : depth_white);
    cv::Mat result(samples.size(), CV_MAKETYPE(CV_8U, samples.channels()));
    for (int y = 0; y < samples.rows; ++y) {
        const auto *from = samples.ptr<Sample>(y);
        const auto to_byte = [scale](Sample sample) {
            const double value = sample * scale;
            return static_cast<std::uint8_t>(value > 0 ? std::min(value + 0.5, 255.0)
                                                       : 0.0); // NaN > 0 is false
        };
        std::transform(from, from + samples.cols * samples.channels(), result.ptr<std::uint8_t>(y),
                       to_byte);
    }
    return result;
}

std::uint8_t blend(int colour, int alpha, bool premultiplied) {
    if (premultiplied) return static_cast<std::uint8_t>(std::min(255, colour + 255 - alpha));
    return static_cast<std::uint8_t>((colour * alpha + 255 * (255 - alpha) + 127) / 255);
}

} // namespace

Alpha alpha_of(const PictureHeader &header, int depth) {
    // OpenCV 4.6 finds alpha where BMP has none; libtiff's RGBA interface multiplies
    if (header.format == "BMP") return Alpha::ignored;
    if (header.format == "TIFF" && depth == CV_8U) return Alpha::premultiplied;
    return Alpha::straight;
}

cv::Mat eight_bits(const cv::Mat &samples, std::uint32_t white) {
    switch (samples.depth()) {
    case CV_8U:
        return white == 0 || white >= 255 ? samples : scaled<std::uint8_t>(samples, white);
    case CV_8S:
        return scaled<std::int8_t>(samples, white);
    case CV_16U:
        return scaled<std::uint16_t>(samples, white);
    case CV_16S:
        return scaled<std::int16_t>(samples, white);
    case CV_32S:
        return scaled<std::int32_t>(samples, white);
    case CV_32F:
        return scaled<float>(samples, white);
    default:
        return scaled<double>(samples, white);
    }
}

cv::Mat over_white(const cv::Mat &samples, Alpha alpha) {
    const int channels = samples.channels();
    if (channels % 2 != 0) return samples;
    const int colours = channels - 1;
    cv::Mat result(samples.size(), CV_MAKETYPE(CV_8U, colours));
    for (int y = 0; y < samples.rows; ++y) {
        const auto *from = samples.ptr<std::uint8_t>(y);
        auto *to = result.ptr<std::uint8_t>(y);
        for (int x = 0; x < samples.cols; ++x, from += channels, to += colours) {
            const int opacity = alpha == Alpha::ignored ? 255 : from[colours];
            for (int c = 0; c < colours; ++c) {
                to[c] = blend(from[c], opacity, alpha == Alpha::premultiplied);
            }
        }
    }
    return result;
}

} // namespace bowhist
