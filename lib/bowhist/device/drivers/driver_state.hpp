#pragma once

#include <bowhist/device/drivers/driver.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// All that decides what drivers do, as far as it can be seen from outside: their files, sizes and
/// times, the loader and its helper, the nodes of GPUs, and the variables that drivers read. A
/// checksum.
/// @param more  of what the caller knows
std::string state_of(const std::vector<Driver> &drivers, const std::vector<std::string> &more);

} // namespace bowhist
