#pragma once

#include <opencv2/core/mat.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace bowhist {

/// How an image's last channel of two or four covers what lies below.
enum class Alpha {
    straight,      ///< colors are as if opaque
    premultiplied, ///< colors are multiplied by alpha already
    ignored        ///< the channel means nothing
};

/// The rules that a file gives for its samples.
struct SampleRules {
    int bits = 8; ///< of one sample, as stored
    std::optional<double> black = {};
    std::optional<double> white = {}; ///< of both: the samples that show as black and as white
    bool is_white_doubtful = false;   ///< a sample above `white` proves it false
    int significant_bits = 0;         ///< of PNG's sBIT; 0: the file does not say
    bool white_is_zero = false;
};

/// A decoded image at full size, in its own depth.
struct Samples {
    cv::Mat pixels;           ///< grey, or blue, green and red; then alpha where there is one
    bool is_unsigned = false; ///< 32 bits without a sign, for which a cv::Mat has no depth
    Alpha alpha = Alpha::straight;
    SampleRules rules = {};

    bool has_alpha() const { return pixels.channels() % 2 == 0; }
};

/// The samples that become 0 and 255. `black` is the larger one if zero is white.
struct SampleRange {
    double black = 0;
    double white = 255;
    double opaque = 255;    ///< of alpha, whose 0 is transparent
    std::string guess = {}; ///< how it was found where the file does not say it; else empty
};

/// The range by the rules of docs/adr/0037: the one that the file says; else the bits that integers
/// of more than 8 bits need, an even number; 0 to 1 of floats, or from the smallest to the largest.
SampleRange range_of(const Samples &samples);

/// Rows of the image as 0 to 255. Samples outside the range are clamped, NaN is black.
cv::Mat eight_bits(const Samples &samples, cv::Range rows, const SampleRange &range);

/// 8-bit samples without their alpha channel, laid over the ground. One or three channels stay as
/// they are.
cv::Mat over_ground(const cv::Mat &pixels, Alpha alpha, std::uint8_t ground);

/// The ground of an image with an alpha channel (pictures/ground.hpp).
std::uint8_t ground_of(const Samples &samples, const SampleRange &range);

/// Calls `use` with the samples and a zero of their type. Halves become floats.
template <typename Use>
auto with_sample_type(const cv::Mat &samples, bool is_unsigned, Use use) {
    switch (samples.depth()) {
    case CV_8U:
        return use(samples, std::uint8_t{0});
    case CV_8S:
        return use(samples, std::int8_t{0});
    case CV_16U:
        return use(samples, std::uint16_t{0});
    case CV_16S:
        return use(samples, std::int16_t{0});
    case CV_32S:
        return is_unsigned ? use(samples, std::uint32_t{0}) : use(samples, std::int32_t{0});
    case CV_64F:
        return use(samples, double{0});
    default: {
        cv::Mat floats;
        samples.convertTo(floats, CV_32F);
        return use(floats, float{0});
    }
    }
}

} // namespace bowhist
