#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/index/update.hpp>
#include <bowhist/io/own_folders.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>

namespace bowhist::app {

/// The library that a run compares images by, made of folders and images.
class LibraryOfInputs {
  public:
    /// Makes it, or brings it up to date. Without a path it lies in a folder for temporary files;
    /// so does one of images without keypoints, which give no words to keep.
    /// @throws as index_library
    LibraryOfInputs(IndexRequest request, Observer &observer);

    const std::filesystem::path &path() const { return path_; }
    bool is_kept() const { return !scratch_; }
    std::size_t skipped() const { return skipped_; } ///< inputs

  private:
    std::filesystem::path scratch_place();
    bool make_without_words(IndexRequest request, Observer &observer);

    std::optional<ScratchFolder> scratch_;
    std::filesystem::path path_;
    std::size_t skipped_ = 0;
};

} // namespace bowhist::app
