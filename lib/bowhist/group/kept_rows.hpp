#pragma once

#include <bowhist/core/integer_rows.hpp>
#include <bowhist/group/graph.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/group/levels.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// Rows without their copies, in the order of their first.
struct DistinctRows {
    IntegerRows rows;
    std::vector<std::uint32_t> of_row; ///< where each of the original rows is among them
    std::vector<double> counts;        ///< how often each occurs
};

DistinctRows distinct_rows(const IntegerRows &rows);

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

/// The groups' own numbers, of the rows that are kept. A held image sets its row's number only if
/// all images of that row are held.
LevelLabels of_kept(const DistinctRows &distinct, const Kept &kept, const GroupRequest &request,
                    const Grouping &grouping);

/// The start of the distinct rows that are kept: that of the first of equal images that has one. A
/// held image sets its copies' start only if none of them has one, so that they do not follow it.
LevelLabels start_of(const DistinctRows &distinct, const Kept &kept, const GroupRequest &request);

} // namespace bowhist
