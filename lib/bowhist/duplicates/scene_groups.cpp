#include <bowhist/duplicates/scene_groups.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace bowhist {
namespace {

struct Link {
    std::uint32_t image = 0;
    double score = 0;
};
using Links = std::vector<std::vector<Link>>; ///< of each image

/// The best and all that agree with it, or with one that does; taken from `left`.
CopyGroup group_around(std::uint32_t best, const Links &links, std::vector<bool> &left) {
    CopyGroup group{.best = best};
    left[best] = false;
    for (const Link &link : links[best]) {
        if (!left[link.image]) continue;
        left[link.image] = false;
        group.members.push_back({.image = link.image, .with = best});
    }
    std::ranges::sort(group.members, {}, &CopyGroup::Member::image);
    std::map<std::uint32_t, Link> farther; // over which member
    for (const CopyGroup::Member &member : group.members)
        for (const Link &link : links[member.image]) {
            if (!left[link.image]) continue;
            const Link over{member.image, link.score};
            const auto [found, is_new] = farther.try_emplace(link.image, over);
            if (!is_new && over.score > found->second.score) found->second = over;
        }
    for (const auto &[image, over] : farther) {
        left[image] = false;
        group.members.push_back({.image = image, .with = over.image});
    }
    std::ranges::sort(group.members, {}, &CopyGroup::Member::image);
    return group;
}

/// How many images agree with each, among those that are left.
class Popularity {
  public:
    explicit Popularity(const Links &links)
        : links_(links), direct_(links.size()), farther_(links.size()), left_(links.size()) {}

    void count(std::span<const std::uint32_t> some) {
        for (const std::uint32_t image : some) left_[image] = true;
        for (const std::uint32_t image : some)
            direct_[image] = static_cast<std::size_t>(std::ranges::count_if(
                links_[image], [&](const Link &link) { return bool{left_[link.image]}; }));
        for (const std::uint32_t image : some) {
            farther_[image] = 0;
            for (const Link &link : links_[image])
                if (left_[link.image]) farther_[image] += direct_[link.image];
        }
        for (const std::uint32_t image : some) left_[image] = false;
    }
    /// Images that agree with it; then how many agree with these, one by one.
    std::pair<std::size_t, std::size_t> of(std::uint32_t image) const {
        return {direct_[image], farther_[image]};
    }

  private:
    const Links &links_;
    std::vector<std::size_t> direct_, farther_;
    std::vector<bool> left_;
};

} // namespace

std::vector<CopyGroup>
scene_groups(std::size_t images, std::span<const CopyEdge> edges,
             const std::function<bool(std::uint32_t, std::uint32_t)> &comes_first,
             const std::function<bool(std::uint32_t, std::uint32_t)> &is_better) {
    Links links(images);
    for (const CopyEdge &edge : edges) {
        links[edge.first].push_back({edge.second, edge.score});
        links[edge.second].push_back({edge.first, edge.score});
    }
    Popularity popularity(links);
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
        if (comes_first(a, b)) return true;
        if (comes_first(b, a)) return false;
        if (popularity.of(a) != popularity.of(b)) return popularity.of(a) > popularity.of(b);
        return is_better(a, b);
    };
    std::vector<bool> left(images, false);
    std::vector<CopyGroup> groups;
    for (std::vector<std::uint32_t> &some : components(images, edges)) {
        for (const std::uint32_t image : some) left[image] = true;
        while (some.size() > 1) {
            popularity.count(some);
            CopyGroup group = group_around(*std::ranges::min_element(some, less), links, left);
            if (!group.members.empty()) groups.push_back(std::move(group));
            std::erase_if(some, [&](std::uint32_t image) { return !left[image]; });
        }
        for (const std::uint32_t image : some) left[image] = false;
    }
    return groups;
}

} // namespace bowhist
