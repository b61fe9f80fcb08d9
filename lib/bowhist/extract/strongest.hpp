#pragma once

#include <bowhist/core/descriptors.hpp>

namespace bowhist {

/// The places of the `most` greatest responses (0: all), in rising order; of equal ones the
/// earlier.
std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints, std::size_t most);

/// Only these, in their order.
Descriptors keep_strongest(Descriptors all, std::size_t most);

} // namespace bowhist
