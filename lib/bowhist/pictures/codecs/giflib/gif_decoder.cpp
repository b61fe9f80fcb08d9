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
#include <optional>
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

/// Hands giflib the next of the bytes that are left. The end of a frame's blocks and that of the
/// file follow, in case the file's end is missing.
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

/// A frame's graphics control block.
struct FrameControl {
    int transparent = NO_TRANSPARENT_COLOR; ///< an index of the palette, or -1
    int disposal = DISPOSAL_UNSPECIFIED;
};

/// Skips an extension; a graphics control block sets what is said of the next frame.
void read_extension(const Gif &gif, FrameControl &said) {
    int code = 0;
    GifByteType *block = nullptr; // of a length and as many bytes
    check(gif, DGifGetExtension(gif.get(), &code, &block));
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr &&
        DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
        said = {control.TransparentColor, control.DisposalMode};
    while (block != nullptr) check(gif, DGifGetExtensionNext(gif.get(), &block));
}

/// Reads up to the next frame's pixels; nothing behind the last.
std::optional<FrameControl> find_next_frame(const Gif &gif) {
    FrameControl said;
    for (;;) {
        GifRecordType record = UNDEFINED_RECORD_TYPE;
        check(gif, DGifGetRecordType(gif.get(), &record));
        if (record == EXTENSION_RECORD_TYPE) {
            read_extension(gif, said);
        } else if (record == IMAGE_DESC_RECORD_TYPE) {
            check(gif, DGifGetImageDesc(gif.get()));
            return said;
        } else {
            return std::nullopt;
        }
    }
}

using Pixel = std::array<std::uint8_t, 4>; ///< red, green, blue and alpha
using Palette = std::array<Pixel, 256>;
constexpr Pixel clear = {255, 255, 255, 0};

/// The colors of the frame, white where none has an index.
Palette palette_of(const Gif &gif) {
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

/// The frames drawn so far, row after row; clear where nothing was drawn.
class Canvas {
  public:
    /// The first frame gives its size.
    explicit Canvas(const GifFrame &first)
        : width_(first.canvas_width), height_(first.canvas_height),
          pixels_(width_ * height_, clear) {}

    /// Draws the pixels of the frame that comes next in the file. Only the corner of `place`
    /// counts.
    void draw(const Gif &gif, const FrameControl &control, const GifFrame &place) {
        const Palette palette = palette_of(gif);
        const GifImageDesc &frame = gif->Image;
        std::vector<GifPixelType> indices(static_cast<std::size_t>(frame.Width));
        for (const int line : row_order(frame)) {
            check(gif, DGifGetLine(gif.get(), indices.data(), frame.Width));
            const std::uint64_t y = place.top + static_cast<std::uint64_t>(line);
            if (y >= height_ || place.left >= width_) continue;
            Pixel *to = pixels_.data() + y * width_ + place.left;
            for (std::size_t x = 0; x < indices.size() && x < width_ - place.left; ++x)
                if (indices[x] != control.transparent) to[x] = palette[indices[x]];
        }
    }

    void clear_place(const GifFrame &place) {
        const std::uint64_t left = std::min(place.left, width_);
        const std::uint64_t count = std::min(place.width, width_ - left);
        for (auto y = place.top; y < std::min(place.top + place.height, height_); ++y)
            std::fill_n(pixels_.begin() + static_cast<std::ptrdiff_t>(y * width_ + left), count,
                        clear);
    }

    Raster shown(Color color, int side) const {
        const PixelSize size{static_cast<int>(width_), static_cast<int>(height_)};
        return shrunk_on_ground({pixels_.data()->data(),
                                 static_cast<std::ptrdiff_t>(sizeof(Pixel)) * size.width, size,
                                 true, false},
                                color, side);
    }

  private:
    std::uint64_t width_, height_;
    std::vector<Pixel> pixels_;
};

/// The place of a frame behind the first.
GifFrame place_of(const GifImageDesc &frame) {
    const auto number = [](GifWord word) { return static_cast<std::uint64_t>(word); };
    return {.left = number(frame.Left),
            .top = number(frame.Top),
            .width = number(frame.Width),
            .height = number(frame.Height)};
}

/// The first frames, at most `most`, as browsers show them.
std::vector<Raster> shown_frames(const Gif &gif, const GifFrame &first, Color color, int side,
                                 std::size_t most) {
    auto control = find_next_frame(gif);
    if (!control) fail(D_GIF_ERR_NO_IMAG_DSCR);
    const bool is_same = gif->Image.Width == static_cast<int>(first.width) && first.width > 0 &&
                         gif->Image.Height == static_cast<int>(first.height);
    if (!is_same) fail(D_GIF_ERR_IMAGE_DEFECT); // what was checked is that frame's size
    Canvas canvas(first);
    GifFrame place = first;
    std::vector<Raster> images;
    while (control) {
        std::optional<Canvas> before;
        if (control->disposal == DISPOSE_PREVIOUS) before = canvas;
        canvas.draw(gif, *control, place);
        images.push_back(canvas.shown(color, side));
        if (images.size() == most) break;
        if (control->disposal == DISPOSE_BACKGROUND) canvas.clear_place(place);
        if (before) canvas = *std::move(before);
        control = find_next_frame(gif);
        place = place_of(gif->Image);
    }
    return images;
}

} // namespace

std::vector<Raster> decode_gif_frames(const EncodedFile &file, Color color, int side,
                                      std::size_t most) {
    if (most == 1) shorten_last_block(file.bytes);
    const std::string_view bytes(file.bytes.data(), file.bytes.size());
    Left left{bytes};
    int error = D_GIF_SUCCEEDED;
    const Gif gif(DGifOpen(&left, read, &error));
    if (!gif) fail(error);
    return shown_frames(gif, first_gif_frame(Bytes(bytes)), color, side, most);
}

} // namespace bowhist
