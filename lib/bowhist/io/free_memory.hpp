#pragma once

#include <cstdint>

namespace bowhist::app {

/// Bytes that the program holds by now.
std::uint64_t held_memory();

/// Bytes that it could have, as far as the system and a container's limit tell.
std::uint64_t free_memory();

} // namespace bowhist::app
