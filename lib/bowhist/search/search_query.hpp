#pragma once

#include <bowhist/library/describer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/image_search.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// An image that is searched for.
struct SearchQuery {
    std::string path;
    std::optional<std::size_t> place = {}; ///< in the library
    std::string problem = {};              ///< why it cannot be searched for
    int width = 0;                         ///< pixels of the upright original
    int height = 0;
    Library::Words words = {};
    std::vector<std::int8_t> code = {};

    bool has_descriptors(bool by_words, bool by_code) const;
    ImageQuery image() const;
};

/// Describes files as the library's images were.
class QueryDescriber {
  public:
    /// The library and observer outlive it.
    QueryDescriber(const Library &library, const DescribeOptions &options, Observer &observer);

    /// Fills those without a place; sets their problem where they cannot be used.
    void describe(std::span<SearchQuery> queries);

  private:
    void open();
    std::optional<ExtractedImage> extract(SearchQuery &query) const;
    void take(const ContentRow &row, SearchQuery &query) const;

    const Library &library_;
    DescribeOptions options_;
    Observer &observer_;
    LibraryModels models_;
    std::unique_ptr<Describer> describer_; ///< made for the first file
};

} // namespace bowhist
