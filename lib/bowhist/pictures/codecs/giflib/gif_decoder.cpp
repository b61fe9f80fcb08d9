#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/codecs/rgba_rows.hpp>
#include <bowhist/pictures/container/gif_frame.hpp>

#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

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

using Pixel = std::array<std::uint8_t, 4>; ///< red, green, blue and alpha
using Palette = std::array<Pixel, 256>;
constexpr Pixel clear = {255, 255, 255, 0};

/// Clear where a pixel is transparent, white where no color has its index.
Palette palette_of(const Gif &gif, int transparent) {
    constexpr Pixel white = {255, 255, 255, 255};
    Palette palette;
    palette.fill(white);
    const ColorMapObject *own = gif->Image.ColorMap;
    const ColorMapObject *colors = own != nullptr ? own : gif->SColorMap;
    if (colors == nullptr) fail(D_GIF_ERR_NO_COLOR_MAP);
    std::transform(colors->Colors, colors->Colors + std::min(colors->ColorCount, 256),
                   palette.begin(), [](const GifColorType &color) {
                       return Pixel{color.Red, color.Green, color.Blue, 255};
                   });
    if (transparent >= 0) palette[static_cast<std::size_t>(transparent)] = clear;
    return palette;
}

/// The order in which a frame's rows come: all of them, or in four passes.
std::vector<int> row_order(const GifImageDesc &frame) {
    using Passes = std::vector<std::pair<int, int>>; // first row and step
    const auto passes = frame.Interlace ? Passes{{0, 8}, {4, 8}, {2, 4}, {1, 2}} : Passes{{0, 1}};
    std::vector<int> rows;
    for (const auto &[first, step] : passes)
        for (int y = first; y < frame.Height; y += step) rows.push_back(y);
    return rows;
}

/// The canvas, row after row; clear where the frame does not cover it.
std::vector<Pixel> read_first_frame(const Gif &gif, const GifFrame &frame) {
    const Palette palette = palette_of(gif, find_first_frame(gif));
    const auto width = static_cast<int>(frame.width);
    const bool is_same = gif->Image.Width == width && width > 0 &&
                         gif->Image.Height == static_cast<int>(frame.height);
    if (!is_same) fail(D_GIF_ERR_IMAGE_DEFECT); // what was checked is that frame's size
    std::vector<Pixel> canvas(frame.canvas_width * frame.canvas_height, clear);
    std::vector<GifPixelType> indices(frame.width);
    for (const int line : row_order(gif->Image)) {
        check(gif, DGifGetLine(gif.get(), indices.data(), width));
        const std::uint64_t y = frame.top + static_cast<std::uint64_t>(line);
        if (y >= frame.canvas_height || frame.left >= frame.canvas_width) continue;
        const auto shown = std::min(frame.width, frame.canvas_width - frame.left);
        std::transform(indices.data(), indices.data() + shown,
                       canvas.data() + y * frame.canvas_width + frame.left,
                       [&](GifPixelType index) { return palette[index]; });
    }
    return canvas;
}

} // namespace

Raster decode_gif(const EncodedFile &file, Color color, int side) {
    shorten_last_block(file.bytes);
    const std::string_view bytes(file.bytes.data(), file.bytes.size());
    Left left{bytes};
    int error = D_GIF_SUCCEEDED;
    const Gif gif(DGifOpen(&left, read, &error));
    if (!gif) fail(error);
    const GifFrame frame = first_gif_frame(Bytes(bytes));
    const std::vector<Pixel> canvas = read_first_frame(gif, frame);
    const PixelSize size{static_cast<int>(frame.canvas_width),
                         static_cast<int>(frame.canvas_height)};
    return shrunk_on_ground({canvas.data()->data(),
                             static_cast<std::ptrdiff_t>(sizeof(Pixel)) * size.width, size, true,
                             false},
                            color, side);
}

} // namespace bowhist
