#pragma once

#include "app/console.hpp"
#include "app/group_folders.hpp"
#include "app/verbs.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/group/grouping.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bowhist::app {

/// What `cluster` is asked for.
struct ClusterCall {
    std::vector<std::filesystem::path> histograms;
    std::filesystem::path output;
    std::filesystem::path page;
    std::filesystem::path tree;
    std::optional<GroupFolders> folders;
    std::string labels;
    GroupRequest grouping;
    double resolution = 1;
    Normalization normalization = Normalization::hellinger;
    bool normalization_given = false;
    LevelRequest level;
    ConsoleOptions console;
};

/// @throws Error{Fault::usage}; Answered
ClusterCall read_cluster_call(Arguments arguments);

} // namespace bowhist::app
