#pragma once

#include <cstdint>
#include <filesystem>
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

/// stored_groups.cpp describes the format.
std::string groups_json(const StoredGroups &groups);

/// @throws Error{Fault::input} for another kind of file, and where it was edited wrongly: a number
///         or an image twice, a negative number
StoredGroups read_stored_groups(const std::filesystem::path &path);

} // namespace bowhist
