#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bowhist {

/// The name of the folder in which an image lies; a relative path lies below the working folder.
std::string folder_of(const std::string &image);

/// Labels of images by the names of the folders in which they lie: a folder's number among all
/// names, sorted by their bytes. Folders of one name have one number.
class FolderLabels {
  public:
    /// @param images  paths; a relative one lies below the working folder
    explicit FolderLabels(const std::vector<std::string> &images);

    const std::vector<std::string> &names() const { return names_; } ///< by number
    /// The number of an image's folder. REQUIRES: it is one of names()
    std::size_t of(const std::string &image) const;

  private:
    std::vector<std::string> names_;
};

} // namespace bowhist
