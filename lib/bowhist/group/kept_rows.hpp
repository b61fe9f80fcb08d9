#pragma once

#include <bowhist/group/distinct_rows.hpp>
#include <bowhist/group/graph.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/levels.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// The distinct rows that are grouped, without those that fit nowhere.
struct Kept {
    std::vector<std::uint32_t> places; ///< of each among all distinct rows
    DistinctRows rows;                 ///< `of_row` is of the images that are left; leiden has no
                                       ///< need of `rows` themselves
    Graph graph;
};

/// An image with copies has others that are like it, unless they are all zeros.
Kept keep(const DistinctRows &distinct, const GroupRequest &request, Observer &observer);

/// Labels of those that are kept become the images'; those of the others are Grouping::nowhere.
std::vector<std::int32_t> of_images(const DistinctRows &distinct, const Kept &kept,
                                    const LevelLabels &labels);

/// The groups' own numbers, of those that are kept. Of a held image where all its copies are.
LevelLabels of_kept(const DistinctRows &distinct, const Kept &kept, const GroupRequest &request,
                    const Grouping &grouping);

/// The start of the distinct rows that are kept: that of the first of equal images that has one.
/// Images that are held count where no others have one, so that their copies do not follow them.
LevelLabels start_of(const DistinctRows &distinct, const Kept &kept, const GroupRequest &request);

} // namespace bowhist
