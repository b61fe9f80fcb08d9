#pragma once

#include <bowhist/pictures/header/tiff_pages.hpp>

#include <optional>
#include <string_view>

namespace bowhist {

/// What a raw file that begins as a TIFF is called ("a raw file of a Nikon camera (NEF)"), by its
/// content; nothing for any other file. Its first directory may be a small preview that every
/// decoder reads.
std::optional<std::string_view> raw_file_kind(const Bytes &file, const TiffPages &pages);

} // namespace bowhist
