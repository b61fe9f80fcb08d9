#pragma once

#include <vector>

namespace bowhist {

/// Levels of a picture as if its paper were lit evenly: a surface of the second degree, fitted to
/// most of the picture, is taken off. The levels stay as they are unless that makes one level more
/// frequent.
///
/// float64, + - × ÷ only, in a fixed order.
/// @param levels  rows after rows of `width` levels
std::vector<float> evenly_lit(const std::vector<float> &levels, int width, int height);

} // namespace bowhist
