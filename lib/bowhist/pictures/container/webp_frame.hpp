#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <cstdint>
#include <span>

namespace bowhist {

/// A frame of an animated WebP as a WebP of its own, and where it lies on the canvas, in pixels.
struct WebpFrame {
    std::span<char> file; ///< within the WebP's bytes; empty without a frame
    std::uint64_t left = 0;
    std::uint64_t top = 0;
    bool is_laid_over = false;     ///< else it replaces what is below, its alpha, too
    bool is_cleared_after = false; ///< its place, before the next frame
};

/// True for a WebP that says of itself that it is animated.
bool is_animated_webp(const Bytes &webp);

/// The number of whole frames of an animated WebP.
std::uint32_t webp_frames(const Bytes &webp);

/// The frames of an animated WebP, one after another.
class WebpFrames {
  public:
    explicit WebpFrames(std::span<char> webp); ///< outlives it

    /// Writes the frame's headers in front of its data, over what the file has there: over the end
    /// of the frame before. Empty behind the last.
    WebpFrame next();

  private:
    std::span<char> webp_;
    std::uint64_t at_; ///< of the next frame's chunk
};

} // namespace bowhist
