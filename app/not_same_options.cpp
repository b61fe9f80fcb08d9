#include "app/not_same_options.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/library/not_same.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

namespace bowhist::app {
namespace {

/// Pairs of paths: those that were given, and a list's.
std::vector<std::pair<std::string, std::string>> pairs_of(const NotSameOptions &options) {
    std::vector<std::pair<std::string, std::string>> paths;
    for (std::size_t i = 0; i + 1 < options.paths.size(); i += 2)
        paths.emplace_back(options.paths[i], options.paths[i + 1]);
    if (options.list.empty()) return paths;
    std::ifstream list(options.list, std::ios::binary);
    if (!list) throw Error(Fault::usage, fmt::format("{}: cannot be read", options.list));
    for (std::string line; std::getline(list, line);) {
        if (line.empty()) continue;
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos)
            throw Error(Fault::usage,
                        fmt::format("{}: a line without a tab: {}; give two paths a line",
                                    options.list, excerpt(line)));
        paths.emplace_back(line.substr(0, tab), line.substr(tab + 1));
    }
    return paths;
}

using Hashes = std::map<std::string, std::string>; ///< by path

/// @throws Error{Fault::usage} for a path that is not there
const std::string &hash_of(const Hashes &hashes, std::string path,
                           const std::filesystem::path &library) {
    auto found = hashes.find(path);
    if (found == hashes.end() && path.ends_with('\r')) { // of a list, as Windows writes it
        path.pop_back();
        found = hashes.find(path);
    }
    if (found != hashes.end()) return found->second;
    throw Error(Fault::usage,
                fmt::format("{}: not in {}, which knows pictures by the paths that it prints",
                            std::filesystem::path(path), library));
}

} // namespace

void remember_not_same(const std::filesystem::path &library, const NotSameOptions &options) {
    if (options.paths.empty() && options.list.empty()) return;
    if (options.paths.size() % 2 != 0) throw Error(Fault::usage, "--not-same takes two paths");
    Hashes hashes;
    Library(library).for_each_image(
        [&](const LibraryImage &image) { hashes[image.path] = image.hash; });
    NotSame pairs;
    for (const auto &[one, other] : pairs_of(options)) {
        const std::string &first = hash_of(hashes, one, library);
        const std::string &second = hash_of(hashes, other, library);
        if (first == second)
            throw Error(Fault::usage,
                        fmt::format("{} and {} have the same bytes; they cannot be different "
                                    "pictures",
                                    std::filesystem::path(one), std::filesystem::path(other)));
        pairs.insert(std::minmax(first, second));
    }
    bowhist::remember_not_same(library, pairs, 10);
}

} // namespace bowhist::app
