#include <bowhist/pictures/codecs/decoders.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/large_memory.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/pictures/codecs/rgba_rows.hpp>
#include <bowhist/pictures/container/heif_still.hpp>

#include <fmt/format.h>
#include <libheif/heif.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>

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
        throw Error(Cause::library, fmt::format("a kind of {} that libheif {} does not read here "
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

} // namespace

Raster decode_heif(const EncodedFile &file, Color color, int side) {
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
    const bool premultiplied = heif_image_handle_is_premultiplied_alpha(handle.get()) != 0;
    return shrunk_on_ground({samples, stride, full, has_alpha, premultiplied}, color, side);
}

} // namespace bowhist
