#pragma once

#include <string>
#include <string_view>

namespace bowhist {

// Elements of an SVG document, each a line of it. Coordinates are in pixels, from the top left.

/// `words` are escaped; `attributes` are not.
std::string svg_text(double x, double y, std::string_view attributes, std::string_view words);

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view attributes);

} // namespace bowhist
