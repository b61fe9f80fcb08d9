#pragma once

#include <bowhist/search/library_search.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace bowhist {

/// Results of a search as .npz, a row for each of n queries. A row has as many places as results
/// are asked for, or as there are images:
///
///     ids.npy      n×places int32: of images.npy, the best first; -1 where there are no more
///     scores.npy   n×places float64: 0 … 1
///     agree.npy    with checks: n×places int32; -1 where none was checked
///     maps.npy     with checks: n×places×6 float64: a11, a12, tx, a21, a22, ty; zeros without a
///     map queries.npy  n names images.npy   the names of all images of the library, as export
///     writes them
///
/// Protocol: write*, then finish, with which the file appears. @throws Error{Fault::output}
class ResultsNpz {
  public:
    /// @param most    results of a query at most, as SearchOptions::top
    /// @param checks  as SearchOptions::check
    /// @param search  whose images they are
    ResultsNpz(const std::filesystem::path &path, std::size_t most, bool checks,
               const Search &search);
    ~ResultsNpz();

    void write(const std::string &query, const std::vector<FoundImage> &found);
    void finish();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace bowhist
