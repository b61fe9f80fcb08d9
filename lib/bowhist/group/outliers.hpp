#pragma once

#include <bowhist/group/neighbors.hpp>

#include <vector>

namespace bowhist {

/// Which rows fit nowhere: those that have few neighbors and weak ones. Few: no other row has it
/// among its nearest. Weak: its likeness to its nearest is below Tukey's lower fence (1977), the
/// lower quartile of all rows' likenesses to their nearest less one and a half times the distance
/// between the quartiles. Rows of zeros fit nowhere.
///
/// There is no parameter, since both halves compare a row with the other rows: the fence follows
/// how alike images of this set are. One half alone is not enough: in many dimensions a tenth of
/// the rows and more are not near to any other, plain ones among them; and two odd images that are
/// each other's nearest make a group, however unlike the rest they are.
std::vector<bool> find_outliers(const Neighbors &neighbors);

} // namespace bowhist
