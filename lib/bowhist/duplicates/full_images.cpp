#include <bowhist/duplicates/full_images.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/duplicates/pixels/image_detail.hpp>
#include <bowhist/library/file/content_hash.hpp>
#include <bowhist/pictures/container/png_chunks.hpp>
#include <bowhist/pictures/decode_raster.hpp>
#include <bowhist/pictures/image_views.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <sys/stat.h>

namespace bowhist {
namespace {

/// Whether a file's kind, and what a PNG says of it, leave room for alpha or for more than 8 bits.
bool may_hold_more(const ImageFile &file) {
    if (file.header.decoder != Decoder::opencv) return false;
    if (file.header.format != "PNG") return file.header.format != "BMP";
    const Bytes bytes(file.bytes);
    bool has_alpha = (bytes.at(25) & 4) != 0;
    for_each_png_chunk(bytes, [&](std::string_view type, std::uint64_t, std::uint64_t) {
        has_alpha |= type == "tRNS";
    });
    return has_alpha || bytes.at(24) > 8;
}

/// Makes samples of Color::whole blue, green and red of 8 bits, unless they hold more.
/// @return bits of HeldBeyond
std::uint32_t narrow(Raster &raster) {
    std::uint32_t held = 0;
    const std::vector<std::uint8_t> &from = raster.samples;
    for (std::size_t i = 0; i < from.size(); i += 8) {
        for (std::size_t channel = i; channel < i + 6; channel += 2)
            if (from[channel] != from[channel + 1]) held |= holds_more_bits;
        if (from[i + 6] != 255 || from[i + 7] != 255) held |= holds_alpha;
    }
    if (held != 0) return held;
    for (std::size_t i = 0; i < from.size() / 8; ++i)
        for (std::size_t channel = 0; channel < 3; ++channel)
            raster.samples[3 * i + channel] = from[8 * i + 2 * channel];
    raster.samples.resize(from.size() / 8 * 3);
    return held;
}

/// Fills the hash, and what is held beyond.
void read_whole(const LibraryImage &image, KeptPairs::Pixels &pixels) {
    try {
        const ImageLimits limits{.max_side = 0};
        ImageFile file = read_image_file(image.file(), limits);
        const Color color = may_hold_more(file) ? Color::whole : Color::bgr;
        if (color == Color::whole) // beside what is counted for 8 bits
            file.header.decoder_bytes = saturated_sum(
                file.header.decoder_bytes,
                saturated_product(24, saturated_product(file.header.width, file.header.height)));
        Raster raster = decode_raster(file, image.file(), limits, color, nullptr);
        pixels.held = color == Color::whole ? narrow(raster) : 0;
        pixels.hash = content_hash(
            {reinterpret_cast<const char *>(raster.samples.data()), raster.samples.size()});
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
    }
}

/// Nothing where the file cannot be read.
std::optional<Image> grey_image(const LibraryImage &image, int max_side) {
    try {
        return read_image(image.file(), {.max_side = max_side});
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        return std::nullopt;
    }
}

} // namespace

bool is_unchanged(const LibraryImage &image) {
    struct stat now {};
    if (::stat(image.file().c_str(), &now) != 0) return false;
    const FileStamp stamp{static_cast<std::uint64_t>(now.st_size),
                          std::int64_t{now.st_mtim.tv_sec} * 1'000'000'000 + now.st_mtim.tv_nsec};
    return stamp == image.stamp;
}

SizedThumbnail close_view(const LibraryImage &image) {
    constexpr int close_side = 2048;
    return {.thumbnail = {.luma = grey_image(image, close_side).value_or(Image{}), .color = {}},
            .width = image.width,
            .height = image.height};
}

namespace {

/// Reads files for what all their pixels say, unless it is kept.
/// @param is_known  of an image and what is kept of it
/// @param read      fills what is missing of an image, if its file can be read
std::map<std::uint32_t, KeptPairs::Pixels>
complete_pixels(const NumberedImages &images, const std::vector<std::uint32_t> &numbers,
                KeptPairs &kept, Observer &observer,
                const std::function<bool(std::uint32_t, const KeptPairs::Pixels &)> &is_known,
                const std::function<void(std::uint32_t, KeptPairs::Pixels &)> &read) {
    std::vector<KeptPairs::Pixels> pixels(numbers.size());
    std::vector<char> is_new(numbers.size()); // and to be kept
    for_each_number(numbers.size(), observer, [&](std::size_t i) {
        const bool unchanged = is_unchanged(images[numbers[i]]);
        if (unchanged) pixels[i] = kept.pixels(numbers[i]);
        if (is_known(numbers[i], pixels[i])) return;
        read(numbers[i], pixels[i]);
        is_new[i] =
            is_known(numbers[i], pixels[i]) && unchanged && is_unchanged(images[numbers[i]]);
    });
    std::map<std::uint32_t, KeptPairs::Pixels> result;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (is_new[i] != 0) kept.put_pixels(numbers[i], pixels[i]);
        result[numbers[i]] = std::move(pixels[i]);
    }
    return result;
}

} // namespace

std::map<std::uint32_t, KeptPairs::Pixels> whole_images(const NumberedImages &images,
                                                        const std::vector<std::uint32_t> &numbers,
                                                        KeptPairs &kept, Observer &observer) {
    return complete_pixels(
        images, numbers, kept, observer,
        [](std::uint32_t, const KeptPairs::Pixels &known) { return !known.hash.empty(); },
        [&](std::uint32_t number, KeptPairs::Pixels &missing) {
            read_whole(images[number], missing);
        });
}

std::map<std::uint32_t, ImageQuality>
image_qualities(const NumberedImages &images, const std::map<std::uint32_t, PartOfImage> &parts,
                KeptPairs &kept, Observer &observer) {
    std::vector<std::uint32_t> numbers;
    for (const auto &[image, part] : parts) numbers.push_back(image);
    const auto is_known = [&](std::uint32_t image, const KeptPairs::Pixels &pixels) {
        return pixels.quality && pixels.part == parts.at(image);
    };
    const auto read = [&](std::uint32_t image, KeptPairs::Pixels &pixels) {
        const std::optional<Image> grey = grey_image(images[image], 0);
        if (!grey) return;
        pixels.part = parts.at(image);
        pixels.quality = quality_of(*grey, pixels.part);
    };
    std::map<std::uint32_t, ImageQuality> qualities;
    for (const auto &[image, pixels] :
         complete_pixels(images, numbers, kept, observer, is_known, read))
        if (pixels.quality) qualities[image] = *pixels.quality;
    return qualities;
}

std::optional<bool> follows_first(const LibraryImage &image, const LibraryImage &one,
                                  const AffineMap &map_to_one, const LibraryImage &other,
                                  const AffineMap &map_to_other) {
    constexpr double visible = 16;          // levels
    constexpr std::size_t least_pixels = 6; // that differ
    constexpr double margin = 0.2;
    const SizedThumbnail middle = close_view(image);
    const Overlay first = laid_under(middle, close_view(one), map_to_one);
    const Overlay second = laid_under(middle, close_view(other), map_to_other);
    if (first.covered.empty() || first.covered.size() != second.covered.size()) return std::nullopt;
    double along = 0, length = 0;
    std::size_t pixels = 0;
    for (std::size_t i = 0; i < first.covered.size(); ++i) {
        if (first.covered[i] == 0 || second.covered[i] == 0) continue;
        const double difference = double{second.upper[i]} - first.upper[i];
        if (std::abs(difference) < visible) continue;
        along += difference * (double{first.lower[i]} - first.upper[i]);
        length += difference * difference;
        ++pixels;
    }
    if (pixels < least_pixels) return std::nullopt;
    const double place = along / length; // 0: as the first, 1: as the second
    if (std::abs(place - 0.5) < margin) return std::nullopt;
    return place < 0.5;
}

} // namespace bowhist
