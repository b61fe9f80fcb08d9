#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <cstdint>
#include <span>

namespace bowhist {

/// A GIF's canvas and where its first frame lies on it, in pixels, as browsers see them: a frame
/// that is wider or higher than the canvas becomes the canvas. Parts of any other frame beyond it
/// are cut off.
struct GifFrame {
    std::uint64_t canvas_width = 0;
    std::uint64_t canvas_height = 0;
    std::uint64_t left = 0;
    std::uint64_t top = 0;
    std::uint64_t width = 0; ///< 0 where there is no frame
    std::uint64_t height = 0;
    std::uint64_t data_at = 0; ///< offset of its blocks: a length, and as many bytes
};

GifFrame first_gif_frame(const Bytes &file);

/// The number of frames whose description is there.
std::uint32_t gif_frames(const Bytes &file);

/// Shortens the block of the first frame that the end of the file cuts off to what is there of it.
/// A decoder then finds out whether that is enough.
void shorten_last_block(std::span<char> gif);

} // namespace bowhist
