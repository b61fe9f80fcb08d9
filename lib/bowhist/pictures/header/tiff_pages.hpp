#pragma once

#include <bowhist/pictures/header/tiff_entries.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bowhist {

/// What a directory says about the image that it describes.
struct TiffPage {
    std::uint64_t directory = 0; ///< its offset
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::uint64_t photometric = 0;
    std::uint64_t compression = 0;
    bool is_reduced = false;      ///< a smaller version of another page
    bool is_mask = false;         ///< of another page's transparency
    bool has_raw_tag = false;     ///< one that raw files alone have
    bool has_dng_version = false; ///< the file is a DNG
    std::string_view make = {};   ///< of the camera

    bool is_full() const { return !is_reduced && !is_mask && width > 0 && height > 0; }
};

struct TiffPages {
    std::vector<TiffPage> pages; ///< never empty
    bool is_cut = false;         ///< one more may lie behind these bytes

    /// The first full page; the largest where all are reduced.
    const TiffPage &chosen() const;
};

/// The pages in their order, each before its sub-directories; a few hundred at most, none twice.
TiffPages tiff_pages(const Tiff &tiff);

/// What a raw file that begins as a TIFF is called ("a raw file of a Nikon camera (NEF)"), by its
/// content; nothing for any other file. Its first directory may be a small preview that every
/// decoder reads.
std::optional<std::string_view> raw_file_kind(const Bytes &file, const TiffPages &pages);

} // namespace bowhist
