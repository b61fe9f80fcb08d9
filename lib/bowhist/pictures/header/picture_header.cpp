#include <bowhist/pictures/header/picture_header.hpp>

#include <bowhist/pictures/header/picture_formats.hpp>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

} // namespace bowhist
