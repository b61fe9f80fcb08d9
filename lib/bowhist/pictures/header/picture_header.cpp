#include <bowhist/pictures/header/picture_header.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/pictures/container/boxes.hpp>
#include <bowhist/pictures/container/gif_frame.hpp>
#include <bowhist/pictures/container/png_chunks.hpp>
#include <bowhist/pictures/container/webp_frame.hpp>
#include <bowhist/pictures/header/exif.hpp>
#include <bowhist/pictures/header/picture_formats.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

bool is_webp(const Bytes &file) {
    return file.text(8, 4) == "WEBP";
}

bool is_bmp(const Bytes &file) {
    const auto header_size = file.little(14, 4);
    return file.text(0, 2) == "BM" &&
           (header_size == 12 || (header_size >= 16 && header_size <= 256));
}

/// Not as Xcode writes them for iPhones: other pixels behind a chunk of its own, which comes first.
bool is_png(const Bytes &file) {
    return file.text(12, 4) != "CgBI";
}

bool is_pnm(const Bytes &file) {
    const auto behind = file.at(2);
    const bool is_white_space = behind == ' ' || (behind >= '\t' && behind <= '\r');
    return file.at(0) == 'P' && file.at(1) >= '1' && file.at(1) <= '6' && is_white_space;
}

/// AVIF, HEIC and their kin are boxes whose first says which, by its own brand at 8.
bool has_brand(const Bytes &file, std::uint64_t at,
               std::initializer_list<std::string_view> brands) {
    return file.text(4, 4) == "ftyp" && std::ranges::find(brands, file.text(at, 4)) != brands.end();
}

/// Files of any codec list the brands that they fit, from 16 on.
bool is_avif(const Bytes &file) {
    if (has_brand(file, 8, {"avif", "avis"})) return true;
    if (!has_brand(file, 8, {"mif1", "msf1"})) return false;
    const auto end = std::min<std::uint64_t>(file.big(0, 4), 1024);
    for (std::uint64_t at = 16; at < end; at += 4)
        if (has_brand(file, at, {"avif", "avis"})) return true;
    return false;
}

bool is_heic(const Bytes &file) {
    return has_brand(
        file, 8, {"heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "msf1"});
}

/// A kind of file by its first bytes, how to read its header, and who decodes it.
struct Kind {
    std::string_view name;
    std::string_view magic;
    Decoder decoder = Decoder::none; ///< none: known so that the message can name what was found
    ImageHeader (*read)(const Bytes &) = nullptr;
    bool (*check)(const Bytes &) = nullptr; ///< where the magic is not enough
};

constexpr Kind kinds[] = {
    {"JPEG", "\xFF\xD8\xFF"sv, Decoder::libjpeg, jpeg_header},
    {"PNG", "\x89PNG\r\n\x1A\n"sv, Decoder::opencv, png_header, is_png},
    {"TIFF", "II*\0"sv, Decoder::opencv, tiff_header},
    {"TIFF", "MM\0*"sv, Decoder::opencv, tiff_header},
    {"TIFF", "II+\0"sv, Decoder::opencv, tiff_header}, // BigTIFF
    {"TIFF", "MM\0+"sv, Decoder::opencv, tiff_header},
    {"JPEG 2000", "\0\0\0\x0CjP  \r\n\x87\n"sv, Decoder::opencv, jp2_header},
    {"JPEG 2000", "\xFF\x4F\xFF\x51"sv, Decoder::opencv, codestream_header},
    {"Sun raster", "\x59\xA6\x6A\x95"sv, Decoder::opencv, sun_raster_header},
    {"WebP", "RIFF"sv, Decoder::opencv, webp_header, is_webp},
    {"BMP", "BM"sv, Decoder::opencv, bmp_header, is_bmp},
    {"PNM", "P"sv, Decoder::opencv, pnm_header, is_pnm},
    {"GIF", "GIF8"sv, Decoder::giflib, gif_header},
    {"AVIF", ""sv, Decoder::libheif, heif_header, is_avif},
    {"HEIC", ""sv, Decoder::libheif, heif_header, is_heic},
    {"Photoshop", "8BPS"sv},
    {"JPEG XL", "\xFF\x0A"sv},
    {"JPEG XL", "\0\0\0\x0CJXL \r\n\x87\n"sv},
    {"JPEG XR", "II\xBC\x01"sv},
    {"OpenEXR", "\x76\x2F\x31\x01"sv},
    {"Radiance HDR", "#?RADIANCE"sv},
    {"Radiance HDR", "#?RGBE"sv},
    {"PAM", "P7\n"sv}, // OpenCV 4.6 swaps its colors and misreads its bitmaps
    {"PFM", "PF\n"sv},
    {"PFM", "Pf\n"sv},
    {"DDS", "DDS "sv},
    {"QOI", "qoif"sv},
    {"farbfeld", "farbfeld"sv},
    {"FITS", "SIMPLE  ="sv},
    {"Windows icon", "\0\0\1\0"sv},
    {"Windows cursor", "\0\0\2\0"sv},
    {"PDF", "%PDF-"sv},
    {"SVG", "<svg"sv},
};

struct Library {
    Decoder decoder;
    std::string_view name;
    bool is_built;
};

constexpr Library libraries[] = {
    {Decoder::libjpeg, "libjpeg", true},
    {Decoder::giflib, "giflib", BOWHIST_HAS_GIFLIB},
    {Decoder::libheif, "libheif", BOWHIST_HAS_LIBHEIF},
    {Decoder::openjpeg, "OpenJPEG", BOWHIST_HAS_OPENJPEG},
    {Decoder::opencv, "OpenCV", BOWHIST_HAS_OPENCV},
};

bool is_readable(const Kind &kind) {
    return kind.decoder != Decoder::none && missing_library(kind.decoder).empty();
}

} // namespace

std::string readable_formats() {
    std::vector<std::string_view> names;
    for (const Kind &kind : kinds)
        if (is_readable(kind) && (names.empty() || names.back() != kind.name))
            names.push_back(kind.name);
    const std::string_view last = names.back();
    names.pop_back();
    if (names.empty()) return std::string(last);
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string_view missing_library(Decoder decoder) {
    const auto *library = std::ranges::find(libraries, decoder, &Library::decoder);
    return library == std::end(libraries) || library->is_built ? "" : library->name;
}

std::optional<ImageHeader> read_image_header(std::string_view bytes) {
    const Bytes file(bytes);
    for (const Kind &kind : kinds) {
        const bool fits =
            bytes.starts_with(kind.magic) && (kind.check == nullptr || kind.check(file));
        if (!fits) continue;
        ImageHeader header = kind.read != nullptr ? kind.read(file) : ImageHeader{};
        if (!header.format.empty()) return header; // its reader knows better
        header.format = kind.name;
        header.decoder = kind.decoder;
        return header;
    }
    return std::nullopt;
}

// PNM: "P1" to "P6", then width, height and (but for bitmaps) the largest sample as decimal text;
// white space and # comments between them.
namespace {

bool is_digit(std::uint8_t byte) {
    return byte >= '0' && byte <= '9';
}

/// The decimal number at `at`, which then lies behind it; too large a one counts as 0: damaged.
std::uint32_t decimal(const Bytes &file, std::uint64_t &at) {
    const std::uint64_t begin = at;
    while (is_digit(file.at(at))) ++at;
    const auto value = as_number<std::int32_t>(file.text(begin, at - begin));
    return static_cast<std::uint32_t>(value.value_or(0));
}

bool is_white_space(std::uint8_t byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// The next number behind white space and comments; 0 when anything else comes first.
std::uint32_t next_number(const Bytes &file, std::uint64_t &at) {
    for (;; ++at) {
        if (file.at(at) == '#')
            while (at < file.size() && file.at(at) != '\n' && file.at(at) != '\r') ++at;
        else if (!is_white_space(file.at(at)))
            return decimal(file, at);
    }
}

} // namespace

ImageHeader pnm_header(const Bytes &file) {
    ImageHeader header;
    const bool is_bitmap = file.at(1) == '1' || file.at(1) == '4';
    std::uint64_t at = 2;
    // Netpbm begins a comment at a # right behind a number; OpenCV reads on in it.
    const auto number = [&] {
        const auto value = next_number(file, at);
        if (file.at(at) == '#') header.flaw = "with a # right behind a number";
        return value;
    };
    header.width = number();
    header.height = number();
    const bool is_text = file.at(1) == '2' || file.at(1) == '3';
    const auto largest = is_bitmap ? 0 : number();
    if (!is_bitmap && (largest == 0 || largest > 65535))
        header.flaw = "whose largest sample is not in 1 to 65535";
    if (!is_text || largest > 255) header.white = largest; // OpenCV scales only text of 8 bits
    const bool is_color = file.at(1) == '3' || file.at(1) == '6';
    return with_decoder_bytes(header, (is_color ? 3 : 1) * (largest > 255 ? 2 : 1));
}

// The formats whose size stands at a fixed place, or in a box or chunk that is soon found.
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
