#include <bowhist/pictures/picture.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/bytes.hpp>
#include <bowhist/pictures/decode.hpp>
#include <bowhist/pictures/decode_raster.hpp>
#include <bowhist/pictures/decoding_gate.hpp>
#include <bowhist/pictures/enlarge.hpp>
#include <bowhist/pictures/header/image_traits.hpp>
#include <bowhist/pictures/header/picture_formats.hpp>
#include <bowhist/pictures/header/tiff_pages.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>
#include <bowhist/pictures/jpeg/jpeg_errors.hpp>
#include <bowhist/pictures/worker/decode_workers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

namespace bowhist {
namespace {

bool is_isolated(const ImageHeader &header, Isolation isolation) {
    if (isolation == Isolation::automatic)
        return header.decoder != Decoder::libjpeg || header.is_arithmetic;
    return isolation == Isolation::always;
}

/// Work that decoding may take: 4.5 s, and more for large files of large images. A large header
/// alone brings no more, and neither does a large file of a small image. (libde265, the slowest,
/// takes 0.11 s a megapixel and 0.3 s a MiB here.)
double milliseconds_of(const ImageFile &file) {
    constexpr double least = 4500;
    constexpr double per_mebibyte = 1000; // above the first
    constexpr double per_megapixel = 400;
    const double mebibytes = static_cast<double>(file.bytes.size()) / (1 << 20);
    const double megapixels =
        static_cast<double>(file.header.width) * 1e-6 * static_cast<double>(file.header.height);
    return least +
           std::min(std::max(0.0, mebibytes - 1) * per_mebibyte, megapixels * per_megapixel);
}

/// Twice the bytes of the header, for what a decoder leaks and leaves in pieces, or just these
/// bytes where they are more than usual; and 128 MiB for its tables. More work where the user
/// allows more pixels than usual.
DecodeBounds bounds_of(const ImageFile &file, const ImageLimits &limits) {
    constexpr std::uint64_t tables = 128ULL << 20;
    constexpr double usual_pixels = ImageLimits{}.max_pixels;
    constexpr double days = 1e9; // fits an int
    const auto pixels = file.header.decoder_bytes;
    const auto most = std::max(most_bytes_together(limits), pixels);
    const double more = std::max(1.0, static_cast<double>(limits.max_pixels) / usual_pixels);
    return {std::min(saturated_product(2, pixels), most) + tables,
            static_cast<std::uint32_t>(std::min(milliseconds_of(file) * more, days))};
}

/// Never destroyed, as threads may still read when the process ends; the processes are.
DecodeWorkers &decode_workers() {
    static DecodeWorkers &workers = *[] {
        std::atexit([] { decode_workers().end(); });
        return new DecodeWorkers; // NOLINT(cppcoreguidelines-owning-memory)
    }();
    return workers;
}

/// Calls `there` with the workers where the limits isolate the file and there is one, else `here`.
template <typename There, typename Here>
auto isolated(const ImageFile &file, const ImageLimits &limits, There there, Here here) {
    try {
        if (is_isolated(file.header, limits.isolation)) return there(decode_workers());
    } catch (const WorkerUnavailable &reason) {
        if (limits.isolation == Isolation::always) throw Error(Cause::limit, reason.what());
    }
    return here();
}

DecodedImage decode_somewhere(ImageFile &file, const ImageLimits &limits, Color color) {
    const EncodedFile encoded{file.header, file.bytes};
    return isolated(
        file, limits,
        [&](DecodeWorkers &workers) {
            return workers.decode(encoded, color, limits.max_side, bounds_of(file, limits),
                                  limits.observer);
        },
        [&] { return decode(encoded, color, limits.max_side); });
}

/// The sums over the frames of a file.
struct FrameSums {
    std::size_t frames = 0;
    std::uint64_t pixels = 0;        ///< at full size
    std::uint64_t decoder_bytes = 0; ///< of the frame that takes most
    std::uint64_t room = 0;          ///< bytes of their shrunk samples and sizes

    void add(const ImageHeader &header, int side, std::uint64_t count = 1) {
        frames += count;
        pixels = saturated_sum(pixels, saturated_product(header.width, header.height) * count);
        decoder_bytes = std::max(decoder_bytes, header.decoder_bytes);
        room = saturated_sum(room, count * (most_pixels_left(header, side) + sizeof(FrameSize)));
    }
};

FrameSums frame_sums(const ImageFile &file, int side, std::size_t most) {
    FrameSums sums;
    const Bytes bytes(file.bytes);
    if (file.header.format == "TIFF")
        for (const std::uint64_t directory : full_tiff_pages(Tiff(bytes), most))
            sums.add(tiff_page_header(bytes, directory), side);
    else
        sums.add(file.header, side, std::min<std::uint64_t>(frame_count(file.bytes), most));
    if (sums.frames == 0) sums.add(file.header, side);
    return sums;
}

/// The bounds of one image, and more work and memory for what all take.
DecodeBounds bounds_of_frames(const ImageFile &file, const ImageLimits &limits,
                              const FrameSums &sums) {
    constexpr double milliseconds_per_megapixel = 20; // drawn, laid over the ground and shrunk
    DecodeBounds bounds = bounds_of(file, limits);
    bounds.memory_bytes = saturated_sum(bounds.memory_bytes, sums.room);
    bounds.cpu_milliseconds += static_cast<std::uint32_t>(milliseconds_per_megapixel * 1e-6 *
                                                          static_cast<double>(sums.pixels));
    return bounds;
}

/// Says what became of a long strip: "800x12000 pixels, a long strip: shrunk to 64x960 instead of
/// 26x384".
std::string strip_note(const ImageHeader &header, const Raster &image, int side) {
    PixelSize full{static_cast<int>(header.width), static_cast<int>(header.height)};
    const bool is_on_its_side = (full.width > full.height) != (image.width > image.height);
    if (is_on_its_side) std::swap(full.width, full.height);
    const PixelSize box = boxed(full, side);
    const bool is_kept = image.width == full.width && image.height == full.height;
    return fmt::format("{}x{} pixels, a long strip: {} instead of {}x{}", full.width, full.height,
                       is_kept ? "kept as it is"
                               : fmt::format("shrunk to {}x{}", image.width, image.height),
                       box.width, box.height);
}

ImageRemarks remarks_on(const DecodedImage &decoded, const ImageHeader &header, int side,
                        const std::filesystem::path &path) {
    const Raster &image = decoded.image;
    ImageRemarks remarks;
    remarks.is_long_strip = side > 0 && std::max(image.width, image.height) > side;
    std::string note = decoded.note;
    if (remarks.is_long_strip) note += (note.empty() ? "" : "; ") + strip_note(header, image, side);
    if (!decoded.damage.empty())
        remarks.damage = fmt::format("{}: damaged ({}), taken as it is", path, decoded.damage);
    if (!note.empty()) remarks.note = fmt::format("{}: {}", path, note);
    return remarks;
}

Image grey_image(ImageFile file, const std::filesystem::path &path, const ImageLimits &limits,
                 ImageRemarks *remarks) {
    Raster grey = decode_raster(file, path, limits, Color::grey, remarks);
    return {grey.width, grey.height, std::move(grey.samples)};
}

} // namespace

Raster enlarged(Raster image, const ImageLimits &limits) {
    if (!limits.enlarge) return image;
    const PixelSize size{image.width, image.height};
    const PixelSize wanted = enlarged(size, limits.max_side);
    return wanted == size ? std::move(image) : enlarge(image, wanted);
}

bool is_decoded_elsewhere(const ImageHeader &header, const ImageLimits &limits) {
    return is_isolated(header, limits.isolation);
}

void require_sound(const std::string &damage, const ImageFile &file, const ImageLimits &limits) {
    if (damage.empty() || limits.keep_damaged) return;
    if (!file.header.has_end) throw Error(Cause::damage, truncation(file.header.format));
    throw Error(Cause::damage,
                fmt::format("damaged ({}); get the picture again, or take it as it is with "
                            "--keep-damaged",
                            damage));
}

void decode_in_turn(const ImageFile &file, const std::filesystem::path &path,
                    const ImageLimits &limits, const std::function<void()> &decode) {
    // One for the process, whose memory it guards; threads may wait in it when the process ends.
    static DecodingGate &gate = *new DecodingGate; // NOLINT(cppcoreguidelines-owning-memory)
    const std::string_view format = file.header.format;
    const auto pass = gate.enter(bytes_to_decode(file.header, limits), most_bytes_together(limits),
                                 limits.observer);
    Cause cause = Cause::memory;
    std::string why;
    try {
        return decode();
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw; // no fault of this image
        cause = error.cause;
        why = error.what();
    } catch (const std::bad_alloc &) {
        why = fmt::format("not enough memory to decode this {}; shrink it or lower --max-pixels",
                          format);
    }
    throw Error(cause, fmt::format("{}: {}", path, why));
}

Raster decode_raster(ImageFile &file, const std::filesystem::path &path, const ImageLimits &limits,
                     Color color, ImageRemarks *remarks) {
    Raster image;
    decode_in_turn(file, path, limits, [&] {
        DecodedImage decoded = decode_somewhere(file, limits, color);
        require_sound(decoded.damage, file, limits);
        if (remarks != nullptr) *remarks = remarks_on(decoded, file.header, limits.max_side, path);
        image = enlarged(std::move(decoded.image), limits);
    });
    return image;
}

void require_decoders() {
    require_jpeg_library();
}

bool has_image_ending(const std::filesystem::path &path) {
    static constexpr std::array<std::string_view, 25> endings = {
        ".jpg", ".jpeg", ".jpe", ".mpo",  ".jfif", ".png", ".webp", ".tif", ".tiff",
        ".bmp", ".dib",  ".pbm", ".pgm",  ".ppm",  ".pnm", ".jp2",  ".j2k", ".j2c",
        ".ras", ".sr",   ".gif", ".heic", ".heif", ".hif", ".avif"};
    return std::ranges::find(endings, ending_of(path)) != endings.end();
}

Image read_image(const std::filesystem::path &path, const ImageLimits &limits,
                 ImageRemarks *remarks) {
    return grey_image(read_image_file(path, limits), path, limits, remarks);
}

Image decode_image(std::string_view bytes, const std::filesystem::path &name,
                   const ImageLimits &limits, ImageRemarks *remarks) {
    return grey_image(check_image_bytes(bytes, name, limits), name, limits, remarks);
}

std::vector<Image> read_frames(const std::filesystem::path &path, const ImageLimits &limits,
                               std::size_t most) {
    ImageFile file = read_image_file(path, limits);
    const FrameSums sums = frame_sums(file, limits.max_side, std::max<std::size_t>(most, 1));
    file.header.decoder_bytes = std::max(file.header.decoder_bytes, sums.decoder_bytes);
    const bool is_small = sums.pixels <= limits.max_pixels &&
                          bytes_to_decode(file.header, limits) <=
                              limits.max_bytes.value_or(ImageLimits::most_bytes_alone);
    if (!is_small)
        throw Error(Fault::input, fmt::format("{}: {} frames or pages of {} pixels together, more "
                                              "than the limits allow; raise --max-pixels",
                                              path, sums.frames, sums.pixels));
    std::vector<Raster> frames;
    decode_in_turn(file, path, limits, [&] {
        const EncodedFile encoded{file.header, file.bytes};
        frames = isolated(
            file, limits,
            [&](DecodeWorkers &workers) {
                return workers.decode_frames(encoded, limits.max_side, sums.frames, sums.room,
                                             bounds_of_frames(file, limits, sums), limits.observer);
            },
            [&] { return decode_frames(encoded, limits.max_side, sums.frames); });
    });
    std::vector<Image> images;
    for (Raster &frame : frames)
        images.push_back({frame.width, frame.height, std::move(frame.samples)});
    return images;
}

std::string thumbnail_jpeg(const std::filesystem::path &path, int side) {
    const ImageLimits limits{.max_side = side, .keep_damaged = true};
    ImageFile file = read_image_file(path, limits);
    const Raster image = decode_raster(file, path, limits, Color::bgr, nullptr);
    const PixelSize size{image.width, image.height};
    const PixelSize small = boxed(size, side);
    return encode_jpeg(small == size ? image : shrink(image, small));
}

} // namespace bowhist
