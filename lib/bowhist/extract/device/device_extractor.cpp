#include <bowhist/extract/device/device_dense.hpp>
#include <bowhist/extract/device/device_surf.hpp>

#include <utility>

namespace bowhist {

bool runs_on_devices(const Recipe &recipe) {
    return recipe.extractor == "dense" || recipe.extractor == "surf";
}

std::unique_ptr<DeviceExtractor> make_device_extractor(std::shared_ptr<Device> device,
                                                       const Recipe &recipe) {
    if (recipe.extractor == "surf") return std::make_unique<DeviceSurf>(std::move(device), recipe);
    return std::make_unique<DeviceDense>(std::move(device), recipe);
}

bool can_extract(const Device &device) {
    return device.info().rounds_to_nearest && device.limits().work_group_size >= POOL_GROUP;
}

} // namespace bowhist
