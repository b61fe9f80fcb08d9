#pragma once

#include "app/cluster/group_folders.hpp"
#include "app/command/console.hpp"
#include "app/verbs.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/learn/learn_model.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bowhist::app {

/// The options and inputs of one call of `cluster`.
struct ClusterCall {
    bool of_images = false; ///< else of rows in files
    std::vector<std::filesystem::path> histograms;
    std::filesystem::path library;             ///< whose images are grouped; else empty
    std::map<std::int32_t, std::string> names; ///< that groups of the library get
    bool regroup = false;                      ///< replaces the groups that the library keeps
    ModelRequest model;                        ///< of images
    std::filesystem::path output;              ///< the table; empty: standard output
    bool table = true;                         ///< whether a table is wanted
    std::filesystem::path page;                ///< a file, or a folder
    std::filesystem::path update;              ///< groups.json to continue with all images
    std::filesystem::path assign;              ///< groups.json to place new images in
    bool resolution_given = false;
    std::filesystem::path tree;
    std::optional<GroupFolders> folders;
    std::string labels;
    GroupRequest grouping;
    double resolution = 1;
    Normalization normalization = Normalization::hellinger;
    bool normalization_given = false;
    ConsoleOptions console;

    /// groups.json that this run continues; empty: it makes groups anew.
    const std::filesystem::path &continued() const { return update.empty() ? assign : update; }
    /// Whether groups.json is written.
    bool writes_groups() const { return output.extension() == ".json"; }
    /// Whether groups that the library keeps are continued: leiden continues them, unless a number
    /// of groups is asked for.
    bool continues_library() const {
        return !library.empty() && grouping.method == GroupMethod::leiden && grouping.groups == 0 &&
               !regroup;
    }
    const LevelRequest &level() const { return model.learn.level; }
};

/// @throws Error{Fault::usage}; Answered
ClusterCall read_cluster_call(Arguments arguments);

} // namespace bowhist::app
