#include <bowhist/group/kept_numbers.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/group/leiden.hpp>
#include <bowhist/group/method_groups.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

namespace bowhist {
namespace {

using Number = std::int32_t;

struct Overlap {
    Number old;
    Number now;
    std::size_t images;
};

/// All pairs of groups that share images, by their numbers.
std::vector<Overlap> overlaps_of(std::span<const Number> before, std::span<const Number> group) {
    std::map<std::pair<Number, Number>, std::size_t> counts;
    for (std::size_t i = 0; i < group.size(); ++i)
        if (before[i] >= 0 && group[i] >= 0) ++counts[{before[i], group[i]}];
    std::vector<Overlap> overlaps;
    for (const auto &[pair, images] : counts) overlaps.push_back({pair.first, pair.second, images});
    return overlaps;
}

/// Numbers that no group has or had, the lowest first.
class FreeNumbers {
  public:
    explicit FreeNumbers(std::span<const Number> before) : taken_(before.begin(), before.end()) {}

    Number take() {
        while (taken_.contains(next_)) ++next_;
        return next_++;
    }

  private:
    std::set<Number> taken_;
    Number next_ = 0;
};

Number highest(std::span<const Number> numbers) {
    return numbers.empty() ? -1 : std::max(-1, std::ranges::max(numbers));
}

std::map<Number, std::size_t> sizes_of(std::span<const Number> group) {
    std::map<Number, std::size_t> sizes;
    for (const Number one : group)
        if (one >= 0) ++sizes[one];
    return sizes;
}

} // namespace

std::size_t keep_numbers(std::span<const Number> before, std::span<Number> group) {
    std::vector<Overlap> overlaps = overlaps_of(before, group);
    std::ranges::stable_sort(overlaps, std::ranges::greater(), &Overlap::images);
    std::map<Number, Number> number; // of each new group
    std::set<Number> taken;
    for (const Overlap &overlap : overlaps)
        if (!number.contains(overlap.now) && taken.insert(overlap.old).second)
            number[overlap.now] = overlap.old;
    FreeNumbers free(before);
    for (Number &one : group) {
        if (one < 0) continue;
        if (!number.contains(one)) number[one] = free.take();
        one = number[one];
    }
    return static_cast<std::size_t>(std::max(highest(before), highest(group)) + 1);
}

std::vector<std::string> changes(std::span<const Number> before, std::span<const Number> group) {
    const auto old_sizes = sizes_of(before);
    const auto sizes = sizes_of(group);
    const std::vector<Overlap> overlaps = overlaps_of(before, group);
    const auto most_from = [&](Number Overlap::*side, Number number) {
        const Overlap *most = nullptr;
        for (const Overlap &one : overlaps)
            if (one.*side == number && (most == nullptr || one.images > most->images)) most = &one;
        return most;
    };
    std::vector<std::string> lines;
    for (const auto &[number, size] : old_sizes) {
        if (sizes.contains(number)) continue;
        const Overlap *most = most_from(&Overlap::old, number);
        lines.push_back(most == nullptr
                            ? fmt::format("group {} is gone", number)
                            : fmt::format("group {} was joined to group {} ({})", number, most->now,
                                          counted(most->images, "picture")));
    }
    for (const auto &[number, size] : sizes) {
        if (old_sizes.contains(number)) continue;
        const Overlap *most = most_from(&Overlap::now, number);
        lines.push_back(most == nullptr
                            ? fmt::format("group {} is new ({})", number, counted(size, "picture"))
                            : fmt::format("group {} was split off group {} ({})", number, most->old,
                                          counted(most->images, "picture")));
    }
    for (const Overlap &one : overlaps)
        if (one.old != one.now && sizes.contains(one.old) && old_sizes.contains(one.now))
            lines.push_back(fmt::format("{} moved from group {} to group {}",
                                        counted(one.images, "picture"), one.old, one.now));
    return lines;
}

std::string new_images(const std::vector<bool> &is_new, std::span<const Number> group) {
    constexpr std::size_t most = 10;
    std::map<Number, std::size_t> sizes;
    for (std::size_t i = 0; i < is_new.size(); ++i)
        if (is_new[i]) ++sizes[group[i]];
    if (sizes.empty()) return "";
    std::vector<std::pair<Number, std::size_t>> ranked(sizes.begin(), sizes.end());
    std::ranges::stable_sort(ranked, std::greater(), [](const auto &one) { return one.second; });
    std::vector<std::string> parts;
    for (const auto &[number, size] : ranked | std::views::take(most))
        parts.push_back(number < 0 ? fmt::format("{} nowhere", size)
                                   : fmt::format("{} in group {}", size, number));
    if (ranked.size() > most) parts.push_back(counted(ranked.size() - most, "more group"));
    const auto count = static_cast<std::size_t>(std::ranges::count(is_new, true));
    return fmt::format("{}: {}", counted(count, "new picture"), fmt::join(parts, ", "));
}

std::vector<bool> moved_by_hand(std::span<const Number> found, std::span<const Number> before) {
    std::map<Number, Number> stays; // where the images of a group are that were not moved
    std::map<Number, std::size_t> most;
    for (const Overlap &one : overlaps_of(found, before)) {
        const std::size_t weight =
            one.old == one.now ? std::numeric_limits<std::size_t>::max() : one.images;
        if (weight <= most[one.old]) continue;
        most[one.old] = weight;
        stays[one.old] = one.now;
    }
    const auto found_sizes = sizes_of(found);
    const auto sizes = sizes_of(before);
    std::vector<bool> moved;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const bool joined_others = found[i] >= 0 && found_sizes.at(found[i]) == 1 &&
                                   before[i] >= 0 && before[i] != found[i] &&
                                   sizes.at(before[i]) > 1;
        moved.push_back(joined_others ||
                        (before[i] >= 0 && (found[i] < 0 || before[i] != stays[found[i]])));
    }
    return moved;
}

namespace {

constexpr std::size_t iterations = 10;        ///< at most
constexpr std::int64_t coupling_percent = 50; ///< of a node's strength

/// The group of most neighbors that have one, of equal ones the lowest; -1 where none has.
std::int32_t most_frequent(const Graph &graph, std::size_t node,
                           const std::vector<std::int32_t> &groups) {
    std::map<std::int32_t, std::size_t> counts;
    for (const std::uint32_t neighbor : graph.of(node))
        if (groups[neighbor] >= 0) ++counts[groups[neighbor]];
    if (counts.empty()) return -1;
    return std::ranges::max_element(counts, {}, [](const auto &one) { return one.second; })->first;
}

/// Labels below the number of nodes; a node without a group is alone.
Labels start_labels(const std::vector<std::int32_t> &start) {
    std::map<std::int32_t, std::uint32_t> number;
    for (const std::int32_t group : start)
        if (group >= 0) number.try_emplace(group, static_cast<std::uint32_t>(number.size()));
    auto next = static_cast<std::uint32_t>(number.size());
    Labels labels;
    for (const std::int32_t group : start) labels.push_back(group >= 0 ? number[group] : next++);
    return labels;
}

/// A group so far, and the node that its members hold on to.
struct Anchor {
    std::int32_t group;
    std::vector<std::uint32_t> members;
};

std::vector<Anchor> anchors_of(const std::vector<std::int32_t> &start) {
    std::map<std::int32_t, std::vector<std::uint32_t>> members;
    for (std::uint32_t node = 0; node < start.size(); ++node)
        if (start[node] >= 0) members[start[node]].push_back(node);
    std::vector<Anchor> anchors;
    for (auto &[group, nodes] : members) anchors.push_back({group, std::move(nodes)});
    return anchors;
}

/// The graph with a node behind the others for each anchor. Its members hold on to it, each by a
/// part of its own strength. These edges count in no strength, so they take no part in the expected
/// weights: they couple this division with the one before, as slices in time are (Mucha,
/// Richardson, Macon, Porter and Onnela, "Community structure in time-dependent, multiscale, and
/// multiplex networks", 2010).
Graph with_anchors(const Graph &graph, const std::vector<Anchor> &anchors) {
    std::vector<std::uint32_t> anchor_of(graph.size(), 0); // 0: none
    for (std::uint32_t i = 0; i < anchors.size(); ++i)
        for (const std::uint32_t node : anchors[i].members)
            anchor_of[node] = static_cast<std::uint32_t>(graph.size()) + i;
    const auto hold = [&](std::uint32_t node) {
        return std::max<std::int64_t>(1, graph.strengths[node] * coupling_percent / 100);
    };
    Graph anchored{.strengths = graph.strengths, .total = graph.total};
    anchored.strengths.resize(graph.size() + anchors.size(), 0);
    const auto add = [&](std::uint32_t target, std::int64_t weight) {
        anchored.targets.push_back(target);
        anchored.weights.push_back(weight);
    };
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        for (std::size_t place = graph.starts[node]; place < graph.starts[node + 1]; ++place)
            add(graph.targets[place], graph.weight(place));
        if (anchor_of[node] != 0) add(anchor_of[node], hold(node));
        anchored.starts.push_back(anchored.targets.size());
    }
    for (const Anchor &anchor : anchors) {
        for (const std::uint32_t node : anchor.members) add(node, hold(node));
        anchored.starts.push_back(anchored.targets.size());
    }
    return anchored;
}

/// Groups of before that ended in one community part again: joining them is the user's choice. The
/// anchor with most members there keeps the community. New nodes follow their neighbors.
void part_joined(const Graph &graph, const std::vector<std::int32_t> &start,
                 const std::vector<Anchor> &anchors, Labels &labels) {
    std::map<std::uint32_t, std::vector<const Anchor *>> joined; // by community
    for (std::size_t i = 0; i < anchors.size(); ++i)
        joined[labels[graph.size() + i]].push_back(&anchors[i]);
    std::uint32_t next =
        std::ranges::max(labels) + 1; // one for each anchor that parts: below size()
    for (auto &[label, those] : joined) {
        if (those.size() < 2) continue;
        std::ranges::stable_sort(those, std::ranges::greater(), [&, label = label](auto *anchor) {
            return std::ranges::count(anchor->members, label,
                                      [&](std::uint32_t node) { return labels[node]; });
        });
        std::map<std::int32_t, std::uint32_t> own; // the communities of the others
        for (const Anchor *anchor : those | std::views::drop(1)) own[anchor->group] = next++;
        std::vector<std::int32_t> groups(graph.size(), -1); // of these groups' old members
        for (const Anchor *anchor : those)
            for (const std::uint32_t node : anchor->members)
                if (labels[node] == label) groups[node] = anchor->group;
        for (std::uint32_t node = 0; node < graph.size(); ++node) {
            if (labels[node] != label) continue;
            const std::int32_t group =
                start[node] >= 0 ? start[node] : most_frequent(graph, node, groups);
            if (const auto found = own.find(group); found != own.end())
                labels[node] = found->second;
        }
    }
}

} // namespace

MethodGroups continued_groups(const Graph &graph, const GroupRequest &request,
                              const Observer &observer) {
    MethodGroups groups;
    groups.labels = start_labels(request.start);
    const std::vector<Anchor> anchors = anchors_of(request.start);
    const Graph anchored = with_anchors(graph, anchors);
    for (const Anchor &anchor : anchors)
        groups.labels.push_back(groups.labels[anchor.members.front()]);
    std::mt19937_64 engine(0);
    const LeidenStep step{anchored, Gains(anchored, request.resolution), engine, observer};
    for (std::size_t i = 0; i < iterations; ++i) {
        const Labels before = groups.labels;
        improve(step, groups.labels);
        if (groups.labels == before) break;
    }
    part_joined(graph, request.start, anchors, groups.labels);
    renumber(groups.labels); // nodes come first, so theirs are the lowest numbers
    groups.labels.resize(graph.size());
    groups.modularity = modularity(graph, groups.labels, request.resolution);
    groups.resolution = request.resolution;
    return groups;
}

} // namespace bowhist
