#include <bowhist/pictures/thumbnail.hpp>

#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>

namespace bowhist {

std::string thumbnail_jpeg(const Raster &image, int side) {
    const PixelSize size{image.width, image.height};
    const PixelSize small = boxed(size, side);
    return encode_jpeg(small == size ? image : shrink(image, small));
}

} // namespace bowhist
