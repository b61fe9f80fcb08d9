#pragma once

#include <bowhist/inputs/ignored.hpp>
#include <bowhist/inputs/inputs.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace bowhist {

/// A folder with the images directly in it.
struct ListedFolder {
    std::filesystem::path path;
    std::filesystem::path below;    ///< its path below the folder that was named
    std::vector<std::string> names; ///< of image files, in the order of their bytes
    bool is_whole = true;           ///< false: it could not be listed, or not to its end
};

/// Searches the folders of a run, in order. Each is searched once, by the first path that leads to
/// it, whichever of the named folders it lies in.
class FolderSearch {
  public:
    FolderSearch(const InputSource &source, Observer &observer);

    /// The inputs that list_inputs() takes of one named folder, without the folders in it that were
    /// searched before. @throws Error{Fault::interrupted}
    InputList search(const std::filesystem::path &root);

    /// The same, but hands over the images of each folder once it is listed, in memory that does
    /// not grow with the number of images. Descriptor files are ignored.
    /// @param below  the root's own path below what the rules are for, if it is a part of that
    void visit(const std::filesystem::path &root, const std::function<void(ListedFolder &&)> &use,
               const std::filesystem::path &below = {});

    /// Searches this folder only as one that is named, not as a part of another.
    void leave_out(const std::filesystem::path &folder) { left_out_.insert(identity(folder)); }

    /// Rules for the folders from now on.
    void set_rules(const std::vector<std::string> &excluded, bool hidden) {
        rules_ = IgnoreRules(excluded, hidden);
    }

    /// How many files of each kind visit() ignored.
    const std::map<std::string, std::size_t> &ignored_files() const { return ignored_files_; }

    /// How many folders of each name were ignored, and not searched because they were named, too.
    std::map<std::string, std::size_t> ignored_folders() const;

  private:
    class Walk;
    using Folder = std::pair<dev_t, ino_t>;
    static Folder identity(const std::filesystem::path &path);

    Observer &observer_;
    IgnoreRules rules_;
    bool descriptors_only_;
    std::vector<bool> images_;               ///< whether each search found images
    std::map<Folder, std::size_t> searched_; ///< by which search
    std::set<Folder> left_out_;
    std::vector<std::pair<Folder, std::string>> ignored_; ///< and its name
    std::map<std::string, std::size_t> ignored_files_;
    std::set<std::string> near_globs_; ///< of which it warned
};

} // namespace bowhist
