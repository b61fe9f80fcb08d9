#pragma once

#include <bowhist/pictures/bytes.hpp>
#include <bowhist/pictures/header/picture_header.hpp>

#include <cstdint>

namespace bowhist {

/// The header of an image whose decoder holds `bytes_per_pixel`.
inline ImageHeader with_decoder_bytes(ImageHeader header, std::uint64_t bytes_per_pixel) {
    const auto pixels = saturated_product(header.width, header.height);
    header.decoder_bytes = saturated_product(pixels, bytes_per_pixel);
    return header;
}

// One reader a format. Each is given bytes that begin with its format's magic.
ImageHeader jpeg_header(const Bytes &file);
ImageHeader png_header(const Bytes &file);
ImageHeader webp_header(const Bytes &file);
ImageHeader tiff_header(const Bytes &file); ///< of the page that is shown
ImageHeader tiff_page_header(const Bytes &file, std::uint64_t directory); ///< of that page
ImageHeader bmp_header(const Bytes &file);
ImageHeader pnm_header(const Bytes &file);
ImageHeader jp2_header(const Bytes &file);        ///< JPEG 2000 in boxes
ImageHeader codestream_header(const Bytes &file); ///< JPEG 2000, bare
ImageHeader sun_raster_header(const Bytes &file);
ImageHeader gif_header(const Bytes &file);
ImageHeader heif_header(const Bytes &file); ///< HEIC and AVIF

} // namespace bowhist
