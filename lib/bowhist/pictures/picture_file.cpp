#include <bowhist/pictures/picture_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/foreign_file.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/pictures/bytes.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace bowhist {
namespace {

// Metadata, thumbnails and what else a sane image carries beside its pixels. A header is sought
// this far: only TIFF puts its own at the end.
constexpr std::uint64_t header_bytes = 64ULL << 20;
constexpr std::uint64_t bytes_per_pixel = 16; // four channels of float32, not compressed
// Each scan of a JPEG costs a pass over all pixels of each of its components, whatever it holds:
// some 0.7 ns a pixel. libjpeg writes 14 passes in 10 scans, encoders that search for the smallest
// file some 20. An image of 100 million pixels is held to 40 (3 s), one of half as many to 80; one
// of fewer that are all that max_pixels allows, to 40 as well.
constexpr double max_passes = 40;
constexpr double passed_pixels = 100e6;
constexpr std::uint32_t max_scans = 200; // of the smallest image, too

[[noreturn]] void refuse(const std::filesystem::path &path, std::string_view why) {
    throw Error(Fault::input, fmt::format("{}: {}", path, why));
}

/// Appends the file's next bytes until `bytes` has `size`.
void read_up_to(std::uint64_t size, InputFile &file, std::string &bytes) {
    const auto filled = bytes.size();
    bytes.resize(size);
    file.read(std::as_writable_bytes(std::span(bytes).subspan(filled)));
}

void check_format(const std::optional<ImageHeader> &header, const InputFile &file,
                  const std::filesystem::path &path) {
    if (!header) {
        if (const auto found = recognize(file, Expected::image))
            refuse(path, refusal(*found, Expected::image));
        refuse(path, fmt::format("no picture that bowhist knows; it reads {}", readable_formats()));
    }
    if (header->decoder == Decoder::none) {
        refuse(path,
               fmt::format("{}, which bowhist does not read; {}", header->format,
                           header->advice.empty() ? "convert it to PNG or JPEG" : header->advice));
    }
    if (const auto library = missing_library(header->decoder); !library.empty())
        refuse(path, fmt::format("{}, and this bowhist was built without {}; convert it to JPEG",
                                 header->format, library));
}

void check_pixels(const ImageHeader &header, std::uint64_t max_pixels,
                  const std::filesystem::path &path) {
    if (header.height > 0 && header.width > max_pixels / header.height) {
        refuse(path, fmt::format("{}x{} pixels, more than the limit of {}; shrink it or raise "
                                 "--max-pixels",
                                 header.width, header.height, max_pixels));
    }
}

void check_bytes(const ImageHeader &header, const ImageLimits &limits,
                 const std::filesystem::path &path) {
    const auto bytes = bytes_to_decode(header, limits.max_side);
    const auto most = limits.max_bytes.value_or(ImageLimits::most_bytes_alone);
    if (bytes > most) {
        refuse(path, fmt::format("{}x{} pixels that take {} bytes to decode, more than the limit "
                                 "of {}; shrink it or raise --max-bytes",
                                 header.width, header.height, bytes, most));
    }
}

/// Refuses a file far larger than any file of the image that its header promises.
void check_file_size(std::uint64_t size, const ImageHeader &header, std::uint64_t max_pixels,
                     const std::filesystem::path &path) {
    constexpr std::uint64_t decoder_limit = std::numeric_limits<int>::max(); // it counts in an int
    const bool size_comes_later =
        header.format == "TIFF" && (header.width == 0 || header.is_partial);
    const auto pixels = size_comes_later ? max_pixels : header.width * header.height;
    const auto sane_size = pixels < decoder_limit / bytes_per_pixel
                               ? std::min(decoder_limit, header_bytes + bytes_per_pixel * pixels)
                               : decoder_limit;
    if (size > sane_size) {
        refuse(path, fmt::format("{} bytes, absurd for a {} of {} pixels; save it anew", size,
                                 header.format, pixels));
    }
}

void check_scans(const ImageHeader &header, std::uint64_t max_pixels,
                 const std::filesystem::path &path) {
    const double work = static_cast<double>(header.passes) * static_cast<double>(header.width) *
                        static_cast<double>(header.height);
    const auto allowed = static_cast<double>(max_pixels);
    const double more = std::max(1.0, allowed / static_cast<double>(ImageLimits{}.max_pixels));
    const double most = max_passes * std::min(allowed, passed_pixels) * more;
    if (header.scans > max_scans || work > most) {
        refuse(path, fmt::format("a {} of {}x{} pixels in {} scans, more work than any encoder "
                                 "makes; save it anew",
                                 header.format, header.width, header.height, header.scans));
    }
}

void check_whole(const ImageHeader &header, bool keep_damaged, const std::filesystem::path &path) {
    const bool can_keep = header.format == "JPEG";
    if (!header.complete && !(can_keep && keep_damaged)) refuse(path, truncation(header.format));
    if (!header.flaw.empty())
        refuse(path, fmt::format("{} {} {}; save it anew", header.format == "AVIF" ? "an" : "a",
                                 header.format, header.flaw));
    if (header.width == 0 || header.height == 0) {
        refuse(path, fmt::format("damaged, its {} header has no size; get the picture again",
                                 header.format));
    }
}

} // namespace

std::uint64_t most_pixels_left(const ImageHeader &header, int side) {
    const auto edge = static_cast<std::uint64_t>(side);
    const auto pixels = saturated_product(header.width, header.height);
    return side > 0 ? std::min(pixels, edge * edge) : pixels;
}

std::uint64_t bytes_to_decode(const ImageHeader &header, int side) {
    return saturated_sum(header.decoder_bytes,
                         saturated_product(3, most_pixels_left(header, side)));
}

std::uint64_t most_bytes_together(const ImageLimits &limits) {
    return limits.max_bytes.value_or(ImageLimits::usual_bytes);
}

std::string truncation(std::string_view format) {
    return fmt::format("truncated, its {} data stops before the end; get the picture again{}",
                       format, format == "JPEG" ? ", or take it as it is with --keep-damaged" : "");
}

ImageFile read_image_file(const std::filesystem::path &path, const ImageLimits &limits) {
    if (path.native().find('\0') != std::string::npos)
        refuse(path, "no file's name holds a NUL byte");
    InputFile file(path, Fault::input);
    const auto size = file.size();
    if (size == 0) refuse(path, "an empty file; get the picture again");

    std::string bytes;
    read_up_to(std::min(size, header_bytes), file, bytes);
    auto header = read_image_header(bytes);
    check_format(header, file, path);
    check_pixels(*header, limits.max_pixels, path);
    check_bytes(*header, limits, path);
    if (size > header_bytes) {
        check_file_size(size, *header, limits.max_pixels, path);
        read_up_to(size, file, bytes);
        header = read_image_header(bytes);
        check_format(header, file, path);
        check_pixels(*header, limits.max_pixels, path);
        check_bytes(*header, limits, path);
    }
    check_whole(*header, limits.keep_damaged, path);
    check_scans(*header, limits.max_pixels, path);
    return {*header, std::move(bytes)};
}

} // namespace bowhist
