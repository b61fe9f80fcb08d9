// The formats whose size stands at a fixed place, or in a box or chunk that is soon found.

#include <bowhist/pictures/container/boxes.hpp>
#include <bowhist/pictures/container/gif_frame.hpp>
#include <bowhist/pictures/container/png_chunks.hpp>
#include <bowhist/pictures/container/webp_frame.hpp>
#include <bowhist/pictures/header/exif.hpp>
#include <bowhist/pictures/header/picture_formats.hpp>

#include <algorithm>

namespace bowhist {
namespace {

/// The most bits of any color by a PNG's sBIT, a byte for each; 0 where these are all that there
/// are. The colors of a palette lie elsewhere.
int significant_bits(std::string_view payload, int color_type, int depth) {
    constexpr int palette = 1;
    if ((color_type & palette) != 0) return 0;
    const std::size_t colors = color_type < 2 || color_type == 4 ? 1 : 3;
    const auto said = payload.substr(0, colors);
    const int most = said.empty() ? 0 : *std::ranges::max_element(said);
    return most < depth ? most : 0;
}

/// The sample of a grey PNG that its tRNS makes transparent, as it is when fewer than 8 bits are
/// widened to 8.
int transparent_grey(std::string_view payload, int color_type, int depth) {
    if (color_type != 0 || payload.size() != 2 || depth == 0) return -1;
    const auto sample = static_cast<int>(Bytes(payload).big(0, 2));
    return depth >= 8 ? sample : sample * 255 / ((1 << depth) - 1);
}

} // namespace

/// Chunks of 32-bit length, type, payload, CRC; IHDR first, IEND last.
ImageHeader png_header(const Bytes &file) {
    ImageHeader header;
    if (file.text(12, 4) == "IHDR") {
        header.width = file.big(16, 4);
        header.height = file.big(20, 4);
    }
    bool has_transparency = false;
    PngOrientation orientation;
    const auto visit = [&](std::string_view type, std::uint64_t at, std::uint64_t length) {
        const auto payload = file.text(at + 8, length - 12);
        if (type == "tRNS") {
            has_transparency = true;
            header.transparent_grey = transparent_grey(payload, file.at(25), file.at(24));
        }
        if (type == "sBIT")
            header.significant_bits = significant_bits(payload, file.at(25), file.at(24));
        orientation.add(type, payload);
    };
    header.complete = for_each_png_chunk(file, visit);
    header.orientation = orientation.value();
    const bool is_grey = file.at(25) == 0;
    const bool has_alpha = (file.at(25) & 4) != 0 || has_transparency;
    const int channels = has_alpha ? 4 : is_grey ? 1 : 3; // OpenCV widens grey with alpha, too
    return with_decoder_bytes(header, channels * (file.at(24) == 16 ? 2 : 1));
}

/// The first chunk is VP8 (lossy), VP8L (lossless) or VP8X (extended).
ImageHeader webp_header(const Bytes &file) {
    ImageHeader header;
    const auto chunk = file.text(12, 4);
    if (chunk == "VP8 " && file.text(23, 3) == "\x9D\x01\x2A") {
        header.width = file.little(26, 2) & 0x3FFF;
        header.height = file.little(28, 2) & 0x3FFF;
    } else if (chunk == "VP8L" && file.at(20) == 0x2F && file.holds(21, 4)) {
        header.width = (file.little(21, 4) & 0x3FFF) + 1;
        header.height = (file.little(21, 4) >> 14 & 0x3FFF) + 1;
    } else if (chunk == "VP8X" && file.holds(24, 6)) {
        header.width = file.little(24, 3) + 1;
        header.height = file.little(27, 3) + 1;
    }
    header.orientation = webp_orientation(file);
    // OpenCV's image of four channels, and libwebp's own: of lossless ones all pixels, too; and
    // the canvas of an animated one.
    return with_decoder_bytes(header, chunk == "VP8 " ? 4 : is_animated_webp(file) ? 12 : 8);
}

ImageHeader bmp_header(const Bytes &file) {
    constexpr std::uint64_t sign = 0x8000'0000;
    constexpr std::uint64_t all = 0xFFFF'FFFF;
    ImageHeader header;
    if (file.little(14, 4) == 12) { // OS/2
        header.width = file.little(18, 2);
        header.height = file.little(20, 2);
        return with_decoder_bytes(header, 3);
    }
    const auto width = file.little(18, 4);
    const auto height = file.little(22, 4);
    header.width = width < sign ? width : 0;
    header.height = height < sign ? height : (~height + 1) & all; // negative: the top row first
    return with_decoder_bytes(header, file.little(28, 2) == 32 ? 4 : 3);
}

ImageHeader gif_header(const Bytes &file) {
    const GifFrame frame = first_gif_frame(file);
    return with_decoder_bytes({.width = frame.canvas_width, .height = frame.canvas_height}, 4);
}

ImageHeader sun_raster_header(const Bytes &file) {
    return with_decoder_bytes({.width = file.big(4, 4), .height = file.big(8, 4)}, 4);
}

/// SIZ, the first segment of a codestream: the image is the grid less its offset.
ImageHeader codestream_header(const Bytes &file) {
    ImageHeader header;
    if (file.text(0, 4) != "\xFF\x4F\xFF\x51") return header;
    const auto extent = [&](std::uint64_t grid, std::uint64_t offset) {
        return grid > offset ? grid - offset : 0;
    };
    header.width = extent(file.big(8, 4), file.big(16, 4));
    header.height = extent(file.big(12, 4), file.big(20, 4));
    const auto bits = (file.at(42) & 0x7F) + 1; // of the first component
    if (bits <= 16) header.white = (1U << bits) - 1;
    const auto components = file.big(40, 2);
    for (std::uint64_t i = 0; i < components && file.holds(42 + 3 * i, 3); ++i)
        if (file.big(43 + 3 * i, 2) != 0x0101) { // OpenCV reads no components of two sizes
            header.format = "subsampled JPEG 2000";
            header.decoder = Decoder::openjpeg;
        }
    // OpenJPEG holds 32 bits a sample; OpenCV's image beside them has 8 or 16.
    return with_decoder_bytes(header, components * (bits <= 8 ? 5 : 6));
}

ImageHeader jp2_header(const Bytes &file) {
    ImageHeader header;
    for_each_box(file, 0, file.size(), [&](const IsoBox &box) {
        if (box.type != "jp2c") return true;
        header = codestream_header(Bytes(file.text(box.begin, file.size())));
        header.orientation = jp2_orientation(file);
        return false;
    });
    return header;
}

} // namespace bowhist
