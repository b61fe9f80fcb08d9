#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/release.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/container/heif_still.hpp>
#include <bowhist/pictures/ground.hpp>
#include <bowhist/pictures/raster.hpp>

#include <fmt/format.h>
#include <libheif/heif.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {
namespace {

using Context = std::unique_ptr<heif_context, Release<heif_context_free>>;
using Handle = std::unique_ptr<heif_image_handle, Release<heif_image_handle_release>>;
using Pixels = std::unique_ptr<heif_image, Release<heif_image_release>>;

/// libheif's messages may quote the file, and end in a line's end.
std::string reason_of(const heif_error &error) {
    std::string_view message = error.message;
    while (message.ends_with('\n')) message.remove_suffix(1);
    return excerpt(message);
}

void check(const heif_error &error, std::string_view format) {
    if (error.code == heif_error_Ok) return;
    if (error.code == heif_error_Memory_allocation_error &&
        error.subcode != heif_suberror_Security_limit_exceeded)
        throw std::bad_alloc();
    const auto reason = reason_of(error);
    // a primary image of a codec that libheif has never heard of does not exist for it
    const bool is_unknown = error.code == heif_error_Unsupported_feature ||
                            error.code == heif_error_Unsupported_filetype ||
                            error.subcode == heif_suberror_Nonexisting_item_referenced;
    if (is_unknown)
        throw Error(Fault::input, fmt::format("a kind of {} that libheif {} does not read here "
                                              "({}); convert it to JPEG",
                                              format, heif_get_version(), reason));
    throw Error(Fault::input, fmt::format("damaged ({}); get the picture again", reason));
}

void require(bool is_so, const ImageHeader &header) {
    if (!is_so)
        throw Error(Fault::input,
                    fmt::format("damaged, its {} header gives two sizes; get the picture again",
                                header.format));
}

/// Threads are the caller's to make, and the size was checked in the header. `still` outlives the
/// context.
Context open(std::string_view still, const ImageHeader &header) {
    Context context(heif_context_alloc());
    if (!context) throw std::bad_alloc();
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    const auto longer = std::max(header.width, header.height);
    const auto too_long = std::min(most, longer + 1); // libheif 1.15 refuses the limit itself, too
    heif_context_set_maximum_image_size_limit(context.get(), static_cast<int>(too_long));
    heif_context_set_max_decoding_threads(context.get(), 0);
    check(heif_context_read_from_memory_without_copy(context.get(), still.data(), still.size(),
                                                     nullptr),
          header.format);
    return context;
}

Handle primary_image(const Context &context, const ImageHeader &header) {
    heif_image_handle *found = nullptr;
    check(heif_context_get_primary_image_handle(context.get(), &found), header.format);
    Handle handle(found);
    const auto width = heif_image_handle_get_ispe_width(found);
    const auto height = heif_image_handle_get_ispe_height(found);
    require(width > 0 && height > 0 &&
                static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) <=
                    header.width * header.height,
            header);
    return handle;
}

Pixels decode(const Handle &handle, heif_chroma chroma, const ImageHeader &header) {
    heif_image *decoded = nullptr;
    check(heif_decode_image(handle.get(), &decoded, heif_colorspace_RGB, chroma, nullptr),
          header.format);
    Pixels pixels(decoded);
    require(heif_image_get_width(decoded, heif_channel_interleaved) ==
                    heif_image_handle_get_width(handle.get()) &&
                heif_image_get_height(decoded, heif_channel_interleaved) ==
                    heif_image_handle_get_height(handle.get()),
            header);
    return pixels;
}

/// What lies behind rows of RGBA.
std::uint8_t ground_of(const std::uint8_t *samples, std::ptrdiff_t stride, PixelSize size,
                       bool premultiplied) {
    Ground ground;
    for (int y = 0; y < size.height; ++y) {
        const std::uint8_t *from = samples + y * stride;
        for (int x = 0; x < size.width; ++x, from += 4) {
            ground.add_transparent(grey_of(from[0], from[1], from[2]), from[3], premultiplied);
        }
    }
    return ground.choice();
}

/// How rows lie over the ground.
struct Transparency {
    bool has_alpha;
    bool is_premultiplied;
    std::uint8_t ground;
};

/// Lays a row of RGB or RGBA over the ground; `row` has its pixels in that color.
void lay(const std::uint8_t *from, const Transparency &how, Color color,
         std::vector<std::uint8_t> &row) {
    const auto pixels = row.size() / static_cast<std::size_t>(color);
    std::uint8_t *to = row.data();
    for (std::size_t x = 0; x < pixels; ++x, from += how.has_alpha ? 4 : 3) {
        const int alpha = how.has_alpha ? from[3] : 255;
        const auto laid = [&](int sample) {
            return over(how.ground, sample, alpha, how.is_premultiplied);
        };
        to = put_pixel(to, color, laid(from[0]), laid(from[1]), laid(from[2]));
    }
}

} // namespace

Raster decode_heif(const EncodedImage &file, Color color, int side) {
    const std::string still = heif_still({file.bytes.data(), file.bytes.size()});
    const Context context = open(still, file.header);
    const Handle handle = primary_image(context, file.header);
    const bool has_alpha = heif_image_handle_has_alpha_channel(handle.get()) != 0;
    const Pixels pixels =
        decode(handle, has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB,
               file.header);
    const PixelSize full{heif_image_get_width(pixels.get(), heif_channel_interleaved),
                         heif_image_get_height(pixels.get(), heif_channel_interleaved)};
    int stride = 0;
    const auto *samples =
        heif_image_get_plane_readonly(pixels.get(), heif_channel_interleaved, &stride);
    AreaAverage average(full, shrunk(full, side), color);
    const bool premultiplied = heif_image_handle_is_premultiplied_alpha(handle.get()) != 0;
    const std::uint8_t ground =
        has_alpha ? ground_of(samples, stride, full, premultiplied) : Ground::white;
    std::vector<std::uint8_t> row(static_cast<std::size_t>(full.width) *
                                  static_cast<std::size_t>(color));
    for (int y = 0; y < full.height; ++y) {
        lay(samples + static_cast<std::ptrdiff_t>(y) * stride, {has_alpha, premultiplied, ground},
            color, row);
        average.add(row.data());
    }
    return average.take();
}

} // namespace bowhist
