#pragma once

#include <bowhist/assign/choose/choice.hpp>

namespace bowhist {

/// Warns of each given option about devices, with its value, that it has no effect.
/// @param unused  its device, kernel_dir and options.batch
/// @param why     "openmp uses no device; choose another level"
void warn_of_unused(const LevelRequest &unused, const std::string &why, Observer &observer);

/// The same where the level runs on the host. --batch is only noted where auto chose the level.
/// @param preprocesses  a device preprocesses images nevertheless
void warn_of_unused_device(const LevelRequest &request, const LevelChoice &level, bool preprocesses,
                           Observer &observer);

} // namespace bowhist
