#pragma once

#include <bowhist/group/grouping.hpp>

namespace bowhist {

/// Fills in the distances to the groups' centers and the groups' summaries, in float64, each sum in
/// the order of the rows. A center is the mean of a group's rows, all at unit length.
void measure(const IntegerRows &rows, Grouping &grouping);

} // namespace bowhist
