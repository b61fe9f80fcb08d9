#pragma once

#include <bowhist/duplicates/copy_groups.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bowhist {

/// Divides photographs so that in each group every one agrees with the best, or with a member that
/// does. The best is the one that agrees with the most others: from the middle of a panorama two
/// steps lead to both ends. Groups of one are left out.
/// @param comes_first  whether an image is the best rather than another, however many agree
/// @param is_better    decides between images that as many agree with
std::vector<CopyGroup>
scene_groups(std::size_t images, std::span<const CopyEdge> edges,
             const std::function<bool(std::uint32_t, std::uint32_t)> &comes_first,
             const std::function<bool(std::uint32_t, std::uint32_t)> &is_better);

} // namespace bowhist
