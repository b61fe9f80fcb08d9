#pragma once

#include <bowhist/library/merge.hpp>
#include <bowhist/pipeline/folder_search.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace bowhist {

/// What a run looks at: folders with their rules, and files by what stands in front of their names.
struct Targets {
    std::vector<RootRow> folders; ///< ids unset
    std::map<std::string, std::set<std::string>> files;
};

/// What is named; without any of it all that the library knows.
/// @param skipped  gets the number of lines of a list that hold no path
Targets targets_of(Catalogue &catalogue, const InputSource &inputs, std::size_t &skipped,
                   Observer &observer);

/// Where images of these targets are, for verbs that list them.
InputSource source_of(const Targets &targets);

/// Walks all targets, folder by folder.
class Walk {
  public:
    /// All outlive it.
    Walk(Catalogue &catalogue, Ingest &ingest, Merge &merge, Observer &observer)
        : catalogue_(catalogue), ingest_(ingest), merge_(merge), observer_(observer) {}

    /// @return folders that could not be listed
    std::size_t run(const Targets &targets);

  private:
    void walk(const RootRow &asked, FolderSearch &search);
    void look_at_files(const std::map<std::string, std::set<std::string>> &files);

    Catalogue &catalogue_;
    Ingest &ingest_;
    Merge &merge_;
    Observer &observer_;
    std::size_t unlisted_ = 0; ///< folders
};

} // namespace bowhist
