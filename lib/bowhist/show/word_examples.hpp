#pragma once

#include <bowhist/assign/nearest_words.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The place where a descriptor was taken, in the image that was described.
struct DescribedPlace {
    Keypoint keypoint = {};
    int width = 0; ///< pixels of that image; 0: unknown, and the keypoint, too
    int height = 0;
    bool mirrored = false; ///< that image was mirrored before

    bool operator==(const DescribedPlace &) const = default;
};

/// A descriptor of a word.
struct WordExample {
    double distance = 0;      ///< squared, to its word, by the rule (docs/words.md)
    double margin = 0;        ///< squared distance to the nearest other word, less `distance`
    std::int32_t second = -1; ///< that word; -1 where there is one word
    std::size_t image = 0;    ///< number of its image
    std::size_t row = 0;      ///< of the image's descriptors
    std::size_t turn = 0;     ///< how many of its image come before it, of the same word
    DescribedPlace place = {};

    bool operator==(const WordExample &) const = default;
};

/// How a word is used, and by what.
struct WordUse {
    std::uint64_t count = 0;               ///< descriptors
    std::uint64_t images = 0;              ///< that have it
    std::vector<WordExample> nearest = {}; ///< the smallest distances, by turns
    std::vector<WordExample> border = {};  ///< the smallest margins, by turns

    bool operator==(const WordUse &) const = default;
};

/// Finds for each word the descriptors nearest to it, and those at its border: nearly as near to
/// another word. Images take turns, so that one with a texture does not fill the list: first comes
/// the nearest of each image, by distance, then the second of each, and so on. Distances are the
/// rule's; among equal ones the lower image comes first, then the lower row. So the order of
/// images, and threads, make no difference. Holds `nearest` + `border` examples a word, however
/// many descriptors there are.
class WordExamples {
  public:
    /// @param words  outlive it
    WordExamples(const Vocabulary &words, std::size_t nearest, std::size_t border);

    /// Words of a row that look() takes: its own and the nearest other one, or the only one.
    static constexpr std::size_t each = 2;

    struct OfImage {
        std::vector<std::int32_t> words; ///< of each row
        std::vector<WordExample> rows;
    };

    /// An image's rows. Any thread, many at a time.
    /// @param rows   prepared as the words were
    /// @param words  of each row its own and the nearest other one; of one word that
    /// @param places of each row; empty where unknown
    OfImage look(std::size_t image, std::span<const float> rows,
                 std::span<const std::int32_t> words, std::span<const DescribedPlace> places) const;

    /// One thread at a time.
    void add(const OfImage &image);

    std::uint64_t images() const { return images_; }           ///< that have descriptors
    const std::vector<WordUse> &uses() const { return uses_; } ///< of each word
    std::vector<WordUse> take() { return std::move(uses_); }

  private:
    void add(const OfImage &image, double WordExample::*value,
             std::vector<WordExample> WordUse::*list, std::size_t most);

    const Vocabulary &words_;
    std::size_t nearest_, border_;
    std::uint64_t images_ = 0;
    std::vector<WordUse> uses_;
    std::vector<std::uint64_t> seen_in_; ///< the image that was counted last, from 1 on
};

} // namespace bowhist
