#pragma once

#include <bowhist/pictures/bytes.hpp>
#include <bowhist/pictures/header/picture_header.hpp>

#include <cstdint>

namespace bowhist {

/// The header of a picture whose decoder holds `bytes_per_pixel`.
inline PictureHeader with_decoder_bytes(PictureHeader header, std::uint64_t bytes_per_pixel) {
    const auto pixels = saturated_product(header.width, header.height);
    header.decoder_bytes = saturated_product(pixels, bytes_per_pixel);
    return header;
}

// One reader a format. Each is given bytes that begin with its format's magic.
PictureHeader jpeg_header(const Bytes &file);
PictureHeader png_header(const Bytes &file);
PictureHeader webp_header(const Bytes &file);
PictureHeader tiff_header(const Bytes &file);
PictureHeader bmp_header(const Bytes &file);
PictureHeader pnm_header(const Bytes &file);
PictureHeader jp2_header(const Bytes &file);        ///< JPEG 2000 in boxes
PictureHeader codestream_header(const Bytes &file); ///< JPEG 2000, bare
PictureHeader sun_raster_header(const Bytes &file);
PictureHeader gif_header(const Bytes &file);
PictureHeader heif_header(const Bytes &file); ///< HEIC and AVIF

} // namespace bowhist
