#pragma once

#include <bowhist/core/descriptors.hpp>

namespace bowhist {

/// The places of the `most` greatest responses (0: all), in rising order; of equal ones the
/// earlier.
std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints, std::size_t most);

/// The ones of `places` among keypoints with the `most` greatest responses, in rising order; of
/// equal ones the earlier.
std::vector<std::size_t> strongest(std::span<const Keypoint> keypoints,
                                   std::vector<std::size_t> places, std::size_t most);

/// The descriptors at these places, which rise.
Descriptors rows_at(const Descriptors &all, std::span<const std::size_t> places);

/// Only the strongest, in their order.
Descriptors keep_strongest(Descriptors all, std::size_t most);

} // namespace bowhist
