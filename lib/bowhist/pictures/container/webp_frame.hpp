#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <cstdint>
#include <span>

namespace bowhist {

/// The first frame of an animated WebP as a WebP of its own, and where it lies on the canvas, in
/// pixels.
struct WebpFrame {
    std::span<char> file; ///< within the WebP's bytes; empty without a frame
    std::uint64_t left = 0;
    std::uint64_t top = 0;
};

/// True for a WebP that says of itself that it is animated.
bool is_animated_webp(const Bytes &webp);

/// Writes the frame's headers in front of its data, over what the file has there.
WebpFrame first_webp_frame(std::span<char> webp);

} // namespace bowhist
