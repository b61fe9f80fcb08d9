#pragma once

#include <bowhist/pictures/raster.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// Turns a row of inverted CMYK, as Adobe stores it in JPEGs, into grey or BGR, at the row's
/// beginning. The same bytes as OpenCV.
void convert_cmyk(std::vector<std::uint8_t> &row, Colour colour);

} // namespace bowhist
