#pragma once

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/search/library_search.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist::app {

/// How results are written.
enum class SearchFormat { csv, jsonl, paths };

/// Writes the results of queries, a row each (docs/search.md).
///
/// Protocol: write*, then finish, with which a file appears.
class SearchRows {
  public:
    /// @param output  empty: standard output
    /// @param checks  whether there are columns of geometry
    SearchRows(const std::filesystem::path &output, SearchFormat format, bool checks);

    void write(const std::string &query, const std::vector<FoundImage> &found);
    void finish() { file_.commit(); }

  private:
    void append_csv(const std::string &query, std::size_t rank, const FoundImage &image);
    void append_jsonl(const std::string &query, std::size_t rank, const FoundImage &image);

    SearchFormat format_;
    bool checks_;
    AtomicFile file_;
    std::string lines_;
};

} // namespace bowhist::app
