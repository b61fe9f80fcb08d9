#pragma once

#include <string>

namespace bowhist {

/// A quantity as text: four digits and a prefix, ready for its unit: "14.47 G", "812 ".
std::string scaled(double value);

} // namespace bowhist
