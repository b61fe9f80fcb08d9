#pragma once

#include <bowhist/assign/level.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/device/device.hpp>

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace bowhist::testing {

/// Where shared_device() is kept. main() empties it: when statics end, the compiler inside an
/// OpenCL implementation may have ended already.
inline std::shared_ptr<Device> &device_of_the_run() {
    static std::shared_ptr<Device> device;
    return device;
}

/// One device for all tests of a run: the first one, with its own limits.
inline std::shared_ptr<Device> shared_device() {
    std::shared_ptr<Device> &device = device_of_the_run();
    if (!device && !devices().empty()) device = std::make_shared<Device>(DeviceOptions{});
    return device;
}

/// For a test that the first device cannot run: says why. The test ends then.
inline bool skips(bool cannot, const std::string &why) {
    if (!cannot) return false;
    WARN("skipped: " << shared_device()->info().name << ' ' << why);
    SUCCEED();
    return true;
}

inline bool lacks_fp64() {
    return skips(!shared_device()->limits().fp64, "has no fp64");
}

/// The first device, pretending to have smaller limits.
template <typename Change>
std::shared_ptr<Device> limited_device(Change change) {
    DeviceOptions options;
    options.limits = shared_device()->limits();
    change(*options.limits);
    return std::make_shared<Device>(options);
}

/// The first device, taken for one of another kind: what suits that kind runs.
inline Device device_of_kind(DeviceKind kind) {
    return Device({.kind = kind});
}

/// The levels that the first device can run; gpu7, for one, wants matrix units.
inline std::vector<Level> levels_here() {
    std::vector<Level> here;
    for (const Level &level : levels())
        if (!level.obstacle(shared_device().get(), 64, 256)) here.push_back(level);
    return here;
}

inline Assignment assign(const Level &level, const std::shared_ptr<Device> &device,
                         const Descriptors &descriptors, const Vocabulary &vocabulary,
                         const AssignOptions &options = {}) {
    return level.prepare(device, vocabulary, options)->run({descriptors.values, {}, 1});
}

} // namespace bowhist::testing
