#pragma once

#include <bowhist/core/descriptors.hpp>

namespace bowhist {

/// The `most` rows of the greatest responses (0: all), of equal ones the earlier. They stay in
/// order.
Descriptors strongest(Descriptors all, std::size_t most);

} // namespace bowhist
