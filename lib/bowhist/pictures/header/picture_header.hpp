#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// The library that decodes a kind of image.
enum class Decoder {
    none, ///< the kind is known by name only
    libjpeg,
    giflib,
    libheif,
    openjpeg,
    opencv
};

/// An image as its first bytes describe it.
struct ImageHeader {
    std::string_view format = {}; ///< "JPEG", "PNG", "WebP", "TIFF", "BMP", "PNM", ...
    std::string_view advice = {}; ///< what to do with a kind that is known by name only
    Decoder decoder = Decoder::none;
    std::uint64_t width = 0;  ///< pixels, before any EXIF rotation; 0 where the header is damaged
    std::uint64_t height = 0; ///< pixels
    int orientation = 1;      ///< of Exif or TIFF, 1 (upright) to 8; of a HEIC or AVIF always 1, as
                              ///< libheif turns them by their own boxes
    std::uint32_t white = 0;  ///< the largest sample, where decoders leave scaling to us; else 0
    std::uint32_t scans = 1;  ///< passes over the pixels; a progressive JPEG has several
    std::uint64_t passes = 1; ///< the same, an interleaved scan counted for each of its components
    bool is_arithmetic = false;  ///< a JPEG in arithmetic coding: few bytes can make much work
    int significant_bits = 0;    ///< of a PNG's samples, where it says so (sBIT); else 0
    int transparent_grey = -1;   ///< the sample of a grey PNG that is transparent, in 8 or 16 bits
    std::uint64_t directory = 0; ///< of a TIFF: where that of the page lies that is shown
    bool is_partial = false;     ///< a better page of a TIFF may lie behind these bytes
    bool complete = true; ///< false when the file ends before the format's own end (JPEG, PNG)
    bool has_end = true;  ///< false where a JPEG's end of image is missing: a complete one may yet
                          ///< lack rows, which shows when it is decoded
    std::uint64_t data_end = 0;      ///< of a JPEG: what follows is no part of the image
    std::uint64_t decoder_bytes = 0; ///< what a decoder holds at most for its pixels at full size,
                                     ///< in its own depth, tiles and coefficients included
    std::string_view flaw = {}; ///< why decoders might read another size; empty: they read this
};

/// Reads the header of a whole file's bytes without decoding; any bytes will do. The size of every
/// readable format is known. Nothing when no known format begins so.
std::optional<ImageHeader> read_image_header(std::string_view file);

/// The formats that this build reads: "JPEG, PNG, ... and HEIC".
std::string readable_formats();

/// The library of that decoder where this build lacks it; else empty.
std::string_view missing_library(Decoder decoder);

} // namespace bowhist
