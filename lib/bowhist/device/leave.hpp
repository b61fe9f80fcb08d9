#pragma once

#include <bowhist/core/observer.hpp>

namespace bowhist {

class Device;

/// Takes a device that failed out of those that share the work, whichever of its users found out.
/// Warns the first time: the line names the device and says what failed.
void leave(Device &device, const Error &failure, Observer &observer);

} // namespace bowhist
