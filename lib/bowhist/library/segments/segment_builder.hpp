#pragma once

#include <bowhist/library/segments/segments.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Lays the codes of images out as a segment keeps them.
class CodeBlocks {
  public:
    /// @param dimensions  of a code, above 0
    explicit CodeBlocks(std::size_t dimensions) : dimensions_(dimensions) {}

    void add(std::string_view code);
    bool is_full() const { return images_ == code_block; }
    bool empty() const { return images_ == 0; }
    /// The codes added since the last call, as bytes.
    std::string take();

  private:
    std::size_t dimensions_;
    std::size_t images_ = 0;
    std::string bytes_;
};

/// A code of a block.
std::string code_in(std::string_view block, std::size_t image, std::size_t dimensions);

/// Calls `use` with each word of an image, and its count as the index has it.
/// @param words  of each keypoint, rising
template <typename Use>
void for_each_count(std::span<const std::uint32_t> words, const Use &use) {
    for (std::size_t i = 0; i < words.size();) {
        std::size_t end = i + 1;
        while (end < words.size() && words[end] == words[i]) ++end;
        use(words[i], static_cast<std::uint32_t>(std::min<std::size_t>(end - i, most_count)));
        i = end;
    }
}

/// The part of an image's squared norm that a word adds.
std::uint64_t squared_value(std::uint32_t count);

/// The squared length of a code.
std::uint32_t squared_norm_of_code(std::string_view code);

/// Descriptions of images, turned by word.
class SegmentBuilder {
  public:
    /// @param words, dimensions  0 where the library has no words, or no codes
    /// @param images  that will be added
    SegmentBuilder(std::size_t words, std::size_t dimensions, std::size_t images);

    /// @param words  of each keypoint, rising @throws Error{Fault::input} for too many
    void add(RowId content, std::span<const std::uint32_t> words, std::string_view code);

    /// Writes the rows of what was added. Part of the caller's transaction.
    void write(SegmentRows &rows, std::int64_t id);

  private:
    void make_room();
    void write_words(SegmentRows &rows, std::int64_t id);
    void write_codes(SegmentRows &rows, std::int64_t id) const;

    std::size_t words_, dimensions_, images_;
    std::vector<RowId> contents_;
    std::vector<std::uint32_t> words_of_images_; ///< image by image, each word once
    std::vector<std::uint8_t> counts_;           ///< of each of them
    std::vector<std::size_t> ends_;              ///< of each image's
    std::vector<std::size_t> starts_; ///< words + 1: how many images have a word, then where its
                                      ///< postings start
    std::string codes_;               ///< one behind the other
    Segment segment_;
};

} // namespace bowhist
