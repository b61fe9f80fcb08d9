#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bowhist {

/// The places of the `most` greatest responses (0: all), of equal ones the earlier, in rising
/// order.
std::vector<std::size_t> strongest(std::span<const float> responses, std::size_t most);

} // namespace bowhist
