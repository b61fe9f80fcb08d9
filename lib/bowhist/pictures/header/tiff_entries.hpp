#pragma once

#include <bowhist/pictures/bytes.hpp>

#include <cstdint>
#include <optional>
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

} // namespace bowhist
