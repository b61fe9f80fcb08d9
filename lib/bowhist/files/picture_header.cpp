#include <bowhist/files/picture_header.hpp>

#include <bowhist/files/picture_formats.hpp>

#include <string_view>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

struct Format {
    std::string_view magic;
    PictureHeader (*read)(const Bytes &);
};

constexpr Format readable_formats[] = {
    {"\xFF\xD8\xFF"sv, jpeg_header},
    {"\x89PNG\r\n\x1A\n"sv, png_header},
    {"II*\0"sv, tiff_header},
    {"MM\0*"sv, tiff_header},
    {"II+\0"sv, tiff_header}, // BigTIFF
    {"MM\0+"sv, tiff_header},
    {"\0\0\0\x0CjP  \r\n\x87\n"sv, jp2_header},
    {"\xFF\x4F\xFF\x51"sv, codestream_header},
    {"\x59\xA6\x6A\x95"sv, sun_raster_header},
};

struct Unreadable {
    std::string_view magic;
    std::string_view name;
};

// Known so that the message can name what was found.
constexpr Unreadable unreadable_formats[] = {
    {"GIF8"sv, "GIF"},
    {"8BPS"sv, "Photoshop"},
    {"\xFF\x0A"sv, "JPEG XL"},
    {"\0\0\0\x0CJXL \r\n\x87\n"sv, "JPEG XL"},
    {"II\xBC\x01"sv, "JPEG XR"},
    {"\x76\x2F\x31\x01"sv, "OpenEXR"},
    {"#?RADIANCE"sv, "Radiance HDR"},
    {"#?RGBE"sv, "Radiance HDR"},
    {"P7\n"sv, "PAM"}, // OpenCV 4.6 swaps its colours and misreads its bitmaps
    {"PF\n"sv, "PFM"},
    {"Pf\n"sv, "PFM"},
    {"DDS "sv, "DDS"},
    {"qoif"sv, "QOI"},
    {"farbfeld"sv, "farbfeld"},
    {"SIMPLE  ="sv, "FITS"},
    {"\0\0\1\0"sv, "Windows icon"},
    {"\0\0\2\0"sv, "Windows cursor"},
    {"%PDF-"sv, "PDF"},
    {"<svg"sv, "SVG"},
};

bool is_bmp(const Bytes &file) {
    const auto header_size = file.little(14, 4);
    return file.text(0, 2) == "BM" &&
           (header_size == 12 || (header_size >= 16 && header_size <= 256));
}

bool is_pnm(const Bytes &file) {
    const auto behind = file.at(2);
    const bool is_white_space = behind == ' ' || (behind >= '\t' && behind <= '\r');
    return file.at(0) == 'P' && file.at(1) >= '1' && file.at(1) <= '6' && is_white_space;
}

/// AVIF, HEIC and their kin are boxes whose first says which.
std::string_view box_brand(const Bytes &file) {
    if (file.text(4, 4) != "ftyp") return {};
    const auto brand = file.text(8, 4);
    if (brand == "avif" || brand == "avis") return "AVIF";
    for (const auto heic : {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"}) {
        if (brand == heic) return "HEIC";
    }
    return {};
}

PictureHeader unreadable(std::string_view name) {
    return {.format = name, .readable = false};
}

} // namespace

std::optional<PictureHeader> read_picture_header(std::string_view bytes) {
    const Bytes file(bytes);
    for (const auto &format : readable_formats) {
        if (bytes.starts_with(format.magic)) return format.read(file);
    }
    if (file.text(0, 4) == "RIFF" && file.text(8, 4) == "WEBP") return webp_header(file);
    if (is_bmp(file)) return bmp_header(file);
    if (is_pnm(file)) return pnm_header(file);
    for (const auto &format : unreadable_formats) {
        if (bytes.starts_with(format.magic)) return unreadable(format.name);
    }
    if (const auto brand = box_brand(file); !brand.empty()) return unreadable(brand);
    return std::nullopt;
}

} // namespace bowhist
