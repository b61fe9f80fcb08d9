#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/io/temporary_file.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace bowhist::app {

/// A folder with a folder for each group ("group-0", "group-1-Lisbon", "nowhere"), in which its
/// images stand, as links or copies. Nothing is moved. The folder appears whole or not at all.
struct GroupFolders {
    std::filesystem::path folder; ///< absent, or empty
    bool copies = false;          ///< else symbolic links
};

/// @throws Error{Fault::output} when the folder holds anything, or cannot be replaced: it is the
///         working folder, or a disk's first
void require_empty(const GroupFolders &wanted);

/// Warns where the folder will lie in one of the inputs: a later run would take its links or copies
/// for pictures, too.
void warn_of_next_run(const GroupFolders &wanted, const InputSource &inputs, Observer &observer);

/// Makes the folder.
///
/// Protocol: fill, then appear. It is removed with its owner, unless it appeared.
/// @throws Error{Fault::output}
class GroupFoldersWriter {
  public:
    explicit GroupFoldersWriter(const GroupFolders &wanted);

    /// Each image keeps its file name; where the name is taken, a number follows its stem.
    /// @param images  path bytes; one that is not there is left out, with a line
    /// @return how many are left out
    std::size_t fill(const std::vector<std::string> &images, const std::set<std::string> &outside,
                     const Grouping &grouping, Observer &observer);
    void appear();

  private:
    GroupFolders wanted_;
    UnfinishedFolder unfinished_;
};

} // namespace bowhist::app
