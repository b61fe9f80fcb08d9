#include <bowhist/extract/device/device_strongest.hpp>

#include <algorithm>
#include <limits>

namespace bowhist {

DeviceStrongest::DeviceStrongest(Device &device, const Recipe &recipe)
    : most_(static_cast<cl_uint>(
          std::min<std::size_t>(recipe.max_descriptors, std::numeric_limits<cl_uint>::max()))) {
    if (!is_idle()) keep_ = device.kernel("strongest.cl", "keep_strongest");
}

std::size_t DeviceStrongest::most_of(std::size_t candidates, std::size_t images) const {
    return is_idle() ? candidates : std::min(candidates, most_ * images);
}

void DeviceStrongest::keep(Device &device, const Buffer<cl_float> &responses,
                           const Buffer<cl_uint> &ends, const Buffer<cl_uint> &kept) {
    device.launch(keep_, {ends.size * STRONGEST_GROUP, 1}, {STRONGEST_GROUP, 1}, responses, ends,
                  most_, kept);
}

} // namespace bowhist
