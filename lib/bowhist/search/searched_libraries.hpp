#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/indexed_images.hpp>
#include <bowhist/search/library_search.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace bowhist {

/// The parts of the scores of a search.
struct SearchedParts {
    bool words = false;
    bool code = false;

    ScoreWeights weights() const;
};

/// The images of libraries that share their models, searched as those of one library that holds all
/// of them. An image of one path and content in several libraries is one image. An image has a
/// number from when it is first met. One thread at a time.
class SearchedLibraries {
  public:
    /// @param paths    the first one describes queries
    /// @param options  what is compared, and how
    /// @throws Error{Fault::usage} where the first library lacks what is asked for, and for a
    ///         library that is named twice; Error{Fault::vocabulary} where models differ;
    ///         Error{Fault::input} where there is no image at all; as Library
    SearchedLibraries(const std::vector<std::filesystem::path> &paths, const SearchOptions &options,
                      Observer &observer);

    const Library &first() const { return *libraries_.front(); }
    const SearchedParts &parts() const { return parts_; }
    const WordMeasure &measure() const { return images_.front()->measure(); }
    std::size_t words() const; ///< of the vocabulary; 0: they are not compared

    /// Contents that are compared, those of each library.
    std::size_t contents() const;
    /// All images, in the order of path bytes, by their numbers.
    std::vector<std::size_t> all();
    const LibraryImage &image(std::size_t number) const;
    /// The first of the libraries that the image was met in.
    std::size_t library(std::size_t number) const { return met(number).library; }
    Library::Words words(std::size_t number) const;
    std::vector<std::int8_t> code(std::size_t number) const;
    /// In the first library that has the path.
    std::optional<std::size_t> find(const std::string &path);

    // As those of IndexedImages, of all libraries.
    void keep_all_words();
    void use(const std::vector<std::shared_ptr<Device>> &devices, Observer &observer);
    void use(const HostWay &way);
    std::vector<std::vector<ScoredImage>> search(std::span<const ImageQuery> queries,
                                                 const ScoreWeights &weights, std::size_t most);
    double compared_seconds() const;
    void sort(std::vector<ScoredImage> &found) const;

  private:
    /// An image in the library that it was first met in.
    struct Met {
        std::size_t library;
        std::size_t image;
    };

    std::size_t number(std::size_t library, std::size_t image);
    Met met(std::size_t number) const;

    std::vector<std::unique_ptr<Library>> libraries_;
    SearchedParts parts_;
    std::vector<std::unique_ptr<IndexedImages>> images_;   ///< of each
    std::vector<Met> met_;                                 ///< empty for one library
    std::unordered_map<std::string, std::size_t> numbers_; ///< by path and content
};

} // namespace bowhist
