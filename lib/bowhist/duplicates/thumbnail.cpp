#include <bowhist/duplicates/thumbnail.hpp>

#include <bowhist/pictures/decode_raster.hpp>

namespace bowhist {

Thumbnail decode_thumbnail(std::string_view jpeg, const std::filesystem::path &name) {
    const ImageLimits limits{.max_side = 0};
    ImageFile file = check_image_bytes(jpeg, name, limits);
    Thumbnail thumbnail;
    thumbnail.color = decode_raster(file, name, limits, Color::bgr, nullptr);
    const Raster &color = thumbnail.color;
    thumbnail.luma = {color.width, color.height, {}};
    thumbnail.luma.pixels.reserve(color.samples.size() / 3);
    for (std::size_t i = 0; i < color.samples.size(); i += 3)
        thumbnail.luma.pixels.push_back(
            grey_of(color.samples[i + 2], color.samples[i + 1], color.samples[i]));
    return thumbnail;
}

} // namespace bowhist
