#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/core/image.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/search/geometry.hpp>
#include <bowhist/team/shard.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// The descriptions by which images are compared.
enum class SearchBy { whatever_there_is, words, code, both };

struct SearchOptions {
    SearchBy by = SearchBy::whatever_there_is;
    std::size_t top = 20; ///< results of a query, above 0
    double least_score = 0;
    bool check = false; ///< the first 100 are ordered anew by geometry
    Normalization normalization = Normalization::hellinger; ///< of words (word_measure.hpp)
    std::optional<ImageRegion> region = {};                 ///< of each query; its file is decoded
    bool mirror = false; ///< what a mirror shows of a query counts, too; its file is decoded
    LevelRequest level = {};
    StreamOptions stream = {};                    ///< of queries that are decoded
    std::vector<std::filesystem::path> also = {}; ///< further libraries of the same models
    Shard share = {};                             ///< takes this range of many queries alone
    /// With it, results hold the first image alone of each group of copies. Gives contents of one
    /// group the same content, by hashes (LibraryImage::hash); others are groups of their own.
    std::optional<std::map<std::string, std::string>> copies = {};
};

/// A keypoint of a query and the one in a result that agrees with it: in pixels of the upright
/// originals.
struct AgreeingPair {
    double x = 0, y = 0; ///< in the query
    double found_x = 0, found_y = 0;

    bool operator==(const AgreeingPair &) const = default;
};

/// How a query lies in a result, by the keypoints whose words they share.
struct FoundPlace {
    std::size_t agree = 0; ///< keypoints; 0: there is no map
    AffineMap map = {};    ///< from the query to the result, in pixels of the upright originals;
                           ///< its determinant is negative where the result is mirrored
    std::vector<AgreeingPair> pairs = {}; ///< these keypoints, the nearest to the map first

    bool operator==(const FoundPlace &) const = default;
};

struct FoundImage {
    std::string path;                     ///< bytes
    double score = 0;                     ///< 0 … 1
    std::optional<FoundPlace> place = {}; ///< of images that were checked
    std::size_t library = 0;              ///< that holds it; 1 is the first of SearchOptions::also
};

/// The numbers of queries that were answered and skipped.
struct SearchRun {
    std::size_t queries = 0; ///< that were answered
    std::size_t skipped = 0; ///< inputs that cannot be searched for
};

/// The images of a library that are most like an image (docs/search.md), as it is when it is
/// opened; later changes are not seen. With further ones the answers are those of a library that
/// holds the images of all.
///
///     Search search("photos.bow", {}, observer);
///     for (const FoundImage &image : search.find("query.jpg")) use(image.path, image.score);
///
/// The same answers for every level, device, number of threads and of queries at once. One thread
/// at a time.
class Search {
  public:
    /// Gets a query's path and its results, the best first; among equal scores, the path of lower
    /// bytes first.
    using Use = std::function<void(const std::string &query, const std::vector<FoundImage> &)>;

    /// @param observer  outlives it
    /// @throws Error{Fault::usage} where the library lacks what is asked for, or is named twice;
    ///         Error{Fault::vocabulary} where the models of two differ; Error{Fault::input}
    ///         where one cannot be read, or all are empty
    Search(const std::filesystem::path &library, const SearchOptions &options, Observer &observer);
    ~Search();

    std::size_t size() const; ///< contents that are compared: copies once in each library
    /// The paths of all images, in the order of their bytes: that of the rows that `export` writes.
    /// A path may come more than once if there are several libraries.
    std::vector<std::string> paths() const;

    /// The results of an image: a path of a library, of which nothing is decoded unless for
    /// `region` or `mirror`, or a file.
    /// @throws Error{Fault::input} as read_image, and for an image without descriptors
    std::vector<FoundImage> find(const std::string &query);

    /// Many queries, folders too, in order; the argument "-" is an image on standard input. Inputs
    /// that cannot be searched for are reported to the observer. @throws as list_given_inputs;
    /// Error{Fault::input} for such an input when strict
    SearchRun find_each(const InputSource &queries, const Use &use);

    /// Searches for every image of the library, among the others.
    SearchRun find_all(const Use &use);

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace bowhist
