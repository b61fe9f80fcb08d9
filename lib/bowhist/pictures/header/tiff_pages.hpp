#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace bowhist {

/// The numbers of a TIFF, in its byte order. BigTIFF (version 43) widens counts and offsets.
/// `bytes` must outlive the object.
struct Tiff {
    explicit Tiff(const Bytes &bytes)
        : file(bytes), is_little(bytes.at(0) == 'I'), is_big_tiff(number(2, 2) == 43) {}

    std::uint64_t number(std::uint64_t offset, int bytes) const {
        return is_little ? file.little(offset, bytes) : file.big(offset, bytes);
    }
    int offset_bytes() const { return is_big_tiff ? 8 : 4; }
    int count_bytes() const { return is_big_tiff ? 8 : 2; } ///< of a directory's entries
    std::uint64_t entry_bytes() const { return is_big_tiff ? 20 : 12; }
    std::uint64_t first_directory() const { return number(is_big_tiff ? 8 : 4, offset_bytes()); }

    const Bytes &file;
    bool is_little;
    bool is_big_tiff;
};

/// An entry of a directory: tag, type, number of values, then the value or its offset.
struct TiffEntry {
    TiffEntry(const Tiff &tiff, std::uint64_t offset)
        : tag(tiff.number(offset, 2)), type(tiff.number(offset + 2, 2)),
          count(tiff.number(offset + 4, tiff.offset_bytes())),
          inside(offset + 4 + static_cast<std::uint64_t>(tiff.offset_bytes())) {}

    std::uint64_t tag;
    std::uint64_t type;
    std::uint64_t count;
    std::uint64_t inside; ///< where the value lies, or else its offset
};

/// Bytes of a value of that type; 0 for a type that holds no whole numbers.
int tiff_type_bytes(std::uint64_t type);

/// The orientation, 1 (upright) to 8, where this entry gives it. Writers use SHORT, as the standard
/// demands; some use BYTE or LONG. A type without whole numbers counts as SHORT.
std::optional<int> tiff_orientation(const Tiff &tiff, const TiffEntry &entry);

/// The entries of the directory at that offset, as many of them as the file has room for.
std::vector<TiffEntry> tiff_entries(const Tiff &tiff, std::uint64_t directory);

/// An image, as its directory describes it.
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

/// The offsets of the directories of full pages, in their order, each once, at most `most`.
/// Sub-directories of a page do not count.
std::vector<std::uint64_t> full_tiff_pages(const Tiff &tiff, std::size_t most);

/// The name of a raw file that begins as a TIFF ("a raw file of a Nikon camera (NEF)"), by its
/// content; nothing for any other file. Its first directory may be a small preview that every
/// decoder reads.
std::optional<std::string_view> raw_file_kind(const Bytes &file, const TiffPages &pages);

} // namespace bowhist
