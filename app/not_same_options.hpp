#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist::app {

/// Pairs of paths that show different pictures.
struct NotSameOptions {
    std::vector<std::string> paths; ///< two a pair
    std::filesystem::path list;     ///< two a line, with a tab between
};

/// Remembers them in the library. @throws Error{Fault::usage} for a path that is not there
void remember_not_same(const std::filesystem::path &library, const NotSameOptions &options);

} // namespace bowhist::app
