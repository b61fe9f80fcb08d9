#include <bowhist/core/counted.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/group/centers.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/kept_numbers.hpp>
#include <bowhist/group/levels.hpp>
#include <bowhist/group/method_groups.hpp>
#include <bowhist/group/neighbors.hpp>
#include <bowhist/group/outliers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace bowhist {
namespace {

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

bool needs_neighbors(const GroupRequest &request) {
    return request.method == GroupMethod::leiden || request.outliers || request.levels ||
           request.tree;
}

/// The distinct rows that are grouped, without those that fit nowhere.
struct Kept {
    std::vector<std::uint32_t> places; ///< of each among all distinct rows
    DistinctRows rows;                 ///< `of_row` is of the images that are left; leiden has no
                                       ///< need of `rows` themselves
    Graph graph;
};

Neighbors neighbors_of(const IntegerRows &rows, const GroupRequest &request, Observer &observer) {
    if (needs_neighbors(request))
        return request.find_neighbors(rows, neighbors_for(rows.size()), observer);
    Neighbors none;
    none.squared_norms.resize(rows.size());
    none.starts.resize(rows.size() + 1);
    return none;
}

/// An image with copies has others that are like it, unless they are all zeros.
Kept keep(const DistinctRows &distinct, const GroupRequest &request, Observer &observer) {
    const Neighbors neighbors = neighbors_of(distinct.rows, request, observer);
    Kept kept{{}, {{distinct.rows.dimensions, {}}, {}, {}}, {}};
    std::vector<bool> nowhere(distinct.rows.size(), false);
    if (request.outliers) nowhere = find_outliers(neighbors);
    std::vector<std::uint32_t> number(distinct.rows.size(), 0);
    for (std::uint32_t row = 0; row < distinct.rows.size(); ++row) {
        const bool has_copies = distinct.counts[row] > 1 && neighbors.squared_norms[row] != 0;
        nowhere[row] = nowhere[row] && !has_copies;
        if (nowhere[row]) continue;
        number[row] = static_cast<std::uint32_t>(kept.places.size());
        kept.places.push_back(row);
        kept.rows.counts.push_back(distinct.counts[row]);
        if (request.method == GroupMethod::leiden) continue;
        kept.rows.rows.values.reserve(distinct.rows.values.size());
        const auto values = distinct.rows.row(row);
        kept.rows.rows.values.insert(kept.rows.rows.values.end(), values.begin(), values.end());
    }
    for (const std::uint32_t row : distinct.of_row)
        if (!nowhere[row]) kept.rows.of_row.push_back(number[row]);
    kept.graph = neighbor_graph(neighbors);
    if (kept.places.size() < distinct.rows.size())
        kept.graph = PartsOfGraph(kept.graph).part(kept.places);
    return kept;
}

/// Labels of those that are kept become the images'.
std::vector<std::int32_t> of_images(const DistinctRows &distinct, const Kept &kept,
                                    const LevelLabels &labels) {
    LevelLabels of_distinct(distinct.rows.size(), Grouping::nowhere);
    for (std::size_t i = 0; i < labels.size(); ++i) of_distinct[kept.places[i]] = labels[i];
    std::vector<std::int32_t> result;
    for (const std::uint32_t row : distinct.of_row) result.push_back(of_distinct[row]);
    return result;
}

bool is_held(const GroupRequest &request, std::size_t image) {
    return !request.held.empty() && request.held[image];
}

/// The groups' own numbers, of those that are kept. Of a held image where all its copies are.
LevelLabels of_kept(const DistinctRows &distinct, const Kept &kept, const GroupRequest &request,
                    const Grouping &grouping) {
    LevelLabels of_distinct(distinct.rows.size(), Grouping::nowhere);
    for (std::size_t image = 0; image < distinct.of_row.size(); ++image) {
        std::int32_t &own = of_distinct[distinct.of_row[image]];
        if (!is_held(request, image) || own < 0) own = grouping.group[image];
    }
    LevelLabels result;
    for (const std::uint32_t place : kept.places) result.push_back(of_distinct[place]);
    return result;
}

/// The start of the distinct rows that are kept: that of the first of equal images that has one.
/// Images that are held count where no others have one, so that their copies do not follow them.
LevelLabels start_of(const DistinctRows &distinct, const Kept &kept, const GroupRequest &request) {
    LevelLabels of_distinct(distinct.rows.size(), Grouping::nowhere);
    for (const bool held : {false, true})
        for (std::size_t image = 0; image < request.start.size(); ++image) {
            std::int32_t &own = of_distinct[distinct.of_row[image]];
            if (is_held(request, image) == held && own < 0) own = request.start[image];
        }
    LevelLabels result;
    for (const std::uint32_t place : kept.places) result.push_back(of_distinct[place]);
    return result;
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

/// Levels and the tree, as far as they are asked for. The tree of methods without merges is that of
/// the levels.
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

} // namespace bowhist
