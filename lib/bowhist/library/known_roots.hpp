#pragma once

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file_places.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// A root as it is found from here.
struct KnownRoot {
    RootRow row;        ///< id 0: a new one
    std::string opened; ///< opened_front()
    std::string whole;  ///< listed_path(); empty where it is not there

    /// The path of a folder below it: "" of itself. REQUIRES: the folder is or lies in it
    /// @param folder  listed_path()
    std::string below(const std::string &folder) const;
    /// Whether a folder, by its listed_path(), lies in it, and a walk takes it.
    bool reaches(const std::string &folder) const;
    /// Whether a walk takes that file of the root or of a folder that it reaches.
    bool lists(const std::string &folder, const std::string &name) const;
};

/// The roots of a library, and those that a run adds.
class KnownRoots {
  public:
    explicit KnownRoots(Catalogue &catalogue);

    const std::vector<KnownRoot> &all() const { return all_; }
    /// Roots that are the folder of one of all() under another spelling: an older run took them for
    /// folders of their own.
    const std::vector<KnownRoot> &repeated() const { return repeated_; }
    /// That of files that were named: a new one if the library has none yet.
    const RootRow &of_files() const { return of_files_; }

    /// The root that is this folder, or null. @param whole  listed_path()
    const KnownRoot *same(const std::string &path, const std::string &whole) const;
    /// The innermost root whose walk takes this folder, or null.
    const KnownRoot *around(const std::string &whole) const;
    /// The root that is printed like this path, or null.
    const KnownRoot *named(const std::string &path) const;

    void add(const RootRow &row, const std::string &opened, const std::string &whole) {
        all_.push_back({row, opened, whole});
    }

  private:
    std::vector<KnownRoot> all_, repeated_;
    RootRow of_files_;
};

} // namespace bowhist
