#include <bowhist/pictures/codecs/opencv/samples.hpp>

#include <bowhist/pictures/ground.hpp>
#include <bowhist/pictures/raster.hpp>

#include <algorithm>
#include <array>

namespace bowhist {
namespace {

/// From samples to bytes: less `black`, times `scale`.
struct Mapping {
    double black;
    double scale;

    template <typename Sample>
    std::uint8_t operator()(Sample sample) const {
        const double value = (static_cast<double>(sample) - black) * scale;
        return static_cast<std::uint8_t>(value > 0 ? std::min(value + 0.5, 255.0)
                                                   : 0.0); // NaN > 0 is false
    }
};

template <typename Sample>
cv::Mat scaled(const cv::Mat &samples, const SampleRange &range) {
    const int channels = samples.channels();
    std::array<Mapping, 4> mappings;
    mappings.fill({range.black, 255.0 / (range.white - range.black)});
    if (channels % 2 == 0) mappings[channels - 1] = {0, 255.0 / range.opaque};
    cv::Mat result(samples.size(), CV_MAKETYPE(CV_8U, channels));
    for (int y = 0; y < samples.rows; ++y) {
        const auto *from = samples.ptr<Sample>(y);
        auto *to = result.ptr<std::uint8_t>(y);
        if (channels % 2 != 0) {
            std::transform(from, from + samples.cols * channels, to, mappings[0]);
            continue;
        }
        for (int x = 0; x < samples.cols; ++x)
            for (int c = 0; c < channels; ++c) *to++ = mappings[c](*from++);
    }
    return result;
}

bool is_as_it_is(const Samples &samples, const SampleRange &range) {
    return samples.pixels.depth() == CV_8U && range.black == 0 && range.white == 255 &&
           range.opaque == 255;
}

} // namespace

cv::Mat eight_bits(const Samples &samples, cv::Range rows, const SampleRange &range) {
    const cv::Mat band = samples.pixels.rowRange(rows);
    if (is_as_it_is(samples, range)) return band;
    return with_sample_type(band, samples.is_unsigned, [&](const cv::Mat &typed, auto zero) {
        return scaled<decltype(zero)>(typed, range);
    });
}

cv::Mat over_ground(const cv::Mat &pixels, Alpha alpha, std::uint8_t ground) {
    const int channels = pixels.channels();
    if (channels % 2 != 0) return pixels;
    const int colors = channels - 1;
    cv::Mat result(pixels.size(), CV_MAKETYPE(CV_8U, colors));
    for (int y = 0; y < pixels.rows; ++y) {
        const auto *from = pixels.ptr<std::uint8_t>(y);
        auto *to = result.ptr<std::uint8_t>(y);
        for (int x = 0; x < pixels.cols; ++x, from += channels, to += colors) {
            const int opacity = alpha == Alpha::ignored ? 255 : from[colors];
            for (int c = 0; c < colors; ++c)
                to[c] = over(ground, from[c], opacity, alpha == Alpha::premultiplied);
        }
    }
    return result;
}

std::uint8_t ground_of(const Samples &samples, const SampleRange &range) {
    if (!samples.has_alpha() || samples.alpha == Alpha::ignored) return Ground::white;
    const int channels = samples.pixels.channels();
    const bool premultiplied = samples.alpha == Alpha::premultiplied;
    Ground ground;
    for (int y = 0; y < samples.pixels.rows; ++y) {
        const cv::Mat row = eight_bits(samples, {y, y + 1}, range);
        const auto *from = row.ptr<std::uint8_t>(0);
        for (int x = 0; x < row.cols; ++x, from += channels) {
            const int grey = channels == 2 ? from[0] : grey_of(from[2], from[1], from[0]);
            ground.add_transparent(grey, from[channels - 1], premultiplied);
        }
    }
    return ground.choice();
}

} // namespace bowhist
