#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/report/page_files.hpp>
#include <bowhist/search/library_search.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// The libraries and the region that a page of results is about.
struct ResultsPageOptions {
    std::filesystem::path library;
    std::optional<ImageRegion> region = {};       ///< of each query
    std::vector<std::filesystem::path> also = {}; ///< as SearchOptions::also
};

/// A page of queries and their results: thumbnails with rank and score. For checked results it says
/// how many keypoints agree, and draws them as lines between the two images if that is asked for.
/// Thumbnails are the library's; files are decoded for queries that are no images of it, and where
/// it has none.
///
/// In a folder, queries stand in further pages, twenty each. In one file there are as many as have
/// room in most_bytes_of_results; the observer is warned where there were more.
///
/// Protocol: write*, then finish; then the caller closes and commits.
/// @throws Error{Fault::output}; as Library
class ResultsPage {
  public:
    /// All outlive it.
    ResultsPage(PageFiles &files, const ResultsPageOptions &options, Observer &observer);
    ~ResultsPage();

    void write(const std::string &query, const std::vector<FoundImage> &found);
    void finish();

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Bytes of a page of results in one file.
inline constexpr std::size_t most_bytes_of_results = std::size_t{32} << 20;

} // namespace bowhist
