#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace bowhist {

/// `image,group,distance`, a row for each image, as in the CSV of histograms: RFC 4180 quoting, LF,
/// path bytes as given, floats in the shortest form that reads back.
std::string groups_csv(std::span<const std::string> images, std::span<const std::size_t> groups,
                       std::span<const double> distances);

} // namespace bowhist
