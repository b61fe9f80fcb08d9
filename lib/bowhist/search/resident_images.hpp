#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/image_search.hpp>

#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// The words of a keypoint each, rising, as counts.
std::vector<WordCount> counts_of(std::span<const std::uint32_t> words);

/// The images of a library in memory, in the form that is searched.
class ResidentImages {
  public:
    /// Reads them all. @throws as Library; Error{Fault::input} for too many keypoints in one
    ResidentImages(const Library &library, bool words, bool codes, Observer &observer);
    /// Reads only these, and keeps their order.
    ResidentImages(const Library &library, std::vector<LibraryImage> images, bool words, bool codes,
                   Observer &observer);
    ResidentImages(const ResidentImages &) = delete; ///< searchable() names its members
    ResidentImages &operator=(const ResidentImages &) = delete;

    const SearchableImages &searchable() const { return searchable_; }
    const std::vector<LibraryImage> &images() const { return images_; }
    /// The place of an image. In the order of path bytes.
    std::optional<std::size_t> find(const std::string &path) const;

  private:
    void add_words(const Library &library, Observer &observer);
    void add_codes(const Library &library, Observer &observer);

    std::vector<LibraryImage> images_;
    WordMeasure measure_{Normalization::hellinger, {}};
    std::optional<WordIndex> words_;
    std::vector<std::uint32_t> word_norms_;
    InverseNorms inverse_word_norms_;
    std::optional<CodeIndex> codes_;
    std::vector<std::uint32_t> code_norms_;
    InverseNorms inverse_code_norms_;
    SearchableImages searchable_;
};

} // namespace bowhist
