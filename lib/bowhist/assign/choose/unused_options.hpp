#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/observer.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// Options about devices.
struct DeviceWishes {
    std::string device;
    std::filesystem::path kernel_dir;
    std::size_t batch = 0;
};

/// Warns of each given option, with its value, that it has no effect.
/// @param why  "openmp uses no device; choose another level"
void warn_of_unused(const DeviceWishes &wishes, const std::string &why, Observer &observer);

/// The same where the level runs on the host. --batch is only noted where auto chose the level.
/// @param preprocesses  a device preprocesses images nevertheless
void warn_of_unused_device(const LevelRequest &request, const LevelChoice &level, bool preprocesses,
                           Observer &observer);

} // namespace bowhist
