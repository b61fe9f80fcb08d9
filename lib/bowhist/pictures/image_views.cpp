#include <bowhist/pictures/image_views.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/decode.hpp>
#include <bowhist/pictures/decode_raster.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace bowhist {
namespace {

/// The original's size as it stands when it is upright.
PixelSize upright_size(const ImageHeader &header, const Image &image) {
    PixelSize full{static_cast<int>(header.width), static_cast<int>(header.height)};
    if ((full.width > full.height) != (image.width > image.height))
        std::swap(full.width, full.height);
    return full;
}

ImageLimits limits_of(const GreyView &view, ImageLimits limits) {
    limits.max_side = view.max_side;
    limits.enlarge = view.enlarge;
    return limits;
}

std::string thumbnail_of(ImageFile &file, const std::filesystem::path &path, ImageLimits limits,
                         int side) {
    limits = limits_of({side}, limits);
    const Raster image = decode_raster(file, path, limits, Color::bgr, nullptr);
    const PixelSize size{image.width, image.height};
    const PixelSize small = boxed(size, side);
    return encode_jpeg(small == size ? image : shrink(image, small));
}

Image image_of(Raster &&grey) {
    return {grey.width, grey.height, std::move(grey.samples)};
}

std::string jpeg_of(const Raster &luma_and_chroma, int side) {
    const PixelSize size{luma_and_chroma.width, luma_and_chroma.height};
    const PixelSize small = boxed(size, side);
    return encode_luma_and_chroma(small == size ? luma_and_chroma : shrink(luma_and_chroma, small));
}

/// All views of a JPEG, but a thumbnail of one without chroma.
ImageViews views_of_jpeg(ImageFile &file, const std::filesystem::path &path,
                         const ImageLimits &limits, const ViewRequest &request) {
    ImageLimits largest = limits;
    std::vector<int> sides;
    for (const GreyView &view : request.greys) {
        sides.push_back(view.max_side);
        largest.enlarge |= view.enlarge;
    }
    largest.max_side = *std::ranges::max_element(sides, {}, [](int side) {
        return side == 0 ? std::numeric_limits<int>::max() : side; // 0 keeps the size
    });
    JpegViews decoded;
    decode_in_turn(file, path, largest, [&] {
        decoded = decode_jpeg_views({file.header, file.bytes}, sides, request.thumbnail_side);
        require_sound(decoded.damage, file, limits);
        for (std::size_t i = 0; i < sides.size(); ++i)
            decoded.grey[i] =
                enlarged(std::move(decoded.grey[i]), limits_of(request.greys[i], limits));
    });
    ImageViews views;
    for (Raster &grey : decoded.grey) views.grey.push_back(image_of(std::move(grey)));
    if (!decoded.color.samples.empty())
        views.thumbnail = jpeg_of(decoded.color, request.thumbnail_side);
    views.damage = std::move(decoded.damage);
    return views;
}

/// One decoding for each view.
ImageViews views_one_by_one(ImageFile &file, const std::filesystem::path &path,
                            const ImageLimits &limits, const ViewRequest &request) {
    ImageViews views;
    for (const GreyView &view : request.greys)
        views.grey.push_back(
            image_of(decode_raster(file, path, limits_of(view, limits), Color::grey, nullptr)));
    return views;
}

/// One decoding for all of them, which is then shrunk as a decoder shrinks what it decodes.
/// REQUIRES: no JPEG, and an image that is stored upright: areas are averaged as it is stored
ImageViews views_of_whole(ImageFile &file, const std::filesystem::path &path,
                          const ImageLimits &limits, const ViewRequest &request) {
    const Raster whole = decode_raster(file, path, limits_of({}, limits), Color::grey, nullptr);
    const PixelSize full{whole.width, whole.height};
    ImageViews views;
    for (const GreyView &view : request.greys) {
        const PixelSize small = shrunk(full, view.max_side);
        views.grey.push_back(image_of(
            enlarged(small == full ? whole : shrink(whole, small), limits_of(view, limits))));
    }
    return views;
}

/// Whether one decoding of its whole image makes what each view's own makes.
bool is_decoded_whole(const ImageHeader &header, const ViewRequest &request) {
    constexpr std::uint64_t most_pixels = std::uint64_t{1} << 24; // of each thread, at a time
    return header.decoder != Decoder::libjpeg && header.orientation <= 1 &&
           request.greys.size() > 1 && std::uint64_t{header.width} * header.height <= most_pixels;
}

} // namespace

ImageViews decode_views(ImageFile &file, const std::filesystem::path &path,
                        const ImageLimits &limits, const ViewRequest &request) {
    auto traits = image_traits(file.bytes); // before a decoder changes them
    const bool here =
        file.header.decoder == Decoder::libjpeg && !is_decoded_elsewhere(file.header, limits);
    const auto views_by = here                                     ? views_of_jpeg
                          : is_decoded_whole(file.header, request) ? views_of_whole
                                                                   : views_one_by_one;
    ImageViews views = views_by(file, path, limits, request);
    const PixelSize full = upright_size(file.header, views.grey.front());
    views.traits = std::move(traits);
    views.width = full.width;
    views.height = full.height;
    if (request.thumbnail_side > 0 && views.thumbnail.empty())
        views.thumbnail = thumbnail_of(file, path, limits, request.thumbnail_side);
    return views;
}

namespace {

bool lies_in(const ImageRegion &region, const Image &image) {
    return region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0 &&
           std::int64_t{region.x} + region.width <= image.width &&
           std::int64_t{region.y} + region.height <= image.height;
}

Raster cut(const Image &image, const ImageRegion &region) {
    Raster part{region.width, region.height, Color::grey, {}};
    for (int y = region.y; y < region.y + region.height; ++y) {
        const auto row = image.pixels.begin() + std::ptrdiff_t{y} * image.width + region.x;
        part.samples.insert(part.samples.end(), row, row + region.width);
    }
    return part;
}

Image in_size(const Raster &part, const GreyView &view) {
    const PixelSize size{part.width, part.height};
    const PixelSize small = shrunk(size, view.max_side);
    const ImageLimits limits{.max_side = view.max_side, .enlarge = view.enlarge};
    Raster image = enlarged(small == size ? part : shrink(part, small), limits);
    return {image.width, image.height, std::move(image.samples)};
}

} // namespace

ImageViews decode_region(ImageFile &file, const std::filesystem::path &path,
                         const ImageLimits &limits, const ViewRequest &request,
                         const ImageRegion &region) {
    constexpr GreyView full_size{};
    ImageViews views = decode_views(file, path, limits, {.greys = {full_size}});
    const Image whole = std::move(views.grey.front());
    if (!lies_in(region, whole))
        throw Error(Fault::input,
                    fmt::format("{}: {}x{} pixels, and the region {},{},{},{} is not within them; "
                                "give X,Y,W,H of a part",
                                path, whole.width, whole.height, region.x, region.y, region.width,
                                region.height));
    const Raster part = cut(whole, region);
    views.grey.clear();
    for (const GreyView &view : request.greys) views.grey.push_back(in_size(part, view));
    views.width = region.width;
    views.height = region.height;
    return views;
}

Image mirrored(const Image &image) {
    Image result{image.width, image.height, image.pixels};
    for (auto row = result.pixels.begin(); row != result.pixels.end(); row += image.width)
        std::reverse(row, row + image.width);
    return result;
}

} // namespace bowhist
