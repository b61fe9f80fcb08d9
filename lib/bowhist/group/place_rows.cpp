#include <bowhist/core/default_floats.hpp>
#include <bowhist/group/centers.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/nearest_list.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <map>

namespace bowhist {
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
