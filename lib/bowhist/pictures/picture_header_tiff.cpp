// TIFF: byte order, version, offset of the first directory; a directory is a count and entries of
// tag, type, number of values, value or its offset. BigTIFF (version 43) widens counts and offsets.
//
// libtiff guesses where a file breaks the rules: of two equal tags it takes the first, others take
// the last. A file that leaves room for guesses about its size has a flaw, and no decoder sees it.

#include <bowhist/pictures/picture_formats.hpp>

#include <algorithm>

namespace bowhist {
namespace {

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

/// A tag that says what decoding takes, and its value, or the first of them.
struct Field {
    std::uint64_t tag;
    std::uint64_t value = 0;
    bool is_list = false;
    bool seen = false;
};

/// What libtiff and OpenCV size their buffers by.
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

    /// Whether libtiff makes 8 bits of red, green, blue and alpha of it, whatever it holds. Else
    /// OpenCV takes the samples as they lie.
    bool as_rgba() const {
        constexpr std::uint64_t rgb = 2;
        return bits.value <= 8 || photometric.value > rgb ||
               (samples.value != 1 && samples.value != 3 && samples.value != 4);
    }
    bool has_planes() const { return planes.value != 1 && samples.value > 1 && !as_rgba(); }
};

/// Takes the value of the directory's entry at `entry`.
void take(const Tiff &tiff, std::uint64_t entry, Field &field, PictureHeader &header) {
    const int room = tiff.is_big_tiff ? 8 : 4;
    const auto count = tiff.number(entry + 4, room);
    const int bytes = tiff.bytes_of_type(tiff.number(entry + 2, 2));
    if (field.seen) header.flaw = "that gives its size or layout twice";
    if (bytes == 0 || count == 0 || (count > 1 && !field.is_list))
        header.flaw = "whose size or layout is no number of a type that TIFF allows there";
    field.seen = true;
    const auto inside = entry + 4 + room;
    const bool fits = count <= static_cast<std::uint64_t>(room / std::max(bytes, 1));
    field.value = tiff.number(fits ? inside : tiff.number(inside, room), bytes);
}

/// OpenCV's picture and its buffer for one tile or strip, and libtiff's buffer for the same.
std::uint64_t decoder_bytes(const Layout &layout) {
    constexpr std::uint64_t rgb = 2;
    constexpr std::uint64_t logluv = 32845; // decoded to three floats
    const auto bits = layout.bits.value;
    const auto samples = layout.samples.value;
    const auto photometric = layout.photometric.value;
    const bool as_rgba = layout.as_rgba();
    const std::uint64_t depth = as_rgba ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    const bool is_grey = photometric < rgb && depth <= 2;
    const std::uint64_t channels = is_grey ? 1 : std::clamp<std::uint64_t>(samples, 3, 4);
    const auto pixels = saturated_product(layout.width.value, layout.height.value);
    const auto all_rows = layout.height.value;
    const auto rows = layout.strip_rows.value;
    const auto strip_rows = rows == 0 ? all_rows : std::min(rows, all_rows);
    const auto piece = layout.tile_width.seen
                           ? saturated_product(layout.tile_width.value, layout.tile_height.value)
                           : saturated_product(layout.width.value, strip_rows);
    const std::uint64_t stored = saturated_sum(saturated_product(samples, bits), 7) / 8;
    return saturated_sum(saturated_product(pixels, photometric == logluv ? 12 : channels * depth),
                         saturated_product(piece, saturated_sum(stored, as_rgba ? 4 : stored)));
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
    Layout layout;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const auto entry = directory + count_bytes + i * entry_bytes;
        if (Field *field = layout.find(tiff.number(entry, 2))) take(tiff, entry, *field, header);
    }
    header.has_planes = layout.has_planes();
    header.width = layout.width.value;
    header.height = layout.height.value;
    header.decoder_bytes = decoder_bytes(layout);
    return header;
}

} // namespace bowhist
