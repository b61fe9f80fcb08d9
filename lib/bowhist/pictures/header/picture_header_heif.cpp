// HEIC and AVIF: boxes of a length and a type; the sizes and codecs of all images inside are
// properties in meta > iprp > ipco.

#include <bowhist/pictures/container/boxes.hpp>
#include <bowhist/pictures/header/picture_formats.hpp>

#include <array>

namespace bowhist {
namespace {

constexpr std::array<std::string_view, 3> containers = {"meta", "iprp", "ipco"};
constexpr int most_boxes = 20'000; // libheif takes no more in a container

/// All images of the file, as the boxes describe them.
struct Boxes {
    ImageHeader header;
    int left = most_boxes;
    bool has_meta = false;
    bool has_data = false;
    bool has_movie = false;
    bool has_alpha = false;
    bool is_deep = false; ///< more than 8 bits a sample
    bool is_cropped = false;
    bool is_av1 = false;
    bool is_full_av1 = false; ///< AV1 with more samples of color than 4:2:0 has
};

void read_property(const Bytes &file, const IsoBox &box, Boxes &boxes) {
    if (box.type == "ispe") {
        const auto width = file.big(box.begin + 4, 4); // behind version and flags
        const auto height = file.big(box.begin + 8, 4);
        if (width * height > boxes.header.width * boxes.header.height) {
            boxes.header.width = width;
            boxes.header.height = height;
        }
    } else if (box.type == "auxC") {
        const auto kind = file.text(box.begin, box.end - box.begin);
        boxes.has_alpha |= kind.find("alpha") != kind.npos || kind.find("auxid:1") != kind.npos;
    } else if (box.type == "hvcC") {
        boxes.is_deep |= ((file.at(box.begin + 17) | file.at(box.begin + 18)) & 7) != 0;
    } else if (box.type == "clap") {
        boxes.is_cropped = true;
    } else if (box.type == "av1C") {
        boxes.is_av1 = true;
        constexpr std::uint8_t high_depth = 0x40;
        constexpr std::uint8_t halved = 0x0C; // both ways
        boxes.is_deep |= (file.at(box.begin + 2) & high_depth) != 0;
        boxes.is_full_av1 |= (file.at(box.begin + 2) & halved) != halved;
    }
}

/// Notes a box of the file. False where a movie follows a whole still, as phones append one: what
/// becomes of it does no harm.
bool is_of_still(const IsoBox &box, Boxes &boxes) {
    const bool is_meta = box.type == "meta";
    const bool is_data = box.type == "mdat";
    const bool has_still = boxes.has_meta && boxes.has_data;
    if (has_still && (is_meta || is_data || box.type == "ftyp")) return false;
    boxes.has_meta |= is_meta;
    boxes.has_data |= is_data;
    boxes.has_movie |= box.type == "moov";
    if ((is_meta || is_data) && !box.is_whole) boxes.header.complete = false;
    return true;
}

void walk(const Bytes &file, std::uint64_t at, std::uint64_t end, std::size_t level, Boxes &boxes) {
    while (at < end && end - at >= 8 && boxes.left-- > 0) {
        const IsoBox box = box_at(file, at, end);
        if (level == 0 && !is_of_still(box, boxes)) break;
        if (level == containers.size())
            read_property(file, box, boxes);
        else if (box.type == containers[level]) // meta begins with version and flags
            walk(file, box.begin + (level == 0 ? 4 : 0), box.end, level + 1, boxes);
        at = box.end;
    }
}

/// The most that libheif and its codec hold, counted at malloc and rounded up. HEVC takes the image
/// as RGB, once in planes and once interleaved, each in the codec's depth (6 bytes a pixel; 12 for
/// 10 bits, 15.3 with all samples of color); a crop adds a copy (7.5, 19.3), alpha a channel (11.5,
/// 23). AV1 takes dav1d's own memory beside its frame (9.7, 16.2), which grows with the samples of
/// color (16.1, 28.8).
std::uint64_t bytes_per_pixel(const Boxes &boxes) {
    if (boxes.has_alpha || boxes.is_full_av1) return boxes.is_deep ? 30 : 17;
    if (!boxes.is_deep) return 10;
    return boxes.is_cropped ? 20 : boxes.is_av1 ? 17 : 16;
}

} // namespace

/// The largest size of all images inside: a grid's tiles and thumbnails are smaller than the
/// primary one.
ImageHeader heif_header(const Bytes &file) {
    Boxes boxes;
    walk(file, 0, file.size(), 0, boxes);
    if (boxes.has_movie && !boxes.has_meta)
        boxes.header.flaw = "that is a sequence without a still picture";
    return with_decoder_bytes(boxes.header, bytes_per_pixel(boxes));
}

} // namespace bowhist
