#include <bowhist/device/image_list.hpp>

namespace bowhist {

DeviceImageList upload_image_list(Device &device, std::span<const Image> images) {
    DeviceImageList list;
    std::vector<cl_uchar> pixels;
    for (const Image &image : images) {
        list.images.push_back({static_cast<cl_uint>(pixels.size()), image.width, image.height});
        pixels.insert(pixels.end(), image.pixels.begin(), image.pixels.end());
    }
    list.pixels = uploaded(device, pixels);
    return list;
}

} // namespace bowhist
