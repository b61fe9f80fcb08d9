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
        std::uint32_t with = 0; ///< the best, or in scene_groups() a member that agrees with it
        bool goes = false;      ///< the best shows all that it shows
    };
    std::vector<Member> members = {}; ///< without the best, by their numbers
};

/// Images that agree, directly or over others, by their numbers; those of two and more.
std::vector<std::vector<std::uint32_t>> components(std::size_t images,
                                                   std::span<const CopyEdge> edges);

/// The questions that copy_groups() asks.
struct CopyOrder {
    /// The best of some images, which have rising numbers.
    std::function<std::uint32_t(std::span<const std::uint32_t>)> best_of;
    /// Whether the first may stand for the second. REQUIRES: they agree
    std::function<bool(std::uint32_t, std::uint32_t)> stands_for;
};

/// Divides images so that in each group every one agrees with the best. First the best of those
/// that are left takes all that it stands for. An image that stays alone then joins the group of
/// the best that it agrees with most, and stays. Groups of one are left out.
std::vector<CopyGroup> copy_groups(std::size_t images, std::span<const CopyEdge> edges,
                                   const CopyOrder &order);

} // namespace bowhist
