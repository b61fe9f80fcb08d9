#pragma once

#include "tests/support/levels.hpp"

#include <bowhist/assign/choose/choice.hpp>

namespace bowhist::testing {

/// The first device once more, as a device of its own, which fails at that launch of its work.
/// @param launch  0: never
inline std::shared_ptr<Device> failing_device(std::size_t launch) {
    auto device = std::make_shared<Device>(DeviceOptions{.alone = true});
    if (launch > 0) device->fail_at_launch(launch);
    return device;
}

/// Devices that share work by gpu1. @param fails  the launch at which the last one fails; 0: none
/// does
inline LevelChoice shared_by(std::size_t devices, std::size_t fails, Observer &observer) {
    const auto one = [&](std::size_t launch) {
        return choice_of(find_level("gpu1"), failing_device(launch), {.observer = &observer});
    };
    LevelChoice choice = one(0);
    for (std::size_t i = 1; i < devices; ++i)
        choice.others.push_back(one(i + 1 == devices ? fails : 0));
    return choice;
}

/// Whether the last of them reached the launch at which it fails. Devices take work when they are
/// free, so that a later launch may be another one's.
inline bool last_one_failed(const LevelChoice &choice) {
    return choice.others.back().first_device->failed_at_launch();
}

} // namespace bowhist::testing
