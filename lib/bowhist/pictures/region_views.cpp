#include <bowhist/pictures/region_views.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/decode_raster.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace bowhist {
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
