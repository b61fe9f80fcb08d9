#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/segments.hpp>

#include <span>

namespace bowhist {

/// Makes one segment of several, and deletes them. Images that the library no longer has are left
/// out. It is several transactions: the rows of a run that was ended among them belong to no
/// segment, and are erased by the next one.
/// @param segments  neighbors, the last of all among them
void merge_into_one(Database &database, SegmentRows &rows, std::span<const Segment> segments,
                    Observer &observer);

} // namespace bowhist
