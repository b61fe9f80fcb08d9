#pragma once

#include <bowhist/search/library_search.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace bowhist::app {

/// How results are written (docs/search.md).
enum class SearchFormat { csv, jsonl, paths, pairs, npz };

/// The form of the output, as its writers need it.
struct SearchOutput {
    std::filesystem::path path = {}; ///< empty: standard output, for csv, jsonl and paths
    SearchFormat format = SearchFormat::csv;
    bool checks = false;  ///< there are columns of geometry
    std::size_t most = 0; ///< results of a query
    bool strict = false;  ///< a name that the format cannot hold ends the work
};

/// Writes the results of queries.
///
/// Protocol: write*, then finish, with which a file appears. @throws Error{Fault::output}
class SearchRows {
  public:
    virtual ~SearchRows() = default;

    virtual void write(const std::string &query, const std::vector<FoundImage> &found) = 0;
    virtual void finish() = 0;
    /// Names that the format cannot hold, and the observer has a line about.
    virtual std::size_t refused() const { return 0; }
};

/// Both outlive the writer.
std::unique_ptr<SearchRows> write_search_rows(const SearchOutput &output, const Search &search,
                                              Observer &observer);

/// "pairs.txt": COLMAP's list of pairs of images.
std::unique_ptr<SearchRows> write_search_pairs(const SearchOutput &output, Observer &observer);

} // namespace bowhist::app
