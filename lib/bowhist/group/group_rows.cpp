#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/group/centers.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/kept_numbers.hpp>
#include <bowhist/group/kept_rows.hpp>
#include <bowhist/group/linkage.hpp>
#include <bowhist/group/method_groups.hpp>
#include <bowhist/group/nearest_list.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

namespace bowhist {
namespace {

Tree tree_of_merges(const DistinctRows &distinct, const Kept &kept,
                    const std::vector<Merge> &merges) {
    LevelLabels numbers(kept.places.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    return tree_of(merges, of_images(distinct, kept, numbers));
}

/// Puts images that are held elsewhere than their rows into the lowest part of the group that they
/// are in, or into one of their own.
/// @param of_rows  the groups of the images' rows
void hold_in_levels(const LevelLabels &of_rows, std::vector<LevelLabels> &levels) {
    const LevelLabels group = levels.front();
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const LevelLabels &above = levels[i - 1];
        LevelLabels &level = levels[i];
        std::int32_t next = std::ranges::max(level) + 1;
        std::map<std::int32_t, std::int32_t> lowest; // part of each group above
        for (std::size_t image = 0; image < level.size(); ++image) {
            if (of_rows[image] != group[image]) continue;
            const auto [part, is_new] = lowest.emplace(above[image], level[image]);
            part->second = std::min(part->second, level[image]);
        }
        for (std::size_t image = 0; image < level.size(); ++image) {
            if (of_rows[image] == group[image]) continue;
            const auto [part, is_new] = lowest.emplace(above[image], next);
            next += is_new ? 1 : 0;
            level[image] = part->second;
        }
    }
}

/// Adds levels and the tree to a grouping, as far as they are asked for. The tree of methods
/// without merges is that of the levels.
/// @param merges  of the kept rows; empty: the method has none
void add_below(const DistinctRows &distinct, const Kept &kept, const std::vector<Merge> &merges,
               const GroupRequest &request, Grouping &grouping, Observer &observer) {
    const bool merged = !merges.empty();
    if (request.tree && merged) grouping.tree = tree_of_merges(distinct, kept, merges);
    if (!request.levels && (!request.tree || merged)) return;
    const LevelLabels groups = of_kept(distinct, kept, request, grouping);
    std::vector<LevelLabels> levels = {grouping.group};
    for (const LevelLabels &level :
         merged ? levels_of(merges, groups) : levels_of(kept.graph, groups, observer))
        levels.push_back(of_images(distinct, kept, level));
    hold_in_levels(of_images(distinct, kept, groups), levels);
    if (request.tree && !merged) grouping.tree = tree_of(levels);
    if (request.levels) grouping.levels.assign(levels.begin() + 1, levels.end());
}

/// Renumbers groups: the largest first, of equal ones the one whose first image comes first.
std::size_t largest_first(std::vector<std::int32_t> &group) {
    const auto count = static_cast<std::size_t>(std::ranges::max(group) + 1);
    std::vector<std::size_t> size(count, 0);
    std::vector<std::size_t> first(count, group.size());
    for (std::size_t image = group.size(); image-- > 0;) {
        if (group[image] < 0) continue;
        ++size[static_cast<std::size_t>(group[image])];
        first[static_cast<std::size_t>(group[image])] = image;
    }
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t one) { return size[one] == 0; });
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return size[a] != size[b] ? size[a] > size[b] : first[a] < first[b];
    });
    std::vector<std::int32_t> number(count, Grouping::nowhere);
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<std::int32_t>(i);
    for (std::int32_t &one : group)
        if (one >= 0) one = number[static_cast<std::size_t>(one)];
    return order.size();
}

MethodGroups groups_of(const DistinctRows &distinct, const Kept &kept, GroupRequest request,
                       Observer &observer) {
    if (kept.places.empty()) return {};
    if (!request.start.empty()) {
        request.start = start_of(distinct, kept, request);
        return continued_groups(kept.graph, request, observer);
    }
    request.groups = std::min(request.groups, kept.places.size());
    switch (request.method) {
    case GroupMethod::leiden:
        return leiden_groups(kept.graph, request, observer);
    case GroupMethod::kmeans:
        return kmeans_groups(kept.rows, request, observer);
    default:
        return linkage_groups(kept.rows, request, observer);
    }
}

void hold(const GroupRequest &request, Grouping &grouping) {
    for (std::size_t image = 0; image < request.held.size(); ++image)
        if (request.held[image]) grouping.group[image] = request.start[image];
}

void check(const IntegerRows &rows, const GroupRequest &request) {
    if (rows.size() == 0)
        throw Error(Fault::input, "there are no pictures to group; give histograms of some");
    require_enough(rows.size(), request.groups);
    if (!request.start.empty() && request.method != GroupMethod::leiden)
        throw Error(Fault::usage, "only leiden starts from groups; leave --method out");
    if (request.groups == 0 && request.method != GroupMethod::leiden)
        throw Error(Fault::usage, "only leiden finds the number of groups; give it with -k");
}

} // namespace

std::size_t Grouping::filled() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        summaries, [](const GroupSummary &summary) { return summary.size > 0; }));
}

void require_enough(std::size_t images, std::size_t groups) {
    if (images >= groups) return;
    throw Error(Fault::input, fmt::format("{} cannot make {} groups; choose a smaller -k",
                                          counted(images, "picture"), groups));
}

std::string title_of(const Grouping &grouping, std::size_t group) {
    const bool is_named = group < grouping.names.size() && !grouping.names[group].empty();
    return fmt::format("group {}{}{}", group, is_named ? ", " : "",
                       is_named ? excerpt(grouping.names[group]) : "");
}

std::size_t neighbors_for(std::size_t rows) {
    constexpr std::size_t most = 10;
    std::size_t root = 1;
    while (root < most && (root + 1) * (root + 1) <= rows) ++root;
    return root;
}

Grouping group_rows(const IntegerRows &rows, const GroupRequest &request, Observer &observer) {
    const DefaultFloats floats;
    check(rows, request);
    const DistinctRows distinct = distinct_rows(rows);
    const Kept kept = keep(distinct, request, observer);
    const MethodGroups made = groups_of(distinct, kept, request, observer);

    Grouping grouping;
    grouping.group = of_images(distinct, kept, {made.labels.begin(), made.labels.end()});
    grouping.groups = request.start.empty() ? largest_first(grouping.group)
                                            : keep_numbers(request.start, grouping.group);
    hold(request, grouping);
    add_below(distinct, kept, made.merges, request, grouping, observer);
    grouping.modularity = made.modularity;
    grouping.resolution = made.resolution;
    grouping.report = made.report;
    measure(rows, grouping);
    return grouping;
}

namespace {

using RowNumbers = std::vector<std::uint32_t>;

constexpr std::size_t rows_a_task = 32; ///< that look at each placed row while it is in the cache

/// The group of most neighbors, of equal ones that of the nearest.
std::int32_t most_frequent(std::span<const Neighbor> neighbors,
                           const std::vector<std::int32_t> &groups) {
    std::map<std::int32_t, std::size_t> counts;
    std::size_t most = 0;
    for (const Neighbor &neighbor : neighbors)
        most = std::max(most, ++counts[groups[neighbor.row]]);
    for (const Neighbor &neighbor : neighbors)
        if (counts[groups[neighbor.row]] == most) return groups[neighbor.row];
    return Grouping::nowhere;
}

/// The rows that new rows are placed beside: they have a group, and are not zeros.
RowNumbers placed_rows(const std::vector<std::int32_t> &groups, const std::vector<bool> &is_new,
                       const std::vector<std::int32_t> &norms) {
    RowNumbers placed;
    for (std::uint32_t row = 0; row < groups.size(); ++row)
        if (!is_new[row] && groups[row] >= 0 && norms[row] != 0) placed.push_back(row);
    return placed;
}

/// The groups of some new rows.
class Placing {
  public:
    Placing(const IntegerRows &rows, const std::vector<std::int32_t> &groups,
            const std::vector<bool> &is_new)
        : rows_(rows), groups_(groups), norms_(squared_norms(rows)),
          placed_(placed_rows(groups, is_new, norms_)), most_(neighbors_for(placed_.size())) {}

    std::vector<std::int32_t> groups_of(std::span<const std::uint32_t> some) const {
        std::vector<Neighbor> lists(some.size() * most_);
        std::vector<std::uint32_t> lengths(some.size(), 0);
        const auto list = [&](std::size_t i) { return std::span(lists).subspan(i * most_, most_); };
        for (const std::uint32_t placed : placed_) {
            const auto row = rows_.row(placed);
            for (std::size_t i = 0; i < some.size(); ++i)
                offer(list(i), lengths[i], {placed, product(rows_.row(some[i]), row)},
                      std::span(norms_));
        }
        std::vector<std::int32_t> result;
        for (std::size_t i = 0; i < some.size(); ++i)
            result.push_back(norms_[some[i]] == 0
                                 ? Grouping::nowhere
                                 : most_frequent(list(i).first(lengths[i]), groups_));
        return result;
    }

  private:
    const IntegerRows &rows_; ///< outlives it, as the groups do
    const std::vector<std::int32_t> &groups_;
    std::vector<std::int32_t> norms_;
    RowNumbers placed_;
    std::size_t most_;
};

} // namespace

Grouping place_rows(const IntegerRows &rows, std::vector<std::int32_t> groups,
                    const std::vector<bool> &is_new, const Observer &observer) {
    const DefaultFloats floats;
    RowNumbers open;
    for (std::uint32_t row = 0; row < groups.size(); ++row)
        if (is_new[row]) open.push_back(row);
    const Placing placing(rows, groups, is_new);
    std::vector<std::int32_t> found(open.size());
    const std::size_t tasks = (open.size() + rows_a_task - 1) / rows_a_task;
    tbb::parallel_for(std::size_t{0}, tasks, [&](std::size_t task) {
        observer.stop_if_interrupted();
        const std::size_t first = task * rows_a_task;
        const auto some =
            std::span(open).subspan(first, std::min(rows_a_task, open.size() - first));
        std::ranges::copy(placing.groups_of(some), found.begin() + static_cast<long>(first));
    });
    for (std::size_t i = 0; i < open.size(); ++i) groups[open[i]] = found[i];
    Grouping grouping;
    grouping.groups = static_cast<std::size_t>(std::ranges::max(groups) + 1);
    grouping.group = std::move(groups);
    measure(rows, grouping);
    return grouping;
}

} // namespace bowhist
