// TIFF: byte order, version, offset of the first directory; a directory is a count and entries of
// tag, type, number of values, value or its offset. BigTIFF (version 43) widens counts and offsets.
//
// libtiff guesses where a file breaks the rules: of two equal tags it takes the first, others take
// the last. A file that leaves room for guesses about its size has a flaw, and no decoder sees it.

#include <bowhist/files/picture_formats.hpp>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::uint64_t image_width = 256;
constexpr std::uint64_t image_length = 257;

/// The numbers of a TIFF, in its byte order.
struct Tiff {
    explicit Tiff(const Bytes &bytes)
        : file(bytes), is_little(bytes.at(0) == 'I'), is_big_tiff(number(2, 2) == 43) {}

    std::uint64_t number(std::uint64_t offset, int bytes) const {
        return is_little ? file.little(offset, bytes) : file.big(offset, bytes);
    }

    /// Of the types that a size may have; 0 for any other.
    int bytes_of_type(std::uint64_t type) const {
        switch (type) {
        case 1:
            return 1; // BYTE
        case 3:
            return 2; // SHORT
        case 4:
            return 4; // LONG
        case 16:
            return is_big_tiff ? 8 : 0; // LONG8, which fits into no entry of a classic TIFF
        default:
            return 0;
        }
    }

    const Bytes &file;
    bool is_little;
    bool is_big_tiff;
};

/// Takes the value of one entry of the directory, at `entry`.
void take(const Tiff &tiff, std::uint64_t entry, std::uint64_t &value, bool &seen,
          PictureHeader &header) {
    const int count_bytes = tiff.is_big_tiff ? 8 : 4;
    const int bytes = tiff.bytes_of_type(tiff.number(entry + 2, 2));
    if (seen) header.flaw = "whose width or height is given twice";
    if (bytes == 0 || tiff.number(entry + 4, count_bytes) != 1)
        header.flaw = "whose width or height is no number of a type that TIFF allows there";
    seen = true;
    value = tiff.number(entry + 4 + count_bytes, bytes);
}

} // namespace

PictureHeader tiff_header(const Bytes &file) {
    const Tiff tiff(file);
    const int count_bytes = tiff.is_big_tiff ? 8 : 2;
    const int entry_bytes = tiff.is_big_tiff ? 20 : 12;

    PictureHeader header{.format = "TIFF"};
    const auto directory = tiff.is_big_tiff ? tiff.number(8, 8) : tiff.number(4, 4);
    if (!file.holds(directory, count_bytes)) return header;
    const auto room = (file.size() - directory - count_bytes) / entry_bytes;
    const auto entries = std::min(tiff.number(directory, count_bytes), room);
    bool has_width = false;
    bool has_height = false;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto entry = directory + count_bytes + i * entry_bytes;
        const auto tag = tiff.number(entry, 2);
        if (tag == image_width) take(tiff, entry, header.width, has_width, header);
        if (tag == image_length) take(tiff, entry, header.height, has_height, header);
    }
    return header;
}

} // namespace bowhist
