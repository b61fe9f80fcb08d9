#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/observer.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// What was asked for about devices.
struct DeviceWishes {
    std::string device;
    std::filesystem::path kernel_dir;
    std::size_t batch = 0;
};

/// Warns of each of them that was given, with its value, as having no effect.
/// @param why  "openmp uses no device; choose another level"
void warn_of_unused(const DeviceWishes &wishes, const std::string &why, Observer &observer);

/// The same where the level is the host's. Of --batch only a note where auto chose that level.
/// @param preprocesses  a device is used all the same, to preprocess pictures
void warn_of_unused_device(const LevelRequest &request, const LevelChoice &level, bool preprocesses,
                           Observer &observer);

} // namespace bowhist
