#pragma once

#include <bowhist/pipeline/ignored.hpp>
#include <bowhist/pipeline/inputs.hpp>

#include <map>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace bowhist {

/// Searches the folders of a run, in order. Each is searched once, by the first path that leads to
/// it, whichever of the named folders it lies in.
class FolderSearch {
  public:
    FolderSearch(const InputSource &source, Observer &observer);

    /// What list_inputs() takes of one folder that was named, but for the folders in it that were
    /// searched before. @throws Error{Fault::interrupted}
    InputList search(const std::filesystem::path &root);

    /// How many folders of each name were ignored, and not searched because they were named, too.
    std::map<std::string, std::size_t> ignored_folders() const;

  private:
    class Walk;
    using Folder = std::pair<dev_t, ino_t>;
    static Folder identity(const std::filesystem::path &path);

    Observer &observer_;
    IgnoreRules rules_;
    bool descriptors_only_;
    std::vector<bool> images_;                            ///< whether each search found images
    std::map<Folder, std::size_t> searched_;              ///< by which search
    std::vector<std::pair<Folder, std::string>> ignored_; ///< and its name
};

} // namespace bowhist
