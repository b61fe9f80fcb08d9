#include <bowhist/extract/device/device_greys.hpp>

#include <bowhist/extract/extract_launch.hpp>

#include <bowhist/core/round_up.hpp>

namespace bowhist {

void DeviceGreys::Layout::add(int width, int height) {
    images.push_back({as_uint(pixels), width, height});
    pixels += area(width, height);
    tiles.add(divided_up(static_cast<std::size_t>(width), SMOOTH_GROUP) *
              divided_up(static_cast<std::size_t>(height), SMOOTH_ROWS));
}

void DeviceGreys::Layout::join(Bundle &bundle) {
    bundle.add(images, there);
    tiles.join(bundle);
}

DeviceGreys::DeviceGreys(Device &device)
    : smooth_pixels_(device.kernel("smooth.cl", "smooth", "-DGREY=uchar -DUNIT=16")),
      smooth_(device.kernel("smooth.cl", "smooth", "-DGREY=short -DUNIT=1")) {}

void DeviceGreys::start(const Buffer<cl_uchar> &pixels) {
    pixels_ = pixels;
}

void DeviceGreys::smooth(Device &device, const Layout &layout) {
    reserve(device, greys_, layout.pixels);
    reserve(device, scratch_, layout.pixels);
    const Range range = {layout.tiles.total * SMOOTH_GROUP, 1};
    const Range group = {SMOOTH_GROUP, 1};
    if (pixels_.size > 0)
        device.launch(smooth_pixels_, range, group, pixels_, scratch_, layout.there,
                      layout.tiles.there, layout.tiles.count());
    else
        device.launch(smooth_, range, group, greys_, scratch_, layout.there, layout.tiles.there,
                      layout.tiles.count());
    pixels_ = {};
    replace();
}

} // namespace bowhist
