#pragma once

#include <opencv2/core/mat.hpp>

#include <cstdint>

namespace bowhist {

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
