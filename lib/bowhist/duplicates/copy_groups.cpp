#include <bowhist/duplicates/copy_groups.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

/// Who agrees with whom.
class Neighbors {
  public:
    Neighbors(std::size_t images, std::span<const CopyEdge> edges) : of_(images) {
        for (const CopyEdge &edge : edges) {
            of_[edge.first].push_back({edge.second, edge.score});
            of_[edge.second].push_back({edge.first, edge.score});
        }
    }
    struct Neighbor {
        std::uint32_t image = 0;
        double score = 0;
    };
    const std::vector<Neighbor> &operator[](std::uint32_t image) const { return of_[image]; }

  private:
    std::vector<std::vector<Neighbor>> of_;
};

/// The best and all that agree with it, or with one that does; taken from `left`.
CopyGroup group_around(std::uint32_t best, const Neighbors &neighbors, std::vector<bool> &left) {
    CopyGroup group{.best = best};
    left[best] = false;
    for (const auto &neighbor : neighbors[best]) {
        if (!left[neighbor.image]) continue;
        left[neighbor.image] = false;
        group.members.push_back({neighbor.image, best});
    }
    std::ranges::sort(group.members, {}, &CopyGroup::Member::image);
    std::map<std::uint32_t, std::pair<double, std::uint32_t>> farther; // score, with
    for (const CopyGroup::Member &member : group.members)
        for (const auto &neighbor : neighbors[member.image]) {
            if (!left[neighbor.image]) continue;
            const auto [found, is_new] =
                farther.try_emplace(neighbor.image, neighbor.score, member.image);
            if (!is_new && neighbor.score > found->second.first)
                found->second = {neighbor.score, member.image};
        }
    for (const auto &[image, with] : farther) {
        left[image] = false;
        group.members.push_back({image, with.second});
    }
    std::ranges::sort(group.members, {}, &CopyGroup::Member::image);
    return group;
}

} // namespace

std::vector<std::vector<std::uint32_t>> components(std::size_t images,
                                                   std::span<const CopyEdge> edges) {
    std::vector<std::uint32_t> parent(images);
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&parent](std::uint32_t image) {
        while (parent[image] != image) image = parent[image] = parent[parent[image]];
        return image;
    };
    for (const CopyEdge &edge : edges) {
        const std::uint32_t a = root(edge.first), b = root(edge.second);
        parent[std::max(a, b)] = std::min(a, b);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_root;
    for (std::uint32_t image = 0; image < images; ++image)
        if (root(image) != image) by_root[root(image)].push_back(image);
    std::vector<std::vector<std::uint32_t>> result;
    for (auto &[first, others] : by_root) {
        others.insert(others.begin(), first);
        result.push_back(std::move(others));
    }
    return result;
}

std::vector<CopyGroup>
copy_groups(std::size_t images, std::span<const CopyEdge> edges,
            const std::function<std::uint32_t(std::span<const std::uint32_t>)> &best_of) {
    const Neighbors neighbors(images, edges);
    std::vector<bool> left(images, false);
    std::vector<CopyGroup> groups;
    for (std::vector<std::uint32_t> &some : components(images, edges)) {
        for (const std::uint32_t image : some) left[image] = true;
        while (some.size() > 1) {
            CopyGroup group = group_around(best_of(some), neighbors, left);
            if (!group.members.empty()) groups.push_back(std::move(group));
            std::erase_if(some, [&](std::uint32_t image) { return !left[image]; });
        }
        for (const std::uint32_t image : some) left[image] = false;
    }
    return groups;
}

} // namespace bowhist
