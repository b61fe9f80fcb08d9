#include <bowhist/pictures/picture_file.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/foreign_file.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/pictures/bytes.hpp>
#include <bowhist/pictures/enlarge.hpp>
#include <bowhist/pictures/header/mpo_pictures.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <sys/stat.h>

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

/// Appends the file's next bytes until `bytes` has `size`.
void read_up_to(std::uint64_t size, InputFile &file, std::string &bytes) {
    const auto filled = bytes.size();
    bytes.resize(size);
    file.read(std::as_writable_bytes(std::span(bytes).subspan(filled)));
}

void check_format(const InputFile &file, const std::optional<ImageHeader> &header) {
    if (!header) {
        if (const auto found = recognize(file, Expected::image))
            file.fail("{}", refusal(*found, Expected::image));
        file.fail("no picture that bowhist knows; it reads {}", readable_formats());
    }
    if (header->decoder == Decoder::none)
        file.fail("{}, which bowhist does not read; {}", header->format,
                  header->advice.empty() ? "convert it to PNG or JPEG" : header->advice);
    if (const auto library = missing_library(header->decoder); !library.empty())
        file.fail("{}, and this bowhist was built without {}; convert it to JPEG", header->format,
                  library);
}

/// The header of an image that the limits allow.
ImageHeader checked_header(std::string_view bytes, const InputFile &file,
                           const ImageLimits &limits) {
    if (bytes.empty()) file.fail("an empty file; get the picture again");
    const auto header = read_image_header(bytes);
    check_format(file, header);
    const auto [width, height] = std::pair(header->width, header->height);
    if (height > 0 && width > limits.max_pixels / height)
        file.fail("{}x{} pixels, more than the limit of {}; shrink it or raise --max-pixels", width,
                  height, limits.max_pixels);
    if (enlarged_pixels(*header, limits) > limits.max_pixels)
        file.fail("{}x{} pixels, enlarged to {}, more than the limit of {}; lower --max-side or "
                  "raise --max-pixels",
                  width, height, enlarged_pixels(*header, limits), limits.max_pixels);
    const auto needed = bytes_to_decode(*header, limits);
    const auto most = limits.max_bytes.value_or(ImageLimits::most_bytes_alone);
    if (needed > most)
        file.fail("{}x{} pixels that take {} bytes to decode, more than the limit of {}; shrink it "
                  "or raise --max-bytes",
                  width, height, needed, most);
    return *header;
}

/// Refuses a file far larger than any file of the image that its header promises.
void check_file_size(const InputFile &file, const ImageHeader &header, std::uint64_t max_pixels) {
    constexpr std::uint64_t decoder_limit = std::numeric_limits<int>::max(); // it counts in an int
    const bool size_comes_later =
        header.format == "TIFF" && (header.width == 0 || header.is_partial);
    const auto pixels = size_comes_later ? max_pixels : header.width * header.height;
    const auto sane_size = pixels < decoder_limit / bytes_per_pixel
                               ? std::min(decoder_limit, header_bytes + bytes_per_pixel * pixels)
                               : decoder_limit;
    if (file.size() > sane_size)
        file.fail("{} bytes, absurd for a {} of {} pixels; save it anew", file.size(),
                  header.format, pixels);
}

void check_scans(const InputFile &file, const ImageHeader &header, std::uint64_t max_pixels) {
    const double work = static_cast<double>(header.passes) * static_cast<double>(header.width) *
                        static_cast<double>(header.height);
    const auto allowed = static_cast<double>(max_pixels);
    const double more = std::max(1.0, allowed / static_cast<double>(ImageLimits{}.max_pixels));
    const double most = max_passes * std::min(allowed, passed_pixels) * more;
    if (header.scans > max_scans || work > most)
        file.fail(
            "a {} of {}x{} pixels in {} scans, more work than any encoder makes; save it anew",
            header.format, header.width, header.height, header.scans);
}

void check_whole(const InputFile &file, const ImageHeader &header, bool keep_damaged) {
    const bool is_kept = keep_damaged && header.format == "JPEG";
    if (!header.complete && !is_kept) file.fail("{}", truncation(header.format));
    if (!header.flaw.empty())
        file.fail("{} {} {}; save it anew", header.format == "AVIF" ? "an" : "a", header.format,
                  header.flaw);
    if (header.width == 0 || header.height == 0)
        file.fail("damaged, its {} header has no size; get the picture again", header.format);
}

const std::filesystem::path &checked(const std::filesystem::path &path) {
    if (path.native().find('\0') != std::string::npos)
        throw Error(Fault::input, fmt::format("{}: no file's name holds a NUL byte", path));
    return path;
}

struct stat look_at(const InputFile &file) {
    struct stat now {};
    if (::fstat(file.descriptor(), &now) != 0) return {};
    return now;
}

std::int64_t nanoseconds(const timespec &time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

FileStamp stamp_of(const InputFile &file) {
    const struct stat now = look_at(file);
    return {static_cast<std::uint64_t>(now.st_size), nanoseconds(now.st_mtim)};
}

} // namespace

std::uint64_t most_pixels_left(const ImageHeader &header, int side) {
    const auto edge = static_cast<std::uint64_t>(side);
    const auto pixels = saturated_product(header.width, header.height);
    return side > 0 ? std::min(pixels, edge * edge) : pixels;
}

std::uint64_t enlarged_pixels(const ImageHeader &header, const ImageLimits &limits) {
    const auto longer = std::max(header.width, header.height);
    if (!limits.enlarge || longer == 0 || limits.max_side <= 0) return 0;
    if (longer >= static_cast<std::uint64_t>(limits.max_side)) return 0;
    const PixelSize size = enlarged(
        {static_cast<int>(header.width), static_cast<int>(header.height)}, limits.max_side);
    return static_cast<std::uint64_t>(size.width) * static_cast<std::uint64_t>(size.height);
}

std::uint64_t bytes_to_decode(const ImageHeader &header, const ImageLimits &limits) {
    const auto left = saturated_product(3, most_pixels_left(header, limits.max_side));
    return saturated_sum(header.decoder_bytes,
                         saturated_sum(left, enlarged_pixels(header, limits)));
}

std::uint64_t most_bytes_together(const ImageLimits &limits) {
    return limits.max_bytes.value_or(ImageLimits::usual_bytes);
}

std::string truncation(std::string_view format) {
    return fmt::format("truncated, its {} data stops before the end; get the picture again{}",
                       format, format == "JPEG" ? ", or take it as it is with --keep-damaged" : "");
}

ImageBytes::ImageBytes(const std::filesystem::path &path, const ImageLimits &limits)
    : file_(checked(path), Fault::input) {
    read(limits);
}

ImageBytes::ImageBytes(std::string_view bytes, const std::filesystem::path &name,
                       const ImageLimits &limits)
    : file_{InputFile::in_memory(bytes, printable(name), Fault::input)} {
    read(limits);
}

void ImageBytes::read(const ImageLimits &limits) {
    const auto size = file_.size();
    read_up_to(std::min(size, header_bytes), file_, bytes_);
    if (size <= header_bytes) return;
    check_file_size(file_, checked_header(bytes_, file_, limits), limits.max_pixels);
    read_up_to(size, file_, bytes_);
}

FileStamp ImageBytes::stamp() const {
    return stamp_of(file_);
}

std::int64_t ImageBytes::changed() const {
    return nanoseconds(look_at(file_).st_ctim);
}

ImageFile ImageBytes::take(const ImageLimits &limits) {
    const ImageHeader header = checked_header(bytes_, file_, limits);
    check_whole(file_, header, limits.keep_damaged);
    check_scans(file_, header, limits.max_pixels);
    return {header, std::move(bytes_)};
}

ImageFile read_image_file(const std::filesystem::path &path, const ImageLimits &limits) {
    return ImageBytes(path, limits).take(limits);
}

ImageFile check_image_bytes(std::string_view bytes, const std::filesystem::path &name,
                            const ImageLimits &limits) {
    return ImageBytes(bytes, name, limits).take(limits);
}

std::pair<ImageTraits, FileStamp> read_image_traits(const std::filesystem::path &path) {
    constexpr std::uint64_t usual_head = 128U << 10;
    {
        InputFile file(checked(path), Fault::input);
        std::string start;
        read_up_to(std::min(file.size(), usual_head), file, start);
        if (jpeg_head(start) && !has_picture_index(start))
            return {image_traits(start), stamp_of(file)};
    }
    const ImageBytes file(path, {});
    return {image_traits(file.bytes()), file.stamp()};
}

} // namespace bowhist
