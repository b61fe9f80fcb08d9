// GIF: a canvas, then extensions and frames, each ending in blocks of a length and as many bytes,
// of which the last is empty.

#include <bowhist/pictures/container/gif_frame.hpp>

namespace bowhist {
namespace {

constexpr std::uint8_t extension = 0x21;
constexpr std::uint8_t image = 0x2C;

/// The bytes of the palette that these flags announce.
std::uint64_t palette_bytes(std::uint8_t flags) {
    constexpr std::uint8_t has_palette = 0x80;
    return (flags & has_palette) != 0 ? std::uint64_t{3} << ((flags & 7) + 1) : 0;
}

std::uint64_t behind_blocks(const Bytes &file, std::uint64_t at) {
    while (file.at(at) != 0) at += 1 + file.at(at);
    return at + 1;
}

constexpr std::uint64_t description_bytes = 10; ///< of a frame, without its palette

/// The offset of the next frame's description, behind extensions; without a frame, one beyond the
/// end.
std::uint64_t image_from(const Bytes &file, std::uint64_t at) {
    while (file.at(at) == extension) at = behind_blocks(file, at + 2);
    return file.at(at) == image ? at : file.size();
}

std::uint64_t first_image(const Bytes &file) {
    return image_from(file, 13 + palette_bytes(file.at(10)));
}

} // namespace

GifFrame first_gif_frame(const Bytes &file) {
    const auto at = first_image(file);
    GifFrame frame{.canvas_width = file.little(6, 2),
                   .canvas_height = file.little(8, 2),
                   .left = file.little(at + 1, 2),
                   .top = file.little(at + 3, 2),
                   .width = file.little(at + 5, 2),
                   .height = file.little(at + 7, 2),
                   .data_at = at + 11 + palette_bytes(file.at(at + 9))}; // behind the code size
    if (frame.width <= frame.canvas_width && frame.height <= frame.canvas_height) return frame;
    frame.canvas_width = frame.width;
    frame.canvas_height = frame.height;
    frame.left = frame.top = 0;
    return frame;
}

std::uint32_t gif_frames(const Bytes &file) {
    std::uint32_t count = 0;
    for (auto at = first_image(file); file.holds(at, description_bytes);) {
        ++count;
        at = image_from(
            file, behind_blocks(file, at + description_bytes + 1 + palette_bytes(file.at(at + 9))));
    }
    return count;
}

void shorten_last_block(std::span<char> gif) {
    const Bytes file({gif.data(), gif.size()});
    auto at = first_gif_frame(file).data_at;
    while (file.at(at) != 0 && file.holds(at, 1 + file.at(at))) at += 1 + file.at(at);
    if (file.at(at) != 0) gif[at] = static_cast<char>(file.size() - at - 1);
}

} // namespace bowhist
