#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bowhist {

/// Two images that agree.
struct CopyEdge {
    std::uint32_t first = 0; ///< the lower number
    std::uint32_t second = 0;
    double score = 0;
};

/// A group of images: the best, and for each of the others the member that it agrees with.
struct CopyGroup {
    std::uint32_t best = 0;
    struct Member {
        std::uint32_t image = 0;
        std::uint32_t with = 0; ///< the best, or a member that agrees with the best
    };
    std::vector<Member> members = {}; ///< without the best, by their numbers
};

/// Images that agree, directly or over others, by their numbers; those of two and more.
std::vector<std::vector<std::uint32_t>> components(std::size_t images,
                                                   std::span<const CopyEdge> edges);

/// Divides images so that in each group every one agrees with the best, or with a member that does:
/// no longer chains. Groups of one are left out.
/// @param best_of  of some of them, by rising numbers
std::vector<CopyGroup>
copy_groups(std::size_t images, std::span<const CopyEdge> edges,
            const std::function<std::uint32_t(std::span<const std::uint32_t>)> &best_of);

} // namespace bowhist
