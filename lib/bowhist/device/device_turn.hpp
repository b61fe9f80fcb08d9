#pragma once

#include <cstddef>

namespace bowhist {

/// Makes a process that shares its machine with others take the GPU of this turn, counted round the
/// machine's GPUs, where no device is asked for. To be called before any device is selected.
void take_device_turn(std::size_t turn);

} // namespace bowhist
