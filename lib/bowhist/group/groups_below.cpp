#include <bowhist/group/groups_below.hpp>

#include <algorithm>
#include <map>
#include <numeric>

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

} // namespace

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

} // namespace bowhist
