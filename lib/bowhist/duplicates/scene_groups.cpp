#include <bowhist/duplicates/scene_groups.hpp>

#include <algorithm>
#include <utility>

namespace bowhist {

std::vector<CopyGroup>
scene_groups(std::size_t images, std::span<const CopyEdge> edges,
             const std::function<bool(std::uint32_t, std::uint32_t)> &comes_first,
             const std::function<bool(std::uint32_t, std::uint32_t)> &is_better) {
    std::vector<std::vector<std::uint32_t>> linked(images);
    for (const CopyEdge &edge : edges) {
        linked[edge.first].push_back(edge.second);
        linked[edge.second].push_back(edge.first);
    }
    // of the images that are left: how many agree, and how many agree with these, one by one
    std::vector<std::size_t> links(images), farther(images);
    std::vector<bool> left(images, false);
    const auto count = [&](std::span<const std::uint32_t> some) {
        for (const std::uint32_t image : some) left[image] = true;
        for (const std::uint32_t image : some)
            links[image] = static_cast<std::size_t>(std::ranges::count_if(
                linked[image], [&](std::uint32_t other) { return bool{left[other]}; }));
        for (const std::uint32_t image : some) {
            farther[image] = 0;
            for (const std::uint32_t other : linked[image])
                if (left[other]) farther[image] += links[other];
        }
        for (const std::uint32_t image : some) left[image] = false;
    };
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        if (comes_first(a, b)) return true;
        if (comes_first(b, a)) return false;
        if (links[a] != links[b]) return links[a] > links[b];
        if (farther[a] != farther[b]) return farther[a] > farther[b];
        return is_better(a, b);
    };
    return copy_groups(images, edges, [&](std::span<const std::uint32_t> some) {
        count(some);
        return *std::ranges::min_element(some, less);
    });
}

} // namespace bowhist
