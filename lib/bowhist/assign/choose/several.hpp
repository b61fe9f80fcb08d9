#pragma once

#include <bowhist/assign/choose/choice.hpp>

namespace bowhist {

/// choose_level() where the request names several devices: the choice of each. A device without the
/// level takes the next lower one that it has; one without any leaves, with a warning.
LevelChoice choose_on_each(const LevelRequest &request, std::size_t dimensions, std::size_t k);

} // namespace bowhist
