#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
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
    /// Labels with these names() and this below().
    FolderLabels(std::vector<std::string> names, std::filesystem::path below)
        : names_(std::move(names)), below_(std::move(below)) {}

    const std::vector<std::string> &names() const { return names_; } ///< by number
    /// The number of an image's folder. REQUIRES: it is one of names()
    std::size_t of(const std::string &image) const;

    /// The folder below which relative paths lie.
    const std::filesystem::path &below() const { return below_; }

  private:
    std::vector<std::string> names_;
    std::filesystem::path below_ = std::filesystem::current_path();
};

} // namespace bowhist
