#pragma once

#include <bowhist/compare/image_search.hpp>
#include <bowhist/library/describer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pictures/image_views.hpp>
#include <bowhist/search/geometry.hpp>
#include <bowhist/search/library_search.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// An image, or a part of one, or what a mirror shows of it: described.
struct QueryView {
    int width = 0; ///< pixels of the upright original that are in it
    int height = 0;
    int left = 0; ///< of its part in the original
    int top = 0;
    bool mirrored = false;
    Library::Words words = {};
    std::vector<std::int8_t> code = {};

    bool has_descriptors(bool by_words, bool by_code) const;
    ImageQuery image() const;
    /// A map of this view's pixels as one of the original's.
    AffineMap of_original(const AffineMap &map) const;
    /// A place that was found by this view's pixels as one of the original's.
    FoundPlace of_original(FoundPlace place) const;
};

/// An image that is searched for.
struct SearchQuery {
    std::string path;
    std::optional<std::size_t> place = {}; ///< in the library
    std::string file = {};                 ///< of an image of the library, if it is not at its path
    std::optional<std::string> bytes = {}; ///< the file, where it has no path: of standard input
    std::string problem = {};              ///< why it cannot be searched for
    std::vector<QueryView> views = {};     ///< a result's score is the best of them

    const std::string &opened() const { return file.empty() ? path : file; }
};

/// The views of a query that are made of its file.
struct QueryViews {
    std::optional<ImageRegion> region = {}; ///< only this part
    bool mirror = false;                    ///< also what a mirror shows

    /// The library's own description of an image does not suffice.
    bool need_file() const { return region || mirror; }
};

/// Describes files as the library's images were.
class QueryDescriber {
  public:
    /// The library and observer outlive it.
    QueryDescriber(const Library &library, const DescribeOptions &options, const QueryViews &views,
                   Observer &observer);

    /// Fills those without views; sets their problem where they cannot be used.
    void describe(std::span<SearchQuery> queries);

  private:
    void open();
    std::vector<ExtractedImage> extract(SearchQuery &query) const;
    std::vector<ExtractedImage> extract_views(const SearchQuery &query) const;
    QueryView view_of(const ContentRow &row) const;

    const Library &library_;
    DescribeOptions options_;
    QueryViews views_;
    Observer &observer_;
    LibraryModels models_;
    std::unique_ptr<Describer> describer_; ///< made for the first file
};

} // namespace bowhist
