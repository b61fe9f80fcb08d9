// TIFF: byte order, version, offset of the first directory; a directory is a count and entries of
// tag, type, number of values, value or its offset, then the offset of the next directory.
//
// libtiff guesses where a file breaks the rules: of two equal tags it takes the first, others take
// the last. A file that leaves room for guesses about its size has a flaw, and no decoder sees it.

#include <bowhist/pictures/header/tiff_pages.hpp>

#include <bowhist/pictures/header/picture_formats.hpp>

#include <algorithm>
#include <optional>

namespace bowhist {
namespace {

/// The bytes of a type that a size may have; 0 for any other type.
int bytes_of_size(const Tiff &tiff, std::uint64_t type) {
    const bool is_long8 = type == 16 && tiff.is_big_tiff; // fits into no entry of a classic TIFF
    const bool is_allowed = type == 1 || type == 3 || type == 4 || is_long8; // BYTE, SHORT, LONG
    return is_allowed ? tiff_type_bytes(type) : 0;
}

/// A tag that says what decoding takes, and its value, or the first of them.
struct Field {
    std::uint64_t tag;
    std::uint64_t value = 0;
    bool is_list = false;
    bool seen = false;
};

/// The fields by which buffers are sized.
struct Layout {
    Field width{256};
    Field height{257};
    Field bits{.tag = 258, .value = 1, .is_list = true};
    Field photometric{262};
    Field samples{.tag = 277, .value = 1};
    Field planes{.tag = 284, .value = 1};
    Field strip_rows{278};
    Field tile_width{322};
    Field tile_height{323};

    Field *find(std::uint64_t tag) {
        for (Field *field : {&width, &height, &bits, &photometric, &samples, &planes, &strip_rows,
                             &tile_width, &tile_height})
            if (field->tag == tag) return field;
        return nullptr;
    }

    /// Whether libtiff makes 8 bits of red, green, blue and alpha of it.
    bool as_rgba() const {
        constexpr std::uint64_t rgb = 2;
        return bits.value <= 8 || photometric.value > rgb;
    }
};

/// Takes the value of the directory's entry.
void take(const Tiff &tiff, const TiffEntry &entry, Field &field, ImageHeader &header) {
    const int room = tiff.offset_bytes();
    const int bytes = bytes_of_size(tiff, entry.type);
    if (field.seen) header.flaw = "that gives its size or layout twice";
    if (bytes == 0 || entry.count == 0 || (entry.count > 1 && !field.is_list))
        header.flaw = "whose size or layout is no number of a type that TIFF allows there";
    field.seen = true;
    const bool fits = entry.count <= static_cast<std::uint64_t>(room / std::max(bytes, 1));
    field.value = tiff.number(fits ? entry.inside : tiff.number(entry.inside, room), bytes);
}

/// Grey or three colors, and the first of other samples, each 1 to 8 bytes; and libtiff's and our
/// own buffer for a strip, or for all tiles beside each other.
std::uint64_t decoder_bytes(const Layout &layout) {
    constexpr std::uint64_t rgb = 2;
    const auto bits = layout.bits.value;
    const auto samples = layout.samples.value;
    const bool as_rgba = layout.as_rgba();
    const std::uint64_t depth = as_rgba ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    const bool is_grey = layout.photometric.value < rgb;
    const std::uint64_t channels = std::clamp<std::uint64_t>(samples, is_grey ? 1 : 3, 4);
    const auto width = layout.width.value;
    const auto height = layout.height.value;
    const auto rows = layout.strip_rows.value;
    const auto strip_rows = rows == 0 ? height : std::min(rows, height);
    const auto tile = std::max<std::uint64_t>(layout.tile_width.value, 1);
    const auto tiles = width / tile + (width % tile != 0 ? 1 : 0); // beside each other
    const auto piece = layout.tile_width.seen ? saturated_product(saturated_product(tiles, tile),
                                                                  layout.tile_height.value)
                                              : saturated_product(width, strip_rows);
    const std::uint64_t stored = saturated_sum(saturated_product(samples, bits), 7) / 8;
    return saturated_sum(saturated_product(saturated_product(width, height), channels * depth),
                         saturated_product(piece, saturated_sum(stored, as_rgba ? 4 : stored)));
}

} // namespace

ImageHeader tiff_header(const Bytes &file) {
    const TiffPages pages = tiff_pages(Tiff(file));
    const TiffPage &page = pages.chosen();
    if (const auto raw = raw_file_kind(file, pages)) {
        ImageHeader header{.directory = page.directory};
        header.format = *raw;
        header.advice = "export it as JPEG, or give the JPEG that the camera keeps beside it";
        return header;
    }
    ImageHeader header = tiff_page_header(file, page.directory);
    header.is_partial = pages.is_cut && !page.is_full();
    return header;
}

ImageHeader tiff_page_header(const Bytes &file, std::uint64_t directory) {
    const Tiff tiff(file);
    ImageHeader header{.directory = directory};
    Layout layout;
    for (const TiffEntry &entry : tiff_entries(tiff, directory)) {
        if (Field *field = layout.find(entry.tag)) take(tiff, entry, *field, header);
        if (header.orientation == 1) header.orientation = tiff_orientation(tiff, entry).value_or(1);
    }
    header.width = layout.width.value;
    header.height = layout.height.value;
    header.decoder_bytes = decoder_bytes(layout);
    return header;
}

} // namespace bowhist
