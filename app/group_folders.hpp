#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/pipeline/inputs.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist::app {

/// A folder with a folder for each group ("group-0", "nowhere"), in which its images stand, as
/// links or copies. Nothing is moved. The folder appears whole or not at all.
struct GroupFolders {
    std::filesystem::path folder; ///< absent, or empty
    bool copies = false;          ///< else symbolic links
};

/// @throws Error{Fault::output} when the folder holds anything
void require_empty(const GroupFolders &wanted);

/// Warns where the folder will lie in one of the inputs: a later run would take its links or copies
/// for pictures, too.
void warn_of_next_run(const GroupFolders &wanted, const InputSource &inputs, Observer &observer);

/// Where an image stands keeps its name; where a name is taken, a number follows its stem.
/// @param images  path bytes; one that is not there is left out, with a warning
/// @throws Error{Fault::output}
void write_group_folders(const GroupFolders &wanted, const std::vector<std::string> &images,
                         const Grouping &grouping, Observer &observer);

} // namespace bowhist::app
