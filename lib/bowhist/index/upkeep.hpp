#pragma once

#include <bowhist/library/catalogue.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bowhist {

// Changes of a library that read no files. Each is part of the caller's transaction.

/// Finds moved files: a new file with the content of a file gone since the last whole run keeps its
/// id.
/// @param moved  gets each one's path before and now
/// @return their number
std::size_t
find_moved(Catalogue &catalogue, std::int64_t last_whole_run, std::int64_t run,
           const std::function<void(const std::string &from, const std::string &to)> &moved);

/// Why files that are gone may be on a disk that is not mounted; empty where nothing says so. A
/// folder that held images is there and holds none of them, or more than half of all images are
/// gone. A folder that went with its images was deleted.
std::string doubt_of_gone(Catalogue &catalogue);

/// Deletes the rows of files that are gone. @return their number
std::size_t forget_gone(Catalogue &catalogue);

struct RemovedFiles {
    std::size_t count = 0;
    std::size_t still_there = 0; ///< the next run over their root takes them in again
    std::string first = {};      ///< the path of the first of these
    RootRow root = {};           ///< and its root
};

/// Deletes the rows of files by their paths: a path, a folder's, or a glob of whole paths.
RemovedFiles remove_files(Catalogue &catalogue, const std::vector<std::string> &patterns,
                          Observer &observer);

/// Makes files with a kept reason ones that each run tries again. Until then each shows it still.
void forget_skips(Catalogue &catalogue);

/// Deletes contents that no file has.
void drop_unused(Catalogue &catalogue);

/// Moves all that lies in the folder `from` to `to`, roots and named files.
/// @throws Error{Fault::usage} where nothing lies there, or a root has that path already
void move_roots(Catalogue &catalogue, const std::string &from, const std::string &to);

} // namespace bowhist
