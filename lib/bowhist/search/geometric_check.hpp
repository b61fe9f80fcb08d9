#pragma once

#include <bowhist/core/recipe.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/library_search.hpp>

#include <vector>

namespace bowhist {

/// Images that are checked of each query.
inline constexpr std::size_t checked_images = 100;
/// Keypoints that agree: from here on an image comes first.
inline constexpr std::size_t least_agreeing = 12;

/// The words of an image, where they lie in the size in which it is described.
class PlacedImage {
  public:
    /// @param width   pixels of the upright original
    /// @param recipe  of the words
    PlacedImage(const Library::Words &words, int width, int height, const Recipe &recipe);

    const std::vector<PlacedWord> &words() const { return words_; }
    double scale() const { return scale_; } ///< pixels of the original a pixel here

  private:
    double scale_;
    std::vector<PlacedWord> words_;
};

/// How the first image lies in the second. Any thread.
FoundPlace find_place(const PlacedImage &first, const PlacedImage &second);

/// Puts images with at least least_agreeing keypoints first: by their number, then as they stand.
/// The others keep their order.
void put_agreeing_first(std::vector<FoundImage> &found);

} // namespace bowhist
