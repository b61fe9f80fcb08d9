#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <optional>
#include <string_view>

namespace bowhist {

/// The first Exif block in a file, whatever the container: a TIFF, from its byte order on. A TIFF
/// is its own block. Empty if the file has none; any bytes will do.
std::string_view exif_block(std::string_view file);

/// How the camera was held, 1 (upright) to 8, by an Exif block: a TIFF whose first directory may
/// hold the orientation. "Exif" and two more bytes may stand in front. Nothing when the block does
/// not say, or says something else.
std::optional<int> exif_orientation(std::string_view block);

// The places where containers keep an Exif block, and the orientation that it says.

/// The orientation of a PNG, by eXIf, else by a text chunk in which ImageMagick and ExifTool keep a
/// "raw profile", the block in hexadecimal digits. Chunks may come in any order.
class PngOrientation {
  public:
    /// Takes the next chunk.
    void add(std::string_view type, std::string_view payload);
    int value() const { return exif_.value_or(profile_.value_or(1)); }

  private:
    std::optional<int> exif_;
    std::optional<int> profile_;
    int left_ = 16; ///< profiles that are looked into, at most
};

/// The orientation of a WebP, by the chunk "EXIF", which comes behind the pixels as a rule.
int webp_orientation(const Bytes &file);

/// The orientation of a JPEG 2000 in boxes, by the box "uuid" of Exif.
int jp2_orientation(const Bytes &file);

} // namespace bowhist
