#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace bowhist {

/// The folder of a control group.
struct ControlGroup {
    std::filesystem::path folder;
    bool is_v2; ///< else of version 1
};

/// The control groups whose limits hold for this process: its own and those above it, as far as
/// they are mounted here.
/// @param controller  "cpu" or "memory"
/// @param root  what stands for /, in tests
std::vector<ControlGroup> control_groups(std::string_view controller,
                                         const std::filesystem::path &root = "/");

} // namespace bowhist
