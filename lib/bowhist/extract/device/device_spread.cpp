#include <bowhist/extract/device/device_spread.hpp>

#include <bowhist/extract/spread.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace bowhist {
namespace {

cl_uint at_most_uint(std::size_t number) {
    return static_cast<cl_uint>(std::min<std::size_t>(number, std::numeric_limits<cl_uint>::max()));
}

} // namespace

DeviceStrongest::DeviceStrongest(Device &device, const Recipe &recipe)
    : most_(at_most_uint(recipe.max_descriptors)), share_(at_most_uint(strongest_share(recipe))) {
    if (!is_idle()) keep_ = device.kernel("strongest.cl", "keep_strongest");
}

std::size_t DeviceStrongest::most_of(std::size_t candidates, std::size_t images) const {
    return is_idle() ? candidates : std::min(candidates, most_ * images);
}

void DeviceStrongest::keep(Device &device, const Buffer<cl_float> &responses,
                           const Buffer<cl_uint> &ends, const Buffer<cl_uint> &kept) {
    device.launch(keep_, {ends.size * STRONGEST_GROUP, 1}, {STRONGEST_GROUP, 1}, responses, ends,
                  share_, kept);
}

DeviceSpread::DeviceSpread(Device &device, const Recipe &recipe)
    : side_(recipe.max_descriptors > 0 ? spread_of(recipe) : 0),
      most_(static_cast<cl_uint>(
          std::min<std::size_t>(recipe.max_descriptors / 2, std::numeric_limits<cl_uint>::max()))) {
    if (!is_idle()) keep_ = device.kernel("spread.cl", "spread", fmt::format("-DSIDE={}", side_));
}

void DeviceSpread::keep(Device &device, const Buffer<cl_float> &responses,
                        const Buffer<cl_uchar> &cells, const Buffer<cl_uint> &ends,
                        const Buffer<cl_uint> &kept) {
    device.launch(keep_, {ends.size * STRONGEST_GROUP, 1}, {STRONGEST_GROUP, 1}, responses, cells,
                  ends, most_, kept);
}

} // namespace bowhist
