#include <bowhist/core/counted.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/group/centers.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/groups_below.hpp>
#include <bowhist/group/kept_numbers.hpp>
#include <bowhist/group/kept_rows.hpp>
#include <bowhist/group/method_groups.hpp>

#include <fmt/format.h>

#include <algorithm>
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

} // namespace bowhist
