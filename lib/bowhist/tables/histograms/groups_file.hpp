#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// A group with its name and its images.
struct StoredGroup {
    std::int32_t number = 0;
    std::string name = {};                 ///< that a user gave it; else empty
    std::vector<std::string> images = {};  ///< path bytes
    std::vector<std::uint32_t> words = {}; ///< that set it apart; are written, not read
};

/// groups.json: groups that later runs continue. A user may edit it: name groups, move images from
/// one list to another, put two lists together.
struct StoredGroups {
    std::vector<StoredGroup> groups = {};
    std::vector<std::string> nowhere = {}; ///< images that fit nowhere
    std::int64_t resolution = 0;           ///< millionths, of Leiden's modularity
    std::string model = {};                ///< fingerprint of the model of their codes
    std::string found = {}; ///< fingerprint_of_groups() of what the run found; empty: unknown
};

/// groups.json.npz: the model and the codes.
std::filesystem::path codes_path(const std::filesystem::path &groups);

/// The fingerprint of images and their groups. groups.json and groups.json.npz with the same one
/// are of one run, even if the former was edited.
std::string fingerprint_of_groups(std::span<const std::string> images,
                                  std::span<const std::int32_t> groups);

/// groups_file.cpp describes the format.
std::string groups_json(const StoredGroups &groups);

/// @throws Error{Fault::input} for another kind of file, and where it was edited wrongly: a number
///         or an image twice, a negative number
StoredGroups read_stored_groups(const std::filesystem::path &path);

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
