// HEIC and AVIF: boxes of a length and a type; the sizes and codecs of all pictures inside are
// properties in meta > iprp > ipco.

#include <bowhist/pictures/picture_formats.hpp>

#include <algorithm>
#include <array>

namespace bowhist {
namespace {

constexpr std::array<std::string_view, 3> containers = {"meta", "iprp", "ipco"};
constexpr int most_boxes = 20'000; // libheif takes no more in a container

struct Box {
    std::string_view type;
    std::uint64_t begin; ///< of what it holds
    std::uint64_t end;
    bool is_whole; ///< false: it promises more bytes than there are
};

/// Lengths count from the box's first byte: 0 goes to the end, 1 is followed by one of 64 bits.
Box box_at(const Bytes &file, std::uint64_t at, std::uint64_t end) {
    const bool is_long = file.big(at, 4) == 1;
    const std::uint64_t said = is_long ? file.big(at + 8, 8) : file.big(at, 4);
    const std::uint64_t length = said == 0 ? end - at : said;
    const std::uint64_t begin = std::min(at + (is_long ? 16 : 8), end);
    const bool is_whole = length >= begin - at && length <= end - at;
    return {file.text(at + 4, 4), begin, is_whole ? at + length : end, is_whole};
}

/// What the boxes tell of all pictures in the file.
struct Boxes {
    PictureHeader header;
    int left = most_boxes;
    bool has_meta = false;
    bool has_movie = false;
    bool has_alpha = false;
    bool is_deep = false;     ///< more than 8 bits a sample
    bool is_full_av1 = false; ///< AV1 with more samples of colour than 4:2:0 has
};

void read_property(const Bytes &file, const Box &box, Boxes &boxes) {
    if (box.type == "ispe") {
        const auto width = file.big(box.begin + 4, 4); // behind version and flags
        const auto height = file.big(box.begin + 8, 4);
        if (width * height > boxes.header.width * boxes.header.height) {
            boxes.header.width = width;
            boxes.header.height = height;
        }
    } else if (box.type == "auxC") {
        const auto kind = file.text(box.begin, box.end - box.begin);
        boxes.has_alpha =
            boxes.has_alpha || kind.find("alpha") != kind.npos || kind.find("auxid:1") != kind.npos;
    } else if (box.type == "hvcC") {
        boxes.is_deep = boxes.is_deep || ((file.at(box.begin + 17) | file.at(box.begin + 18)) & 7);
    } else if (box.type == "av1C") {
        constexpr std::uint8_t high_depth = 0x40;
        constexpr std::uint8_t halved = 0x0C; // both ways
        boxes.is_deep = boxes.is_deep || (file.at(box.begin + 2) & high_depth) != 0;
        boxes.is_full_av1 = boxes.is_full_av1 || (file.at(box.begin + 2) & halved) != halved;
    }
}

void walk(const Bytes &file, std::uint64_t at, std::uint64_t end, std::size_t level, Boxes &boxes) {
    while (at < end && end - at >= 8 && boxes.left-- > 0) {
        const Box box = box_at(file, at, end);
        if (level == 0) {
            boxes.has_meta = boxes.has_meta || box.type == "meta";
            boxes.has_movie = boxes.has_movie || box.type == "moov";
            const bool holds_data = box.type == "meta" || box.type == "mdat";
            if (holds_data && !box.is_whole) boxes.header.complete = false;
        }
        if (level == containers.size())
            read_property(file, box, boxes);
        else if (box.type == containers[level]) // meta begins with version and flags
            walk(file, box.begin + (level == 0 ? 4 : 0), box.end, level + 1, boxes);
        at = box.end;
    }
}

/// What libheif and its codec hold at most, counted at malloc and rounded up. Of HEVC it is the
/// picture as RGB, once in planes and once interleaved, each in the codec's depth (6 bytes a pixel,
/// 12 of 10 bits); a crop adds a copy (7.5, 15), alpha a channel (11.5, 23). Of AV1 it is dav1d's
/// own memory beside its frame (9.7, 16.2), which grows with the samples of colour (16.1, 28.8).
std::uint64_t bytes_per_pixel(const Boxes &boxes) {
    if (boxes.has_alpha || boxes.is_full_av1) return boxes.is_deep ? 30 : 17;
    return boxes.is_deep ? 17 : 10;
}

} // namespace

/// The largest size of all pictures inside: a grid's tiles and thumbnails are smaller than the
/// primary one.
PictureHeader heif_header(const Bytes &file) {
    Boxes boxes;
    walk(file, 0, file.size(), 0, boxes);
    if (boxes.has_movie && !boxes.has_meta)
        boxes.header.flaw = "that is a sequence without a still picture";
    return with_decoder_bytes(boxes.header, bytes_per_pixel(boxes));
}

} // namespace bowhist
