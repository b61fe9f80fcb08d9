#include <bowhist/duplicates/copy_groups.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
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

/// The best of those that are left, and all that it stands for.
CopyGroup group_around(std::uint32_t best, const Neighbors &neighbors, const CopyOrder &order,
                       std::vector<bool> &left) {
    CopyGroup group{.best = best};
    left[best] = false;
    for (const Neighbors::Neighbor &neighbor : neighbors[best]) {
        if (!left[neighbor.image] || !order.stands_for(best, neighbor.image)) continue;
        left[neighbor.image] = false;
        group.members.push_back({neighbor.image, best, true});
    }
    return group;
}

/// Puts images that are alone into the groups of those that they agree with.
void join_lonely(std::vector<CopyGroup> &groups, const Neighbors &neighbors) {
    std::map<std::uint32_t, std::size_t> numbers; // of groups, by their best
    for (std::size_t i = 0; i < groups.size(); ++i) numbers[groups[i].best] = i;
    for (std::size_t i = groups.size(); i-- > 0;) { // the best stay longest
        const std::uint32_t image = groups[i].best;
        if (!groups[i].members.empty()) continue;
        std::optional<Neighbors::Neighbor> joined;
        for (const Neighbors::Neighbor &neighbor : neighbors[image])
            if (numbers.contains(neighbor.image) && (!joined || neighbor.score > joined->score))
                joined = neighbor;
        if (!joined) continue;
        groups[numbers.at(joined->image)].members.push_back({image, joined->image, false});
        numbers.erase(image);
    }
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

std::vector<CopyGroup> copy_groups(std::size_t images, std::span<const CopyEdge> edges,
                                   const CopyOrder &order) {
    const Neighbors neighbors(images, edges);
    std::vector<bool> left(images, false);
    std::vector<CopyGroup> groups;
    for (std::vector<std::uint32_t> &some : components(images, edges)) {
        for (const std::uint32_t image : some) left[image] = true;
        std::vector<CopyGroup> its;
        while (!some.empty()) {
            its.push_back(group_around(order.best_of(some), neighbors, order, left));
            std::erase_if(some, [&](std::uint32_t image) { return !left[image]; });
        }
        join_lonely(its, neighbors);
        for (CopyGroup &group : its) {
            if (group.members.empty()) continue;
            std::ranges::sort(group.members, {}, &CopyGroup::Member::image);
            groups.push_back(std::move(group));
        }
    }
    return groups;
}

} // namespace bowhist
