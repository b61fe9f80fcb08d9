#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// A result: an image of the library.
struct SharedImage {
    LibraryImage image;
    double score = 0; ///< 0 … 1
};

/// An image as it is searched for. Made by describe(), and by described().
struct DescribedQuery;

/// The images of a library that are most like an image, for many threads that each ask for one: the
/// answers of Search with its usual options, of the library as it was when this was made.
///
/// Queries that come at the same time are compared together, on a thread of their own. Words stay
/// in memory where half of what is free suffices.
class SharedSearch {
  public:
    /// @param observer  outlives it
    /// @throws as Search, but takes an empty library
    SharedSearch(const std::filesystem::path &library, const StreamOptions &stream,
                 const LevelRequest &level, Observer &observer);
    ~SharedSearch();
    SharedSearch(const SharedSearch &) = delete;
    SharedSearch &operator=(const SharedSearch &) = delete;

    std::size_t size() const; ///< contents that are compared

    /// The results of an image of the library by its own description. Any thread.
    /// @param top  above 0
    /// @throws Error{Fault::input}: it has no descriptors
    std::vector<SharedImage> find(const LibraryImage &image, std::size_t top);
    /// The results of what was described. Any thread.
    std::vector<SharedImage> find(const DescribedQuery &query, std::size_t top);

    /// Decodes and describes a file, or a part of it, on this thread. Any thread.
    /// @param name  for messages
    /// @throws Error{Fault::input} as read_image, and for an image without descriptors
    std::shared_ptr<const DescribedQuery> describe(std::string_view bytes,
                                                   const std::filesystem::path &name,
                                                   const std::optional<ImageRegion> &part) const;
    /// The same of an image of the library, whose file is read.
    std::shared_ptr<const DescribedQuery> describe(const LibraryImage &image,
                                                   const std::optional<ImageRegion> &part) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace bowhist
