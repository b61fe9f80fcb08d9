#pragma once

#include <cstdint>

namespace bowhist {

/// A sample over the ground (0 or 255). `premultiplied`: it is multiplied by its alpha already.
inline std::uint8_t over(int ground, int sample, int alpha, bool premultiplied) {
    const int parts = premultiplied ? 255 * sample : sample * alpha;
    const int sum = (parts + ground * (255 - alpha) + 127) / 255;
    return static_cast<std::uint8_t>(sum < 255 ? sum : 255);
}

} // namespace bowhist
