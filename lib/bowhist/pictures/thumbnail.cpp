#include <bowhist/pictures/thumbnail.hpp>

#include <bowhist/pictures/area_average.hpp>
#include <bowhist/pictures/jpeg/encode_jpeg.hpp>

namespace bowhist {

std::string thumbnail_jpeg(const Raster &picture, int side) {
    const PixelSize size{picture.width, picture.height};
    const PixelSize small = boxed(size, side);
    return encode_jpeg(small == size ? picture : shrink(picture, small));
}

} // namespace bowhist
