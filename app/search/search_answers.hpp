#pragma once

#include <bowhist/search/library_search.hpp>
#include <bowhist/team/records.hpp>

#include <string>
#include <vector>

namespace bowhist::app {

/// Answers of ranks that share the queries of a search: rank 0 gets the others' answers behind its
/// own, and the counts of all; the others get only the counts.
///
/// Protocol: use, then join.
class SharedAnswers {
  public:
    /// The use of this rank's own answers: rank 0 writes them, others keep them for rank 0.
    Search::Use use(const Search::Use &write);

    void join(SearchRun &run, const Search::Use &write);

  private:
    std::string answers_; ///< for rank 0
};

/// All ranks must answer from one library. @throws as require_same
void require_same_library(const Search &search);

} // namespace bowhist::app
