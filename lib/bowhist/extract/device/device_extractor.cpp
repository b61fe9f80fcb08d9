#include <bowhist/extract/device/device_dense.hpp>
#include <bowhist/extract/device/device_surf.hpp>

#include <array>
#include <utility>

namespace bowhist {

const DeviceDescriptors &extract_all(Device &device, DeviceExtractor &extractor,
                                     const DeviceImageList &images) {
    const DeviceDescriptors &found = extractor.extract(images);
    std::array<cl_uint, 2> count{};
    device.download<cl_uint>(count, found.count);
    if (count[1] == 0) return found;
    extractor.make_room(count[1]);
    return extractor.extract(images);
}

bool runs_on_devices(const Recipe &recipe) {
    return recipe.extractor == "dense" || recipe.extractor == "surf";
}

std::unique_ptr<DeviceExtractor> make_device_extractor(std::shared_ptr<Device> device,
                                                       const Recipe &recipe, bool locates) {
    if (recipe.extractor == "surf")
        return std::make_unique<DeviceSurf>(std::move(device), recipe, locates);
    return std::make_unique<DeviceDense>(std::move(device), recipe, locates);
}

bool can_extract(const Device &device) {
    const Premises &premises = device.premises();
    return device.info().rounds_to_nearest && premises.rounds_to_nearest && premises.rounds_twice &&
           device.limits().work_group_size >= DENSE_POOL_GROUP;
}

} // namespace bowhist
