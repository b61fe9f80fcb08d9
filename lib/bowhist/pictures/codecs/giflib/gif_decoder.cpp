#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/container/gif_frame.hpp>
#include <bowhist/pictures/ground.hpp>
#include <bowhist/pictures/raster.hpp>

#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string_view>

namespace bowhist {
namespace {

[[noreturn]] void fail(int error) {
    if (error == D_GIF_ERR_NOT_ENOUGH_MEM) throw std::bad_alloc();
    const char *reason = GifErrorString(error);
    throw Error(Fault::input, fmt::format("damaged ({}); get the picture again",
                                          reason != nullptr ? reason : "no picture in the GIF"));
}

struct Close {
    void operator()(GifFileType *gif) const { DGifCloseFile(gif, nullptr); }
};
using Gif = std::unique_ptr<GifFileType, Close>;

struct Left {
    std::string_view bytes;
    std::string_view end = {"\0;", 2};
};

/// Hands giflib the next of the bytes that are left. Where the file's end is missing, the end of a
/// frame's blocks and that of the file follow.
int read(GifFileType *gif, GifByteType *to, int count) {
    auto &left = *static_cast<Left *>(gif->UserData);
    auto &part = left.bytes.empty() ? left.end : left.bytes;
    const auto taken = part.substr(0, static_cast<std::size_t>(count));
    std::copy(taken.begin(), taken.end(), to);
    part.remove_prefix(taken.size());
    return static_cast<int>(taken.size());
}

void check(const Gif &gif, int result) {
    if (result == GIF_ERROR) fail(gif->Error);
}

/// Skips an extension; a graphics control block sets the palette's transparent index.
void read_extension(const Gif &gif, int &transparent) {
    int code = 0;
    GifByteType *block = nullptr; // of a length and as many bytes
    check(gif, DGifGetExtension(gif.get(), &code, &block));
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr &&
        DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
        transparent = control.TransparentColor;
    while (block != nullptr) check(gif, DGifGetExtensionNext(gif.get(), &block));
}

/// Reads up to the first frame's pixels; the palette's transparent index, or -1.
int find_first_frame(const Gif &gif) {
    int transparent = NO_TRANSPARENT_COLOR;
    for (;;) {
        GifRecordType record = UNDEFINED_RECORD_TYPE;
        check(gif, DGifGetRecordType(gif.get(), &record));
        if (record == EXTENSION_RECORD_TYPE) {
            read_extension(gif, transparent);
        } else if (record == IMAGE_DESC_RECORD_TYPE) {
            check(gif, DGifGetImageDesc(gif.get()));
            return transparent;
        } else {
            fail(D_GIF_ERR_NO_IMAG_DSCR);
        }
    }
}

using Palette = std::array<GifColorType, 256>;

/// White where a pixel is transparent, or no color has its index.
Palette palette_of(const Gif &gif, int transparent) {
    constexpr GifColorType white = {255, 255, 255};
    Palette palette;
    palette.fill(white);
    const ColorMapObject *own = gif->Image.ColorMap;
    const ColorMapObject *colors = own != nullptr ? own : gif->SColorMap;
    if (colors == nullptr) fail(D_GIF_ERR_NO_COLOR_MAP);
    std::copy_n(colors->Colors, std::min(colors->ColorCount, 256), palette.begin());
    if (transparent >= 0) palette[static_cast<std::size_t>(transparent)] = white;
    return palette;
}

/// The order in which a frame's rows come: all of them, or in four passes.
std::vector<int> row_order(const GifImageDesc &frame) {
    std::vector<int> rows;
    const auto pass = [&](int first, int step) {
        for (int y = first; y < frame.Height; y += step) rows.push_back(y);
    };
    if (!frame.Interlace) {
        pass(0, 1);
        return rows;
    }
    pass(0, 8);
    pass(4, 8);
    pass(2, 4);
    pass(1, 2);
    return rows;
}

void paint(const GifPixelType *indices, int count, const Palette &palette, Color color,
           std::uint8_t *to) {
    for (int x = 0; x < count; ++x) {
        const GifColorType &pixel = palette[indices[x]];
        to = put_pixel(to, color, pixel.Red, pixel.Green, pixel.Blue);
    }
}

/// An image on a clear ground, and where it covers it: a byte for each pixel, 0 or 1.
struct Canvas {
    Raster image; ///< white where it is clear
    std::vector<std::uint8_t> is_covered;

    std::size_t pixels() const { return is_covered.size(); }
};

/// Notes which pixels of a row are covered from `to` on.
void cover(const GifPixelType *indices, int count, int transparent, std::uint8_t *to) {
    for (int x = 0; x < count; ++x) to[x] = indices[x] == transparent ? 0 : 1;
}

/// Clear pixels take the ground's color.
Raster on_ground(Canvas canvas) {
    const auto channels = static_cast<std::size_t>(canvas.image.color);
    Ground ground;
    for (std::size_t i = 0; i < canvas.pixels(); ++i) {
        const auto *sample = canvas.image.samples.data() + i * channels;
        const int grey = channels == 1 ? sample[0] : grey_of(sample[2], sample[1], sample[0]);
        ground.add_transparent(grey, canvas.is_covered[i] != 0 ? 255 : 0, false);
    }
    const auto chosen = ground.choice();
    if (chosen == Ground::white) return std::move(canvas.image);
    for (std::size_t i = 0; i < canvas.pixels(); ++i)
        if (canvas.is_covered[i] == 0)
            std::fill_n(canvas.image.samples.data() + i * channels, channels, chosen);
    return std::move(canvas.image);
}

Raster read_first_frame(const Gif &gif, const GifFrame &frame, Color color) {
    const int transparent = find_first_frame(gif);
    const Palette palette = palette_of(gif, transparent);
    const auto width = static_cast<int>(frame.width);
    const auto left = static_cast<int>(frame.left);
    const auto top = static_cast<int>(frame.top);
    Raster canvas{
        static_cast<int>(frame.canvas_width), static_cast<int>(frame.canvas_height), color, {}};
    const bool is_same = gif->Image.Width == width && width > 0 &&
                         gif->Image.Height == static_cast<int>(frame.height);
    if (!is_same) fail(D_GIF_ERR_IMAGE_DEFECT); // what was checked is that frame's size
    constexpr std::uint8_t white = 255;
    canvas.samples.assign(canvas.row_samples() * canvas.height, white);
    std::vector<std::uint8_t> is_covered(canvas.samples.size() / static_cast<std::size_t>(color));
    const int shown = std::min(width, canvas.width - left); // negative beside the canvas
    std::vector<GifPixelType> indices(frame.width);
    for (const int y : row_order(gif->Image)) {
        check(gif, DGifGetLine(gif.get(), indices.data(), width));
        if (top + y >= canvas.height || shown <= 0) continue;
        auto *row = canvas.samples.data() + (top + y) * canvas.row_samples();
        paint(indices.data(), shown, palette, color, row + left * static_cast<int>(color));
        cover(indices.data(), shown, transparent,
              is_covered.data() +
                  static_cast<std::size_t>(top + y) * static_cast<std::size_t>(canvas.width) +
                  left);
    }
    return on_ground({std::move(canvas), std::move(is_covered)});
}

} // namespace

Raster decode_gif(const EncodedImage &file, Color color, int side) {
    shorten_last_block(file.bytes);
    const std::string_view bytes(file.bytes.data(), file.bytes.size());
    Left left{bytes};
    int error = D_GIF_SUCCEEDED;
    const Gif gif(DGifOpen(&left, read, &error));
    if (!gif) fail(error);
    const Raster whole = read_first_frame(gif, first_gif_frame(Bytes(bytes)), color);
    return shrink(whole, shrunk({whole.width, whole.height}, side));
}

} // namespace bowhist
