#pragma once

#include <bowhist/library/library.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// A folder that a user names: as it stands in the paths of a library, or as it is reached from
/// here.
class FolderOfImages {
  public:
    /// @param folder  empty: it holds nothing
    explicit FolderOfImages(const std::string &folder);

    /// Whether an image lies below it, or is it.
    bool holds(const LibraryImage &image) const;

  private:
    std::string as_given_;
    std::vector<std::string> absolute_; ///< with and without links
};

} // namespace bowhist
