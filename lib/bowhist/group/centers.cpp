#include <bowhist/core/default_floats.hpp>
#include <bowhist/group/centers.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace bowhist {
namespace {

double norm_of(std::span<const std::int16_t> row) {
    return std::sqrt(std::max(1, product(row, row)));
}

/// The mean of some rows.
std::vector<double> center_of(const IntegerRows &rows, const std::vector<std::size_t> &members) {
    std::vector<double> center(rows.dimensions, 0);
    for (const std::size_t member : members) {
        const auto row = rows.row(member);
        const double norm = norm_of(row);
        for (std::size_t i = 0; i < row.size(); ++i) center[i] += row[i] / norm;
    }
    for (double &value : center) value /= static_cast<double>(members.size());
    return center;
}

double distance(std::span<const std::int16_t> row, const std::vector<double> &center) {
    const double norm = norm_of(row);
    double squares = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const double apart = row[i] / norm - center[i];
        squares += apart * apart;
    }
    return std::sqrt(squares);
}

} // namespace

void measure(const IntegerRows &rows, Grouping &grouping) {
    std::vector<std::vector<std::size_t>> members(grouping.groups);
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (grouping.group[row] >= 0)
            members[static_cast<std::size_t>(grouping.group[row])].push_back(row);
    grouping.distance.assign(rows.size(), 0);
    grouping.summaries.assign(grouping.groups, {});
    tbb::parallel_for(std::size_t{0}, grouping.groups, [&](std::size_t group) {
        if (members[group].empty()) return; // its number is kept
        const DefaultFloats floats;
        const auto center = center_of(rows, members[group]);
        GroupSummary &summary = grouping.summaries[group];
        summary.size = members[group].size();
        summary.typical = members[group].front();
        double sum = 0;
        for (const std::size_t member : members[group]) {
            grouping.distance[member] = distance(rows.row(member), center);
            sum += grouping.distance[member];
            if (grouping.distance[member] < grouping.distance[summary.typical])
                summary.typical = member;
        }
        summary.spread = sum / static_cast<double>(summary.size);
    });
}

} // namespace bowhist
