#include <bowhist/pictures/header/image_traits.hpp>

#include <bowhist/pictures/container/boxes.hpp>
#include <bowhist/pictures/container/gif_frame.hpp>
#include <bowhist/pictures/container/png_chunks.hpp>
#include <bowhist/pictures/container/webp_frame.hpp>
#include <bowhist/pictures/header/capture_time.hpp>
#include <bowhist/pictures/header/exif.hpp>
#include <bowhist/pictures/header/jpeg_segments.hpp>
#include <bowhist/pictures/header/mpo_pictures.hpp>
#include <bowhist/pictures/header/picture_header.hpp>
#include <bowhist/pictures/header/tiff_pages.hpp>

#include <algorithm>
#include <array>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

constexpr std::uint32_t most_frames = 65535;

/// The format as read_image_header() names it, by the first bytes alone.
bool is_jpeg(std::string_view file) {
    return file.starts_with("\xFF\xD8\xFF");
}
bool is_png(std::string_view file) {
    return file.starts_with("\x89PNG\r\n\x1A\n"sv);
}
bool is_webp(std::string_view file) {
    return file.starts_with("RIFF") && file.substr(0, 12).ends_with("WEBP");
}
bool is_tiff(std::string_view file) {
    return file.starts_with("II*\0"sv) || file.starts_with("MM\0*"sv) ||
           file.starts_with("II+\0"sv) || file.starts_with("MM\0+"sv);
}
bool is_heif(std::string_view file) {
    return file.substr(0, 8).ends_with("ftyp");
}

/// The frames that a PNG's acTL promises. Only before the pixels it makes an animation.
std::uint64_t png_frames(const Bytes &file) {
    std::uint64_t frames = 1;
    bool has_pixels = false;
    for_each_png_chunk(file,
                       [&](std::string_view type, std::uint64_t at, std::uint64_t /*length*/) {
                           has_pixels |= type == "IDAT";
                           if (type == "acTL" && !has_pixels) frames = file.big(at + 8, 4);
                       });
    return frames;
}

/// The most samples of any track of pictures in a movie's box.
std::uint64_t movie_samples(const Bytes &file, const IsoBox &movie) {
    constexpr std::array path{"mdia"sv, "minf"sv, "stbl"sv};
    std::uint64_t most = 0;
    for_each_box(file, movie.begin, movie.end, [&](const IsoBox &track) {
        if (track.type != "trak") return;
        IsoBox inner = track;
        bool shows = true;
        for (const std::string_view type : path) {
            const IsoBox outer = inner;
            for_each_box(file, outer.begin, outer.end, [&](const IsoBox &box) {
                if (box.type == type) inner = box;
                if (box.type == "hdlr") { // behind version, flags and four bytes more
                    const auto kind = file.text(box.begin + 8, 4);
                    shows = kind == "pict" || kind == "vide";
                }
            });
        }
        for_each_box(file, inner.begin, inner.end, [&](const IsoBox &box) {
            if (box.type == "stsz" && shows) most = std::max(most, file.big(box.begin + 8, 4));
        });
    });
    return most;
}

/// A sequence has the frames of its movie. A second "ftyp" begins another file.
std::uint64_t heif_frames(const Bytes &file) {
    const auto brand = file.text(8, 4);
    const bool is_sequence = brand == "avis" || brand == "msf1" || brand == "hevc" ||
                             brand == "hevx" || brand == "hevm" || brand == "hevs";
    std::uint64_t frames = 1;
    bool is_first = true;
    for_each_box(file, 0, file.size(), [&](const IsoBox &box) {
        const bool is_another = box.type == "ftyp" && !is_first;
        is_first = false;
        if (box.type == "moov" && is_sequence) frames = std::max(frames, movie_samples(file, box));
        return !is_another;
    });
    return frames;
}

/// Whether one of an Exif block's directories has a tag. The first one names the other two.
struct ExifTags {
    explicit ExifTags(std::string_view block) : bytes(block), tiff(bytes) {
        if (block.empty()) return;
        first = tiff_entries(tiff, tiff.first_directory());
        exif = below(0x8769);
        position = below(0x8825);
    }

    std::vector<TiffEntry> below(std::uint64_t tag) const {
        for (const TiffEntry &entry : first)
            if (entry.tag == tag)
                return tiff_entries(tiff, tiff.number(entry.inside, tiff.offset_bytes()));
        return {};
    }
    static bool has(const std::vector<TiffEntry> &entries,
                    std::initializer_list<std::uint64_t> tags) {
        return std::ranges::any_of(entries, [&](const TiffEntry &entry) {
            return entry.count > 0 && std::ranges::find(tags, entry.tag) != tags.end();
        });
    }

    Bytes bytes;
    Tiff tiff;
    std::vector<TiffEntry> first, exif, position;
};

std::uint32_t exif_bits(const ExifTags &tags) {
    std::uint32_t bits = 0;
    if (ExifTags::has(tags.first, {0x010F, 0x0110})) bits |= has_camera;
    if (ExifTags::has(tags.position, {0x0002, 0x0004})) bits |= has_position;
    if (ExifTags::has(tags.exif, {0x829A, 0x829D, 0x8827, 0x920A, 0xA434})) bits |= has_exposure;
    if (ExifTags::has(tags.first, {0x8773})) bits |= has_profile; // where the file is a TIFF
    if (ExifTags::has(tags.first, {0x02BC})) bits |= has_xmp;
    return bits;
}

/// Profile and XMP of a JPEG.
std::uint32_t jpeg_bits(const Bytes &file) {
    std::uint32_t bits = 0;
    for_each_segment(file, [&](std::uint64_t at) {
        constexpr std::uint8_t app1 = 0xE1;
        constexpr std::uint8_t app2 = 0xE2;
        const auto marker = file.at(at + 1);
        const auto payload = file.text(at + 4, 64);
        if (marker == app2 && payload.starts_with("ICC_PROFILE\0"sv)) bits |= has_profile;
        if (marker == app1 && payload.starts_with("http://ns.adobe.com/xap/1.0/\0"sv))
            bits |= has_xmp;
    });
    return bits;
}

std::uint32_t png_bits(const Bytes &file) {
    std::uint32_t bits = 0;
    for_each_png_chunk(file, [&](std::string_view type, std::uint64_t at, std::uint64_t length) {
        if (type == "iCCP") bits |= has_profile;
        if (type == "iTXt" && file.text(at + 8, length).starts_with("XML:com.adobe.xmp\0"sv))
            bits |= has_xmp;
    });
    return bits;
}

std::uint32_t webp_bits(const Bytes &file) {
    constexpr std::uint8_t profile = 0x20; // of VP8X, which says what chunks follow
    constexpr std::uint8_t xmp = 0x04;
    if (file.text(12, 4) != "VP8X") return 0;
    return (file.at(20) & profile ? has_profile : 0U) | (file.at(20) & xmp ? has_xmp : 0U);
}

/// A HEIC or AVIF says both in its first `meta`.
std::uint32_t heif_bits(const Bytes &file) {
    std::uint32_t bits = 0;
    for_each_box(file, 0, file.size(), [&](const IsoBox &box) {
        if (box.type != "meta") return true;
        const auto meta = file.text(box.begin, box.end - box.begin);
        if (meta.find("colrprof") != meta.npos || meta.find("colrrICC") != meta.npos)
            bits |= has_profile;
        if (meta.find("application/rdf+xml") != meta.npos) bits |= has_xmp;
        return false;
    });
    return bits;
}

std::uint32_t container_bits(std::string_view file) {
    const Bytes bytes(file);
    if (is_jpeg(file)) return jpeg_bits(bytes);
    if (is_png(file)) return png_bits(bytes);
    if (is_webp(file)) return webp_bits(bytes);
    return is_heif(file) ? heif_bits(bytes) : 0;
}

/// The orientation by the Exif block, which a PNG may pack into a text.
int said_orientation(std::string_view file, std::string_view block) {
    if (const auto said = exif_orientation(block)) return *said;
    if (!is_png(file)) return 0;
    const auto header = read_image_header(file);
    return header && header->orientation > 1 ? header->orientation : 0;
}

} // namespace

std::optional<std::size_t> jpeg_head(std::string_view file) {
    if (!is_jpeg(file)) return std::nullopt;
    const auto end = for_each_segment(Bytes(file), [](std::uint64_t) {});
    return end + 1 < file.size() ? std::optional(end) : std::nullopt;
}

ImageTraits image_traits(std::string_view whole) {
    const std::string_view file = whole.substr(0, jpeg_head(whole).value_or(whole.size()));
    const std::string_view block = exif_block(file);
    ImageTraits traits{.frames = frame_count(whole),
                       .orientation = said_orientation(file, block),
                       .metadata = exif_bits(ExifTags(block)) | container_bits(file),
                       .captured = capture_time(file)};
    if (traits.captured) traits.metadata |= has_time;
    return traits;
}

std::uint32_t frame_count(std::string_view file) {
    const Bytes bytes(file);
    std::uint64_t frames = 1;
    if (is_jpeg(file)) frames = mpo_pictures(file).size();
    if (file.starts_with("GIF8")) frames = gif_frames(bytes);
    if (is_png(file)) frames = png_frames(bytes);
    if (is_webp(file) && is_animated_webp(bytes)) frames = webp_frames(bytes);
    if (is_tiff(file)) frames = full_tiff_pages(Tiff(bytes), most_frames).size();
    if (is_heif(file)) frames = heif_frames(bytes);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(frames, 1, most_frames));
}

} // namespace bowhist
