#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// A row for each image.
struct GroupsTable {
    std::span<const std::string> images; ///< path bytes
    std::span<const std::int32_t> groups;
    std::span<const double> distances;
    std::span<const std::vector<std::int32_t>> levels = {};
};

/// `image,group,distance`, and `level1`, `level2` … where there are any: a row for each image, as
/// in the CSV of histograms: RFC 4180 quoting, LF, path bytes as given, floats in the shortest form
/// that reads back.
std::string groups_csv(const GroupsTable &table);

/// Reads labels: CSV with a heading that has `image` and `label` (others are ignored), as
/// spreadsheets save it. @return the label of each image that has one
/// @throws Error{Fault::input} saying what was expected and what was found, with the line; and when
///         an image has two labels
std::map<std::string, std::string> read_labels(const std::filesystem::path &path);

} // namespace bowhist
