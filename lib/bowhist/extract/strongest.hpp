#pragma once

#include <bowhist/core/descriptors.hpp>

namespace bowhist {

/// The `most` of the greatest responses (0: all), of equal ones the earlier. They stay in order.
std::vector<Keypoint> strongest(std::vector<Keypoint> all, std::size_t most);
/// The same of descriptors with their keypoints.
Descriptors strongest(Descriptors all, std::size_t most);

} // namespace bowhist
