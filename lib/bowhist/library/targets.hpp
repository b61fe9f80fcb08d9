#pragma once

#include <bowhist/inputs/inputs.hpp>
#include <bowhist/library/catalogue.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace bowhist {

/// A folder to walk: a root, or a part of one.
struct FolderTarget {
    RootRow root;           ///< id 0: a new one
    std::string opened;     ///< the folder, as it is opened from here
    std::string below = {}; ///< its path below the root, with a slash at its end; empty: all of it
};

/// Files of one folder that were named.
struct FileTarget {
    RootRow root;
    std::string opened; ///< what stands in front of their names to open them
    std::string below;  ///< the folder's path below the root, as its row has it
    std::set<std::string> names = {};
};

/// The folders and files that a run looks at.
struct Targets {
    std::vector<FolderTarget> folders;
    std::map<std::string, FileTarget> files; ///< by root and folder
    std::vector<RootRow> repeated;           ///< KnownRoots::repeated()
    std::vector<std::string> roots;          ///< folders that are no part of another root: those of
                                             ///< all roots, by their listed_path()

    bool empty() const { return folders.empty() && files.empty(); }
};

/// Targets of the inputs that are named; without any, all that the library knows.
///
/// A folder that is a root already, however it is spelled, is that root. One that lies in a root is
/// a part of it, and a file in a root is the root's, unless its rules ignore them. Roots that lie
/// in a folder that is named are walked, too, as roots of their own.
/// @param skipped  gets the number of lines of a list that hold no path
Targets targets_of(Catalogue &catalogue, const InputSource &inputs, std::size_t &skipped,
                   Observer &observer);

/// The images of these targets as inputs, for verbs that list them.
InputSource source_of(const Targets &targets);

/// @throws Error{Fault::input} where files were named, no folder, and none of them is there
void require_any(const Targets &targets);

} // namespace bowhist
